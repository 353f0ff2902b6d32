import type { RetryFilter } from '@site/schema/calls/retry';
import { useState } from 'react';
import useSWR, { useSWRConfig } from 'swr';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogTitle } from '../../../ui/Dialog.tsx';
import { formatCount } from '../elements/format-count.ts';
import styles from '../elements/dialog.module.css';
import { describeFilter } from '../filters/filter-labels.ts';
import { describeFault } from '../api/call-fault.ts';
import { CURRENT_DATA } from '../api/use-api-data.ts';
import { useUnavailable } from '../live/LiveUpdates.tsx';
import { useSession } from '../session/session.tsx';
import { describeEstimate } from './run-labels.ts';
import { RETRY_RUNS } from './use-retry-runs.ts';

/** A retry of many leads that the operator has asked for and not confirmed yet. */
export type RetryRequest = {
  title: string;
  filter: RetryFilter;
  /** Quarantined leads are meant, so nothing is asked about them. */
  withQuarantined?: boolean;
};

type RetryDialogProps = {
  request: RetryRequest | undefined;
  onClose: () => void;
  onStarted?: () => void;
};

/** Says how many leads a retry takes and how long, before it starts. */
export function RetryDialog({ request, onClose, onStarted }: RetryDialogProps) {
  return (
    <Dialog open={request !== undefined} onClose={onClose} className={styles.dialog}>
      {request && <RetryForm request={request} onClose={onClose} onStarted={onStarted} />}
    </Dialog>
  );
}

type RetryFormProps = { request: RetryRequest; onClose: () => void; onStarted: (() => void) | undefined };

function RetryForm({ request, onClose, onStarted }: RetryFormProps) {
  const { call } = useSession();
  const { mutate } = useSWRConfig();
  const [withQuarantined, setWithQuarantined] = useState(request.withQuarantined ?? false);
  const isQuarantine = request.filter.status === 'quarantined';
  const [isStarting, setStarting] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const body = { filter: request.filter, withQuarantined };
  const { data, error, isLoading } = useSWR(
    ['retry-estimate', JSON.stringify(body)],
    async () => {
      const answer = await call('POST /api/admin/leads/retry', { body: { ...body, dryRun: true } });
      return 'estimateMs' in answer ? answer : undefined;
    },
    { ...CURRENT_DATA, keepPreviousData: true },
  );
  // Until the new estimate has arrived, the old one is shown but cannot be started.
  const count = isLoading ? undefined : data?.count;

  const start = async () => {
    setStarting(true);
    try {
      await call('POST /api/admin/leads/retry', { body });
      onStarted?.();
      onClose();
      void mutate(RETRY_RUNS);
    } catch (failure) {
      setRefusal(describeFault(failure));
    } finally {
      setStarting(false);
    }
  };
  const fault = refusal ?? (error === undefined ? undefined : describeFault(error));
  return (
    <>
      <DialogTitle className={styles.title}>{request.title}</DialogTitle>
      <output className={styles.words}>
        {data ? describeEstimate(data, isQuarantine ? 'quarantined' : 'failed') : 'Counting...'}
      </output>
      {request.filter.ids === undefined && request.filter.failedInRefusalPause === undefined && (
        <p className={styles.words}>
          Filter: <bdi>{describeFilter(request.filter)}</bdi>.
        </p>
      )}
      {request.withQuarantined !== true && data && (data.quarantined > 0 || withQuarantined) && (
        <label className={styles.tick}>
          <input
            type="checkbox"
            checked={withQuarantined}
            onChange={(event) => setWithQuarantined(event.target.checked)}
          />
          {withQuarantined
            ? 'Include quarantined leads'
            : `Include ${formatCount(data.quarantined)} quarantined ${data.quarantined === 1 ? 'lead' : 'leads'}`}
        </label>
      )}
      <p className={styles.words}>
        Leads are retried a hundred at a time, so that new leads do not wait. If you stop the run, the rest stay failed.
      </p>
      {fault && <p role="alert">{fault}</p>}
      <div className={styles.actions}>
        <Button
          pending={isStarting}
          aria-disabled={!count}
          unavailable={useUnavailable()}
          onClick={() => count && void start()}
        >
          {isQuarantine ? 'Send' : 'Retry'} {count !== undefined && formatCount(count)}
        </Button>
        <Button look="line" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </>
  );
}
