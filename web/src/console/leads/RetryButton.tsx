import type { ListedLead } from '@site/schema/stored-lead';
import { CallButton } from '../shared/CallButton.tsx';
import { canRetry, needsCorrection, shownStatus } from '../lead/lead-labels.ts';
import { useCorrection } from '../navigation/open-lead.ts';
import type { LeadRows } from './lead-rows.ts';
import styles from './RetryButton.module.css';

/** Retries a failed lead, sends one that is quarantined, or corrects a refused address. Absent for other leads. */
export function RetryButton({
  lead,
  rows,
}: {
  lead: ListedLead;
  rows: Pick<LeadRows, 'retrying' | 'onRetry'>;
}) {
  const { openCorrection } = useCorrection();
  if (!canRetry(lead)) return null;
  const name = lead.fullName ?? lead.email;
  const isWrong = needsCorrection(lead);
  const isQuarantined = shownStatus(lead) === 'quarantined';
  const label = isWrong ? 'Correct the address of' : isQuarantined ? 'Send to Beehiiv:' : 'Retry';
  return (
    <CallButton
      look="line"
      size="small"
      className={styles.retry}
      aria-label={`${label} ${name}`}
      // Short, so that the columns keep their widths.
      pendingLabel="..."
      pending={rows.retrying.has(lead.id)}
      onClick={() => (isWrong ? openCorrection(lead.id) : rows.onRetry(lead))}
    >
      {isQuarantined ? (
        <span>
          Send<span className={styles.long}> to Beehiiv…</span>
        </span>
      ) : isWrong ? (
        'Correct…'
      ) : (
        'Retry'
      )}
    </CallButton>
  );
}
