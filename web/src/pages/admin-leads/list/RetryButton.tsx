import type { Lead } from '@site/schema/lead';
import { Button } from '../../../ui/Button.tsx';
import type { LeadRows } from './lead-rows.ts';
import styles from './RetryButton.module.css';

/** Retries a failed lead; absent for any other. */
export function RetryButton({ lead, rows }: { lead: Lead; rows: Pick<LeadRows, 'retrying' | 'onRetry'> }) {
  if (lead.beehiivStatus !== 'failed') return null;
  return (
    <Button
      look="line"
      size="small"
      className={styles.retry}
      aria-label={`Retry ${lead.fullName ?? lead.email}`}
      // Short, so that the row keeps its columns.
      pendingLabel="..."
      pending={rows.retrying.has(lead.id)}
      onClick={() => rows.onRetry(lead)}
    >
      Retry
    </Button>
  );
}
