import type { ListedLead } from '@site/schema/stored-lead';
import { useState } from 'react';
import { FailedIcon, PendingIcon, SentIcon } from '../../ui/icons.tsx';
import { CorrectedIcon, QuarantinedIcon } from '../shared/console-icons.tsx';
import { describeStatus, progressOf, shownStatus } from './lead-labels.ts';
import type { Halt } from './lead-labels.ts';
import styles from './LeadStatus.module.css';

export const STATUS_ICONS = {
  pending: PendingIcon,
  sent: SentIcon,
  failed: FailedIcon,
  quarantined: QuarantinedIcon,
  corrected: CorrectedIcon,
};

/** A lead's status with its icon, and the reason and time. A status that changes on screen is highlighted briefly. */
export function LeadStatus({ lead, now, halt }: { lead: ListedLead; now: Date; halt: Halt }) {
  const [first] = useState(lead.beehiivStatus);
  const [hasChanged, setHasChanged] = useState(false);
  if (!hasChanged && lead.beehiivStatus !== first) setHasChanged(true);
  const { what, at } = progressOf(lead, now, halt);
  // The time is that of the sending, and not of what Beehiiv says since.
  const told = (lead.beehiivStatus === 'sent' ? [at, what] : [what, at])
    .filter(Boolean)
    .join(' · ');
  const status = shownStatus(lead);
  const Icon = STATUS_ICONS[status];
  return (
    <>
      {/* The key restarts the highlight with each change. */}
      <span
        key={lead.beehiivStatus}
        className={styles.status}
        data-status={status}
        data-changed={hasChanged || undefined}
      >
        <Icon />
        {describeStatus(lead)}
      </span>{' '}
      <span
        className={styles.detail}
        title={[told, lead.beehiivResponse].filter(Boolean).join('\n')}
      >
        {told.replace(' ·', '\u00A0·')}
      </span>
    </>
  );
}
