import type { Lead } from '@site/schema/lead';
import { useState } from 'react';
import { FailedIcon, PendingIcon, SentIcon } from '../../../ui/icons.tsx';
import { STATUS_NAMES, describeProgress } from './lead-labels.ts';
import styles from './LeadStatus.module.css';

const SHAPES = { pending: PendingIcon, sent: SentIcon, failed: FailedIcon };

/** Shape, word, then time and reason. A status that changes while it is looked at is washed for a moment. */
export function LeadStatus({ lead, now, isPaused }: { lead: Lead; now: Date; isPaused: boolean }) {
  const [first] = useState(lead.beehiivStatus);
  const [hasChanged, setHasChanged] = useState(false);
  if (!hasChanged && lead.beehiivStatus !== first) setHasChanged(true);
  const detail = describeProgress(lead, now, isPaused);
  const Shape = SHAPES[lead.beehiivStatus];
  return (
    <>
      {/* The key lets the wash begin anew with each change. */}
      <span
        key={lead.beehiivStatus}
        className={styles.status}
        data-status={lead.beehiivStatus}
        data-changed={hasChanged || undefined}
      >
        <Shape />
        {STATUS_NAMES[lead.beehiivStatus]}
      </span>
      <span className={styles.detail} title={[detail, lead.beehiivResponse].filter(Boolean).join('\n')}>
        {detail}
      </span>
    </>
  );
}
