import type { Lead } from '@site/schema/lead';
import { Button } from '../../../ui/Button.tsx';
import type { LeadRows } from './lead-rows.ts';
import styles from './RetryButton.module.css';

/** Retries a failed lead, or sends one that is quarantined. Absent for other leads. */
export function RetryButton({ lead, rows }: { lead: Lead; rows: Pick<LeadRows, 'retrying' | 'onRetry'> }) {
  if (lead.beehiivStatus !== 'failed') return null;
  const name = lead.fullName ?? lead.email;
  const isQuarantined = lead.quarantineReason !== null;
  return (
    <Button
      look="line"
      size="small"
      className={styles.retry}
      aria-label={isQuarantined ? `Send ${name} to Beehiiv` : `Retry ${name}`}
      // Short, so that the columns keep their widths.
      pendingLabel="..."
      pending={rows.retrying.has(lead.id)}
      onClick={() => rows.onRetry(lead)}
    >
      {isQuarantined ? 'Send' : 'Retry'}
    </Button>
  );
}
