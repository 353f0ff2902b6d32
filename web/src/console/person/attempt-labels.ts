import type { SyncAttempt } from '@site/schema/calls/leads';
import type { ListedLead } from '@site/schema/stored-lead';
import { HALTS } from '../lead/lead-labels.ts';
import type { Halt } from '../lead/lead-labels.ts';
import { formatClock, formatDuration } from '../shared/london-time.ts';

export type AttemptTone = 'sent' | 'pending' | 'failed' | 'quarantined' | 'plain';
export type AttemptLabel = { sentence: string; tone: AttemptTone };

const KINDS: Record<SyncAttempt['kind'], string> = {
  push: '',
  probe: 'Tried while the others waited: ',
  repair: 'Repair: ',
  tier: 'Change of list: ',
};

type Context = {
  lead: Pick<ListedLead, 'beehiivStatus' | 'nextAttemptAt' | 'isCorrected'>;
  /** What the attempt before was answered, where it is shown: the same is not said twice. */
  before?: string | null | undefined;
  /** The next attempt, if any. */
  following: SyncAttempt | undefined;
  now: Date;
  halt: Halt;
};

/** Describes an attempt in a sentence: what Beehiiv answered, and what happened or will happen next. */
export function describeAttempt(attempt: SyncAttempt, context: Context): AttemptLabel {
  const message = (attempt.message ?? 'No answer was recorded').replace(/[.;\s]+$/u, '');
  const tell = (tone: AttemptTone, rest: string, answer = message): AttemptLabel => ({
    sentence: `${KINDS[attempt.kind]}${answer}${rest}.`,
    tone,
  });
  switch (attempt.class) {
    case null:
      return tell('pending', '', 'Waiting for Beehiiv’s answer');
    case 'accepted':
      return tell('sent', '');
    case 'permanent':
      // Without a next attempt, too: a retry may have just begun.
      return tell(
        'failed',
        context.following?.round === attempt.round
          ? `; ${describeNext(attempt, context)}`
          : '; will not retry',
      );
    case 'configuration':
      return context.following || context.lead.beehiivStatus !== 'pending'
        ? tell('pending', '; all leads waited until the setting was corrected')
        : tell('pending', '; all leads wait until the setting is corrected');
    case 'rate-limited':
      return tell(
        'pending',
        `; ${describeNext(attempt, context)}. It does not count against the lead`,
      );
    case 'unknown':
      return tell(
        'pending',
        '. Outcome unknown: the next attempt looks the address up first, so nothing is sent twice',
      );
    case 'transient': {
      const answer =
        attempt.message === context.before ? `${message.split(':', 1)[0]} again` : message;
      const isGivenUp = isOver(attempt, context) && !context.lead.isCorrected;
      return isGivenUp
        ? tell('failed', '; failed for a day while other leads were accepted', answer)
        : tell('pending', `; ${describeNext(attempt, context)}`, answer);
    }
  }
}

function isOver(attempt: SyncAttempt, { following, lead }: Context): boolean {
  return following === undefined
    ? lead.beehiivStatus === 'failed'
    : following.round > attempt.round;
}

function describeNext(attempt: SyncAttempt, { following, lead, now, halt }: Context): string {
  if (following) {
    const waitedMs = Date.parse(following.startedAt) - Date.parse(attempt.startedAt);
    return `retried after ${formatDuration(waitedMs)}`;
  }
  if (lead.isCorrected) return 'the address was corrected';
  if (lead.beehiivStatus !== 'pending') return 'settled another way';
  if (halt || lead.nextAttemptAt === null) return `waits until ${HALTS[halt ?? 'outage'].end}`;
  const waitMs = Date.parse(lead.nextAttemptAt) - now.getTime();
  return waitMs > 0 ? `retries at ${formatClock(new Date(lead.nextAttemptAt))}` : 'retrying now';
}
