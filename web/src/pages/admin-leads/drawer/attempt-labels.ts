import type { SyncAttempt } from '@site/schema/admin';
import type { Lead } from '@site/schema/lead';
import { formatDuration } from '../time/london-time.ts';

export type AttemptTone = 'sent' | 'pending' | 'failed' | 'plain';
export type AttemptStory = { sentence: string; tone: AttemptTone };

const KINDS: Record<SyncAttempt['kind'], string> = {
  push: '',
  probe: 'Probe while paused: ',
  repair: 'Repair: ',
  tier: 'Paid issue: ',
};

type Context = {
  lead: Pick<Lead, 'beehiivStatus' | 'nextAttemptAt'>;
  /** The attempt after this one, if any. */
  following: SyncAttempt | undefined;
  now: Date;
  isPaused: boolean;
};

/** An attempt as a sentence: what was answered, and what came or comes of it. */
export function describeAttempt(attempt: SyncAttempt, context: Context): AttemptStory {
  const said = `${KINDS[attempt.kind]}${(attempt.message ?? 'No answer is on record').replace(/[.;\s]+$/u, '')}`;
  switch (attempt.class) {
    case null:
      return { sentence: `${KINDS[attempt.kind]}Asking Beehiiv now.`, tone: 'pending' };
    case 'accepted':
      return { sentence: `${said}.`, tone: 'sent' };
    case 'permanent':
      return isOver(attempt, context)
        ? { sentence: `${said}; will not retry.`, tone: 'failed' }
        : { sentence: `${said}; ${describeNext(attempt, context)}.`, tone: 'failed' };
    case 'configuration':
      return { sentence: `${said}; everybody waits until the setting is put right.`, tone: 'pending' };
    case 'rate-limited':
      return { sentence: `${said}; ${describeNext(attempt, context)}. That is no fault of the lead.`, tone: 'pending' };
    case 'unknown':
      return {
        sentence: `${said}. Outcome unknown: the next try looks the address up first, so nothing is sent twice.`,
        tone: 'pending',
      };
    case 'transient':
      return isOver(attempt, context)
        ? { sentence: `${said}; given up after a day, while others were accepted.`, tone: 'failed' }
        : { sentence: `${said}; ${describeNext(attempt, context)}.`, tone: 'pending' };
  }
}

function isOver(attempt: SyncAttempt, { following, lead }: Context): boolean {
  return following === undefined ? lead.beehiivStatus === 'failed' : following.round > attempt.round;
}

function describeNext(attempt: SyncAttempt, { following, lead, now, isPaused }: Context): string {
  if (following) {
    const waitedMs = Date.parse(following.startedAt) - Date.parse(attempt.startedAt);
    return `tried again after ${formatDuration(waitedMs)}`;
  }
  if (lead.beehiivStatus !== 'pending') return 'was settled otherwise';
  if (isPaused) return 'waits until the sync goes on';
  const waitMs = lead.nextAttemptAt === null ? 0 : Date.parse(lead.nextAttemptAt) - now.getTime();
  return waitMs > 0 ? `tries again in ${formatDuration(waitMs)}` : 'is tried again now';
}
