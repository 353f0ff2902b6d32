import type { AttemptClass } from '@site/schema/admin';
import { backoffMs } from '../sync/backoff.ts';

/** Until a wrong key is tried with again; as for leads. */
const CONFIGURATION_DELAY_MS = 15_000;

export type TierDecision = { move: 'confirm' } | { move: 'wait'; delayMs: number };

/**
 * What becomes of a tier after one answer. Pure. Nothing is ever given up: who pays is to get what they
 * paid for, and who stopped is to stop getting it, however long it takes. A refusal is tried again as
 * slowly as an outage.
 */
export function decideTier(situation: {
  class: Exclude<AttemptClass, 'unknown'>;
  /** For this version, this one included. */
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
      return { move: 'wait', delayMs: CONFIGURATION_DELAY_MS };
    case 'rate-limited':
      return { move: 'wait', delayMs: situation.retryAfterMs ?? 0 };
    case 'permanent':
    case 'transient':
      return { move: 'wait', delayMs: backoffMs(attempts, baseMs, random) };
  }
}
