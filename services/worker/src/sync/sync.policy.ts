import type { Decision } from '@site/platform/outbox/outcome';
import type { AttemptClass } from '@site/schema/admin';
import { backoffMs } from './backoff.ts';

/** A round fails only after this long, in units of the back-off's base: 24 h at 30 s. */
const BUDGET_FACTOR = 2_880;
/** And after at least this many attempts that spent its budget. */
const MIN_ATTEMPTS = 8;

export type Situation = {
  class: Exclude<AttemptClass, 'unknown'>;
  subscriber: { id: string; status: string } | null;
  retryAfterMs?: number | undefined;
  /** Attempts of this round that spent its budget, before this one. */
  attemptsSpent: number;
  /** Milliseconds since the round's first attempt. */
  roundAgeMs: number;
  /** The newsletter has accepted somebody since this round's first attempt: so the fault is not everybody's. */
  hasAcceptedSince: boolean;
  /** The sync is paused, or this run is its probe. */
  isPaused: boolean;
  baseMs: number;
  random: number;
};

/**
 * What becomes of a lead after one answer. Pure.
 * - accepted: sent.
 * - permanent: failed; but waiting while paused, since then everybody is refused.
 * - configuration and rate-limited: waits, and spends none of its budget: it is not the lead's fault.
 * - transient: waits, doubling; failed only when a day has passed, eight attempts were made *and* the
 *   newsletter has accepted others meanwhile. So an outage fails nobody.
 */
export function decide(situation: Situation): Decision {
  switch (situation.class) {
    case 'accepted':
      return { move: 'sent', subscriber: situation.subscriber };
    case 'permanent':
      return situation.isPaused ? { move: 'wait', delayMs: 0, spendsBudget: false } : { move: 'failed' };
    case 'configuration':
      return { move: 'wait', delayMs: 0, spendsBudget: false };
    case 'rate-limited':
      return { move: 'wait', delayMs: situation.retryAfterMs ?? 0, spendsBudget: false };
    case 'transient':
      return decideTransient(situation);
  }
}

function decideTransient({
  attemptsSpent,
  roundAgeMs,
  hasAcceptedSince,
  baseMs,
  random,
  isPaused,
}: Situation): Decision {
  const attempts = attemptsSpent + 1;
  const isBudgetSpent = roundAgeMs >= BUDGET_FACTOR * baseMs && attempts >= MIN_ATTEMPTS;
  if (isBudgetSpent && hasAcceptedSince && !isPaused) return { move: 'failed' };
  return { move: 'wait', delayMs: backoffMs(attempts, baseMs, random), spendsBudget: !isPaused };
}
