import type { ReaderState } from '@site/schema/admin';
import type { BeehiivStatus, FormType, Lead } from '@site/schema/lead';
import { formatDuration, formatMoment, formatTime, isSameDay } from '../london-time.ts';

export const FORM_TYPE_NAMES: Record<FormType, string> = { pre_sample: 'Pre-Sample', pre_buy: 'Pre-Buy' };
export const STATUS_NAMES: Record<BeehiivStatus, string> = { pending: 'Pending', sent: 'Sent', failed: 'Failed' };

/** How a sent lead's reader stands at Beehiiv. */
export const READER_STATE_WORDS: Record<ReaderState, string> = {
  confirmed: 'confirmed',
  waiting: 'waiting for reader',
  rejected: 'rejected there',
  left: 'left there',
};

/** Beehiiv's own word for a subscriber it has accepted, as the operator reads it. */
const SUBSCRIBER_WORDS: Record<string, string> = {
  active: 'confirmed',
  pending: 'waiting for reader',
  validating: 'being checked there',
  invalid: 'rejected there',
  inactive: 'left there',
  needs_attention: 'needs attention there',
  paused: 'paused there',
};

/** `London, GB`; the region stands in for a town nobody knows. */
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
      const word = lead.subscriberStatus === null ? 'accepted' : SUBSCRIBER_WORDS[lead.subscriberStatus];
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
