import type { BulkRetry } from '@site/schema/calls/retry';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import { toUrl } from '../../http.ts';
import { Button } from '../../ui/Button.tsx';
import { useApiData } from '../api/data.tsx';
import { formatCount } from '../shared/format.ts';
import { LinkButton } from '../shared/fields.tsx';
import { toQuery } from '../shared/filter.ts';
import { useCall } from '../session/use-call.ts';
import styles from './BulkRetryStrip.module.css';

export const BULK_RETRIES = toUrl('GET /api/admin/bulk-retries');

/**
 * Shows the bulk retry in progress. If it ends while the list is open, its result stays until it is
 * closed.
 */
export function BulkRetryStrip() {
  const { data } = useApiData('GET /api/admin/bulk-retries');
  const [openedAt] = useState(() => new Date().toISOString());
  const [closed, setClosed] = useState<string>();
  const run = data?.bulkRetries[0];
  if (!run || run.id === closed || (run.finishedAt !== null && run.finishedAt < openedAt))
    return null;
  const isOver = run.finishedAt !== null;
  const name =
    `${isOfQuarantine(run) ? 'Sending' : 'Retry'} of ${formatCount(run.total)} by ` + run.operator;
  return (
    <section className={styles.strip} aria-label={name}>
      <strong>{name}</strong>
      {!isOver && (
        <progress
          className={styles.bar}
          value={run.total - run.waiting}
          max={Math.max(1, run.total)}
          aria-label={`Progress: ${name}`}
        />
      )}
      <span className={styles.words}>
        {toDoneText(run)}: {toResultText(run)}{' '}
        {run.failed > 0 && (
          <Link to={{ search: toQuery({ status: 'failed', bulkRetry: run.id }) }}>Show failed</Link>
        )}
      </span>
      {/* Announced only at the end, not with every lead. */}
      <output className="visually-hidden">{isOver && toEndText(run)}</output>
      {isOver ? (
        <LinkButton aria-label={`Close: ${name}`} onClick={() => setClosed(run.id)}>
          Close
        </LinkButton>
      ) : (
        <StopBulkRetry run={run} />
      )}
    </section>
  );
}

/** Stops a bulk retry. Leads that have begun are still sent. */
export function StopBulkRetry({ run }: { run: BulkRetry }) {
  const { mutate } = useSWRConfig();
  const { send, isPending, isViewer } = useCall('POST /api/admin/bulk-retries/:id/stop', {
    notice: 'Stop failed',
  });
  if (isViewer) return null;
  const stop = async () => {
    await send({ params: { id: run.id } });
    // Even after a failure, because the bulk retry may have ended.
    await mutate(BULK_RETRIES);
  };
  return (
    <Button
      look="line"
      size="small"
      pending={isPending || run.stoppedAt !== null}
      pendingLabel="Stopping..."
      onClick={() => void stop()}
    >
      Stop
    </Button>
  );
}

const isOfQuarantine = ({ filter }: BulkRetry) => filter['status'] === 'quarantined';

/** Returns `34 of 44 done`. */
export const toDoneText = ({ sent, failed, total }: BulkRetry) =>
  `${formatCount(sent + failed)} of ${formatCount(total)} done`;

export const toEndText = ({ stoppedAt }: BulkRetry) => (stoppedAt === null ? 'Done' : 'Stopped');

/** Returns `30 sent, 4 failed again, 2 waiting, 8 not retried`, which add up to all its leads. */
export function toResultText(run: BulkRetry): string {
  const [failed, notRetried] = isOfQuarantine(run)
    ? ['failed', 'not sent']
    : ['failed again', 'not retried'];
  const parts: [count: number, what: string][] = [
    [run.sent, 'sent'],
    [run.failed, failed],
    [run.waiting, 'waiting'],
    [run.notRetried, notRetried],
  ];
  return parts
    .filter(([count, what]) => count > 0 || what === 'sent')
    .map(([count, what]) => `${formatCount(count)} ${what}`)
    .join(', ');
}
