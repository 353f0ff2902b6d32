import type { AnswerReason, AttemptClass } from '@site/schema/beehiiv-answers';
import { backoffMs } from '../sync/sync.policy.ts';

/** `absent`: nobody receives the tier, because Beehiiv does not know the email. */
export type TierDecision =
  | { move: 'confirm' }
  | { move: 'absent' }
  | { move: 'wait'; delayMs: number };

/** Beehiiv may not find a new subscriber at once. */
const ABSENT_ATTEMPTS = 3;

/**
 * Decides the next step of a tier after one answer. Pure. A tier never fails for good, because a
 * subscriber must get the tier they pay for, and lose it when they stop. So permanent failures are
 * retried like transient ones. Only an unknown person cannot get a tier, until they are added
 * again.
 */
export function decideTier(situation: {
  class: Exclude<AttemptClass, 'unknown'>;
  reason?: AnswerReason;
  /** Attempts for this version, including this attempt. */
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
      // The tier is due at once when the pause ends.
      return { move: 'wait', delayMs: 0 };
    case 'rate-limited':
      return { move: 'wait', delayMs: situation.retryAfterMs ?? 0 };
    case 'permanent':
    case 'transient':
      if (situation.reason === 'tier-not-subscribed' && attempts >= ABSENT_ATTEMPTS)
        return { move: 'absent' };
      return { move: 'wait', delayMs: backoffMs(attempts, baseMs, random) };
  }
}
