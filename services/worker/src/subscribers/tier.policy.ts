import type { AttemptClass } from '@site/schema/beehiiv-answers';
import { backoffMs } from '../sync/backoff.ts';

export type TierDecision = { move: 'confirm' } | { move: 'wait'; delayMs: number };

/**
 * Decides what happens to a tier after one answer. Pure. A tier is never given up: a subscriber must get what they pay
 * for, and lose it when they stop. Permanent failures are therefore retried with the same backoff as transient ones.
 */
export function decideTier(situation: {
  class: Exclude<AttemptClass, 'unknown'>;
  /** Attempts for this version, including this one. */
  attempts: number;
  retryAfterMs?: number | undefined;
  baseMs: number;
  random: number;
}): TierDecision {
  const { attempts, baseMs, random } = situation;
  switch (situation.class) {
    case 'accepted':
      return { move: 'confirm' };
    case 'configuration':
      // Due at once when the pause ends.
      return { move: 'wait', delayMs: 0 };
    case 'rate-limited':
      return { move: 'wait', delayMs: situation.retryAfterMs ?? 0 };
    case 'permanent':
    case 'transient':
      return { move: 'wait', delayMs: backoffMs(attempts, baseMs, random) };
  }
}
