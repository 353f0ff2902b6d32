import type { Lead } from '@site/schema/lead';
import type { LeadRows } from './lead-rows.ts';
import styles from './TickBox.module.css';

/** Selects a lead. The label makes the target large enough for a finger. */
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
