import type { SubscriberState } from '@site/schema/admin';
import type { BeehiivStatus, FormType, Lead } from '@site/schema/lead';
import { formatDuration, formatMoment, formatTime, isSameDay } from '../time/london-time.ts';

export const FORM_TYPE_NAMES: Record<FormType, string> = { pre_sample: 'Pre-Sample', pre_buy: 'Pre-Buy' };
export const STATUS_NAMES: Record<BeehiivStatus, string> = { pending: 'Pending', sent: 'Sent', failed: 'Failed' };

/** The state of a sent lead's subscriber at Beehiiv. */
export const SUBSCRIBER_STATE_LABELS: Record<SubscriberState, string> = {
  confirmed: 'confirmed',
  awaiting: 'awaiting confirmation',
  rejected: 'rejected by Beehiiv',
  unsubscribed: 'unsubscribed',
};

/** Beehiiv's statuses in the operator's words. */
const SUBSCRIBER_STATUS_LABELS: Record<string, string> = {
  active: 'confirmed',
  pending: 'awaiting confirmation',
  validating: 'Beehiiv is checking',
  invalid: 'rejected by Beehiiv',
  inactive: 'unsubscribed',
  needs_attention: 'needs attention at Beehiiv',
  paused: 'paused at Beehiiv',
};

/** `London, GB`; the region is used where the city is unknown. */
export function describePlace({ city, region, country }: Pick<Lead, 'city' | 'region' | 'country'>): string {
  const known = [city ?? region, country].filter((part) => part);
  return known.length === 0 ? 'Unknown' : known.join(', ');
}

type Progress = Pick<
  Lead,
  | 'beehiivStatus'
  | 'beehiivResponse'
  | 'beehiivSentAt'
  | 'subscriberStatus'
  | 'nextAttemptAt'
  | 'quarantineReason'
  | 'submittedAt'
  | 'updatedAt'
>;

/** What stands beside a lead's status: when it changed, and what comes next or why not. */
export function describeProgress(lead: Progress, now: Date, isPaused: boolean): string {
  switch (lead.beehiivStatus) {
    case 'pending':
      return describeNextTry(lead.nextAttemptAt, now, isPaused);
    case 'sent': {
      const word = lead.subscriberStatus === null ? 'accepted' : SUBSCRIBER_STATUS_LABELS[lead.subscriberStatus];
      return `${describeWhen(lead.beehiivSentAt ?? lead.updatedAt, lead, now)}, ${word ?? lead.subscriberStatus}`;
    }
    case 'failed':
      return `${describeWhen(lead.updatedAt, lead, now)}, ${describeFailure(lead)}`;
  }
}

function describeNextTry(nextAttemptAt: string | null, now: Date, isPaused: boolean): string {
  if (isPaused) return 'waits, sync paused';
  const waitMs = nextAttemptAt === null ? 0 : Date.parse(nextAttemptAt) - now.getTime();
  return waitMs > 0 ? `next try in ${formatDuration(waitMs)}` : 'in the queue';
}

function describeFailure({ quarantineReason, beehiivResponse }: Progress): string {
  if (quarantineReason !== null) return 'quarantined';
  if (beehiivResponse?.startsWith('corrected:')) return 'corrected';
  const status = /\b[45]\d\d\b/u.exec(beehiivResponse?.slice(0, 60) ?? '')?.[0];
  return status === undefined ? 'refused' : `${status.startsWith('4') ? 'refused' : 'given up'} (${status})`;
}

/** The time alone where the day is that of the row's own date. */
function describeWhen(instant: string, { submittedAt }: Progress, now: Date): string {
  const at = new Date(instant);
  return isSameDay(at, new Date(submittedAt)) ? formatTime(at) : formatMoment(at, now);
}
