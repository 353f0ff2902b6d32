import type { Lead } from '@site/schema/lead';
import type { LeadRows } from './lead-rows.ts';
import styles from './TickBox.module.css';

/** Ticks a lead, for what is done to several at once. The label around it is as large as a finger. */
export function TickBox({ lead, rows: { selection } }: { lead: Lead; rows: Pick<LeadRows, 'selection'> }) {
  return (
    <label className={styles.tick}>
      <input
        type="checkbox"
        aria-label={`Select ${lead.fullName ?? lead.email}`}
        checked={selection.ids.has(lead.id)}
        onChange={() => selection.toggle(lead)}
      />
    </label>
  );
}
