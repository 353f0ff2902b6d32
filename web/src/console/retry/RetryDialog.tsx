import type { RetryFilter } from '@site/schema/calls/retry';
import { useState } from 'react';
import useSWR, { useSWRConfig } from 'swr';
import { toFailureText } from '../api/failure.ts';
import { CURRENT_DATA } from '../api/data.tsx';
import { ConfirmDialog } from '../shared/ConfirmDialog.tsx';
import styles from '../shared/dialog.module.css';
import { countOf, formatCount, formatDuration } from '../shared/format.ts';
import { toFilterText } from '../lead/filter-labels.ts';
import { HALTS } from '../lead/progress.ts';
import { useHalt } from '../lead/use-halt.ts';
import { useSession } from '../session/session.ts';
import { useCall } from '../session/use-call.ts';
import { BULK_RETRIES } from './BulkRetryStrip.tsx';

type RetryDialogProps = {
  title: string;
  filter: RetryFilter;
  /** Includes quarantined leads. */
  withQuarantined?: boolean;
  onClose: () => void;
  onStarted?: () => void;
};

/** Shows the number of leads in a retry and its duration, before it starts. */
export function RetryDialog({
  title,
  filter,
  withQuarantined = false,
  onClose,
  onStarted,
}: RetryDialogProps) {
  const { call } = useSession();
  const { mutate } = useSWRConfig();
  const halt = useHalt();
  // A wrong setting may have refused valid emails.
  const isOfPause = filter.failedInRefusalPause === true;
  const [withInvalid, setWithInvalid] = useState(isOfPause || withQuarantined);
  const body = {
    filter: { ...filter, ...(!withInvalid && { withoutInvalid: true }) },
    withQuarantined,
  };
  const { data, error, isLoading } = useSWR(
    ['retry-estimate', JSON.stringify(body)],
    async () => {
      const answer = await call('POST /api/admin/leads/retry', { body: { ...body, dryRun: true } });
      return 'estimateMs' in answer ? answer : undefined;
    },
    { ...CURRENT_DATA, keepPreviousData: true },
  );
  const { send, failure, isPending } = useCall('POST /api/admin/leads/retry', {
    onDone() {
      onStarted?.();
      onClose();
      void mutate(BULK_RETRIES);
    },
  });
  // Until the new estimate arrives, the old estimate is on screen but cannot be started.
  const count = isLoading ? undefined : data?.count;
  const left = withInvalid ? 0 : (data?.invalid ?? 0);
  const ofAll = left > 0 ? `${formatCount(data?.count ?? 0)} of ` : '';
  const lead = `${withQuarantined ? 'quarantined' : 'failed'} lead`;
  const verb = withQuarantined ? 'Send' : 'Retry';
  const refused = error === undefined ? undefined : toFailureText(error);
  const estimateMs = data?.estimateMs ?? 0;
  const duration = halt
    ? `It starts when ${HALTS[halt].end}.`
    : estimateMs >= 1_500 && `About ${formatDuration(estimateMs)}.`;
  return (
    <ConfirmDialog
      title={title}
      submit={count === undefined ? verb : `${verb} ${formatCount(count)}`}
      isPending={isPending}
      isDisabled={!count}
      failure={failure ?? refused}
      onSubmit={() => void send({ body })}
      onClose={onClose}
    >
      {refused === undefined && (
        <output className={styles.words}>
          {data
            ? `${ofAll}${countOf(data.count + left, lead)}. ${(data.count > 0 && duration) || ''}`
            : 'Counting...'}
        </output>
      )}
      {withQuarantined && (
        <p className={styles.words}>
          They looked automated. Beehiiv adds them to the list as it does any other lead.
        </p>
      )}
      {filter.ids === undefined && !isOfPause && (
        <p className={styles.words}>
          Filter: <bdi>{toFilterText({ ...filter, status: filter.status ?? 'failed' })}</bdi>.
        </p>
      )}
      {data && data.invalid > 0 && !isOfPause && (
        <label className={styles.tick}>
          <input
            type="checkbox"
            checked={withInvalid}
            onChange={(event) => setWithInvalid(event.target.checked)}
          />
          Include {countOf(data.invalid, 'refused email')}, which Beehiiv will refuse again until
          corrected
        </label>
      )}
    </ConfirmDialog>
  );
}
