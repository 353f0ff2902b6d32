import type { ListedLead } from '@site/schema/stored-lead';
import { TONE_ICONS } from '../shared/console-icons.tsx';
import { toStatusText, shownStatus } from '@site/schema/labels';
import { toProgressText } from './progress.ts';
import type { Halt } from './progress.ts';
import styles from './LeadStatus.module.css';

/**
 * Renders a lead's status with its icon, and one fact: the reason, or Beehiiv's status, and the
 * time.
 */
export function LeadStatus({ lead, now, halt }: { lead: ListedLead; now: Date; halt: Halt }) {
  const status = shownStatus(lead);
  const Icon = TONE_ICONS[status];
  const fact = toProgressText(lead, now, halt);
  return (
    <>
      <span className={styles.status} data-tone={status}>
        <Icon />
        {toStatusText(lead)}
      </span>{' '}
      <span
        className={styles.detail}
        title={[fact, lead.beehiivResponse].filter(Boolean).join('\n')}
      >
        {fact}
      </span>
    </>
  );
}
