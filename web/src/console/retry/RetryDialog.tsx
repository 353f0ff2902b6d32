import type { RetryFilter } from '@site/schema/calls/retry';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import useSWR, { useSWRConfig } from 'swr';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../shared/ConfirmDialog.tsx';
import { countOf, formatCount } from '../shared/format-count.ts';
import styles from '../shared/dialog.module.css';
import { LinkButton } from '../shared/LinkButton.tsx';
import { describeFilter } from '../lead/filter-labels.ts';
import { describeFault } from '../api/call-fault.ts';
import { CURRENT_DATA } from '../api/use-api-data.ts';
import { useLiveEvents } from '../api/LiveUpdates.tsx';
import { useSession } from '../session/session.tsx';
import { useCall } from '../session/use-call.ts';
import { useCorrection } from '../navigation/open-lead.ts';
import { useHalt } from '../lead/use-halt.ts';
import { describeEstimate, describeSize } from './run-labels.ts';
import { RETRY_RUNS, useRetryRuns } from './use-retry-runs.ts';

/** A retry of many leads that the operator has asked for and not confirmed yet. */
export type RetryRequest = {
  title: string;
  filter: RetryFilter;
  /** Quarantined leads are meant, so nothing is asked about them. */
  withQuarantined?: boolean;
  /** One that is to be corrected, if its lead is on screen. */
  firstInvalid?: string | undefined;
};

type RetryDialogProps = { request: RetryRequest; onClose: () => void; onStarted?: () => void };

/** Says how many leads a retry takes and how long, before it starts. */
export function RetryDialog({ request, onClose, onStarted }: RetryDialogProps) {
  const { call } = useSession();
  const { mutate } = useSWRConfig();
  const navigate = useNavigate();
  const { openSeries } = useCorrection();
  const halt = useHalt();
  const { runs } = useRetryRuns();
  const [before] = useState(runs);
  const [withQuarantined, setWithQuarantined] = useState(request.withQuarantined ?? false);
  const isQuarantine = request.filter.status === 'quarantined';
  // A wrong setting may have refused valid addresses.
  const [withInvalid, setWithInvalid] = useState(
    request.filter.failedInRefusalPause ?? isQuarantine,
  );
  const body = {
    filter: { ...request.filter, ...(!withInvalid && { withoutInvalid: true }) },
    withQuarantined,
  };
  const {
    data,
    error,
    isLoading,
    mutate: recount,
  } = useSWR(
    ['retry-estimate', JSON.stringify(body)],
    async () => {
      const answer = await call('POST /api/admin/leads/retry', { body: { ...body, dryRun: true } });
      return 'estimateMs' in answer ? answer : undefined;
    },
    { ...CURRENT_DATA, keepPreviousData: true },
  );
  const { send, fault, isPending } = useCall('POST /api/admin/leads/retry', {
    onDone() {
      onStarted?.();
      onClose();
      void mutate(RETRY_RUNS);
    },
  });
  // So that the number on the button is that of the leads it retries.
  useLiveEvents(() => (isPending ? undefined : recount()));
  const showInvalid = () => {
    onClose();
    if (request.firstInvalid) openSeries(request.firstInvalid);
    else void navigate({ search: 'status=failed' });
  };
  // Until the new estimate has arrived, the old one is shown but cannot be started.
  const count = isLoading ? undefined : data?.count;
  const correctThem = `Correct ${data?.invalid === 1 ? 'it' : 'them'}`;
  const areAllInvalid = data !== undefined && data.count === 0 && data.invalid > 0;
  const other = before && runs?.find(({ id }) => before.every((run) => run.id !== id));
  if (other && !isPending) {
    return (
      <ConfirmDialog title="It has changed" onClose={onClose}>
        <p>
          Another retry has begun meanwhile: <bdi>{describeSize(other)}</bdi>.
        </p>
      </ConfirmDialog>
    );
  }
  return (
    <ConfirmDialog
      title={areAllInvalid ? 'Nothing to retry' : request.title}
      submit={
        areAllInvalid
          ? undefined
          : `${isQuarantine ? 'Send' : 'Retry'} ${count === undefined ? '' : formatCount(count)}`
      }
      dismiss="Cancel"
      instead={
        areAllInvalid && (
          <Button ref={takeFocus} onClick={showInvalid}>
            Correct the {data.invalid === 1 ? 'address' : 'addresses'}
          </Button>
        )
      }
      isPending={isPending}
      isDisabled={!count}
      fault={fault ?? (error === undefined ? undefined : describeFault(error))}
      onSubmit={() => void send({ body })}
      onClose={onClose}
    >
      <output className={styles.words}>
        {data
          ? !areAllInvalid && describeEstimate(data, halt, isQuarantine ? 'quarantined' : 'failed')
          : 'Counting...'}
      </output>
      {isQuarantine && (
        <p className={styles.words}>
          They looked automated. Beehiiv adds them to the list as it does any other lead.
        </p>
      )}
      {request.filter.ids === undefined && request.filter.failedInRefusalPause === undefined && (
        <p className={styles.words}>
          Filter:{' '}
          <bdi>
            {describeFilter({ ...request.filter, status: request.filter.status ?? 'failed' })}
          </bdi>
          .
        </p>
      )}
      {data && data.invalid > 0 && (
        <>
          <p className={styles.words}>
            {countOf(data.invalid, 'address', 'addresses')} {data.invalid === 1 ? 'was' : 'were'}{' '}
            refused as invalid or rejected by Beehiiv, and will be refused again.{' '}
            {areAllInvalid ? (
              correctThem
            ) : (
              <LinkButton onClick={showInvalid}>{correctThem}</LinkButton>
            )}{' '}
            instead.
          </p>
          {request.filter.failedInRefusalPause === undefined && (
            <label className={styles.tick}>
              <input
                type="checkbox"
                checked={withInvalid}
                onChange={(event) => setWithInvalid(event.target.checked)}
              />
              Retry {data.invalid === 1 ? 'it' : `these ${formatCount(data.invalid)}`}
              {data.count > (withInvalid ? data.invalid : 0) ? ', too' : ' all the same'}
            </label>
          )}
        </>
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
      {data && data.count > 100 && (
        <p className={styles.words}>
          Leads are retried a hundred at a time, so that new leads do not wait. If you stop the run,
          the rest stay failed.
        </p>
      )}
    </ConfirmDialog>
  );
}

/** Takes the focus of the retry, which goes once all are found to be invalid. */
function takeFocus(button: HTMLButtonElement | null) {
  if (document.activeElement === document.body) button?.focus();
}
