import type { SyncAttempt } from '@site/schema/calls/leads';
import type { Lead } from '@site/schema/lead';
import type { Halt } from '../lead/lead-labels.ts';
import { formatDuration } from '../time/london-time.ts';

export type AttemptTone = 'sent' | 'pending' | 'failed' | 'quarantined' | 'plain';
export type AttemptLabel = { sentence: string; tone: AttemptTone };

const KINDS: Record<SyncAttempt['kind'], string> = {
  push: '',
  probe: 'Probe while paused: ',
  repair: 'Repair: ',
  tier: 'Change of list: ',
};

type Context = {
  lead: Pick<Lead, 'beehiivStatus' | 'nextAttemptAt'>;
  /** Answers that are shown already: they are not repeated. */
  known?: readonly (string | null | undefined)[];
  /** The next attempt, if any. */
  following: SyncAttempt | undefined;
  now: Date;
  halt: Halt;
};

/** Describes an attempt in a sentence: what Beehiiv answered, and what happened or will happen next. */
export function describeAttempt(attempt: SyncAttempt, context: Context): AttemptLabel {
  const message = (attempt.message ?? 'No answer was recorded').replace(/[.;\s]+$/u, '');
  const said = `${KINDS[attempt.kind]}${message}`;
  switch (attempt.class) {
    case null:
      return { sentence: `${KINDS[attempt.kind]}Waiting for Beehiiv’s answer.`, tone: 'pending' };
    case 'accepted':
      if (attempt.kind === 'tier') return { sentence: 'Beehiiv accepted the change of list.', tone: 'sent' };
      return { sentence: `${said}.`, tone: 'sent' };
    case 'permanent':
      return isOver(attempt, context)
        ? { sentence: `${said}; will not retry.`, tone: 'failed' }
        : { sentence: `${said}; ${describeNext(attempt, context)}.`, tone: 'failed' };
    case 'configuration':
      return { sentence: `${said}; all leads wait until the setting is corrected.`, tone: 'pending' };
    case 'rate-limited':
      return {
        sentence: `${said}; ${describeNext(attempt, context)}. It does not count against the lead.`,
        tone: 'pending',
      };
    case 'unknown':
      return {
        sentence: `${said}. Outcome unknown: the next attempt looks the address up first, so nothing is sent twice.`,
        tone: 'pending',
      };
    case 'transient': {
      const answer = context.known?.includes(message) ? `${KINDS[attempt.kind]}Not accepted` : said;
      return isOver(attempt, context)
        ? { sentence: `${answer}; failed for a day while other leads were accepted.`, tone: 'failed' }
        : { sentence: `${answer}; ${describeNext(attempt, context)}.`, tone: 'pending' };
    }
  }
}

function isOver(attempt: SyncAttempt, { following, lead }: Context): boolean {
  return following === undefined ? lead.beehiivStatus === 'failed' : following.round > attempt.round;
}

function describeNext(attempt: SyncAttempt, { following, lead, now, halt }: Context): string {
  if (following) {
    const waitedMs = Date.parse(following.startedAt) - Date.parse(attempt.startedAt);
    return `retried after ${formatDuration(waitedMs)}`;
  }
  if (lead.beehiivStatus !== 'pending') return 'settled another way';
  if (halt === 'pause') return 'waits until the sync resumes';
  if (halt === 'outage' || lead.nextAttemptAt === null) return 'waits until Beehiiv accepts leads again';
  const waitMs = Date.parse(lead.nextAttemptAt) - now.getTime();
  return waitMs > 0 ? `retries in ${formatDuration(waitMs)}` : 'retrying now';
}
