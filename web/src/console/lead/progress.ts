import { toAnswerText } from '@site/schema/beehiiv-answers';
import { toSubscriberStatusName } from '@site/schema/labels';
import type { Lead } from '@site/schema/lead';
import {
  capitalize,
  formatDuration,
  formatMoment,
  formatTime,
  isSameDay,
} from '../shared/format.ts';

/** The reasons why all leads wait, each with a row's words and the awaited event. */
export const HALTS = {
  pause: { waits: 'Waits, sync paused', end: 'the sync resumes' },
  outage: { waits: 'Waits for Beehiiv', end: 'Beehiiv works again' },
  worker: { waits: 'Waits for the worker', end: 'a worker runs again' },
};
export type Halt = keyof typeof HALTS | undefined;

type Progress = Pick<
  Lead,
  | 'beehiivStatus'
  | 'beehiivReason'
  | 'beehiivSentAt'
  | 'subscriberStatus'
  | 'nextAttemptAt'
  | 'quarantineReason'
  | 'submittedAt'
  | 'updatedAt'
  | 'failedAt'
>;

/**
 * Returns Beehiiv's answer and its time, or the time of the next attempt. Shows the time alone on
 * the day that the lead arrived.
 */
export function toProgressText(lead: Progress, now: Date, halt: Halt): string {
  const { subscriberStatus, submittedAt, updatedAt } = lead;
  const on = (at: string) =>
    isSameDay(new Date(at), new Date(submittedAt))
      ? formatTime(new Date(at))
      : formatMoment(new Date(at), now);
  switch (lead.beehiivStatus) {
    case 'pending':
      return toNextAttemptText(lead.nextAttemptAt, now, halt);
    case 'sent': {
      const status =
        subscriberStatus === null ? 'Accepted' : toSubscriberStatusName(subscriberStatus);
      return `${status} · ${on(lead.beehiivSentAt ?? updatedAt)}`;
    }
    case 'failed': {
      const what = toReasonText(lead);
      // A lead that looks automated was quarantined on arrival.
      if (lead.quarantineReason !== null) return what;
      return `${what} · ${on(lead.failedAt ?? updatedAt)}`;
    }
  }
}

function toNextAttemptText(nextAttemptAt: string | null, now: Date, halt: Halt): string {
  if (halt || nextAttemptAt === null) return HALTS[halt ?? 'outage'].waits;
  const waitMs = Date.parse(nextAttemptAt) - now.getTime();
  return waitMs >= 1_000 ? `Next attempt in ${formatDuration(waitMs)}` : 'On its way';
}

function toReasonText({ quarantineReason, beehiivReason }: Progress): string {
  if (quarantineReason !== null) return capitalize(quarantineReason);
  return beehiivReason === null ? 'Permanent failure' : toAnswerText(beehiivReason);
}
