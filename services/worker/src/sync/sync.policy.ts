import type { Decision } from '@site/platform/outbox/outcome';
import type { AttemptClass } from '@site/schema/admin';
import { backoffMs } from './backoff.ts';

/** How long a round lasts before it can fail, in multiples of the backoff's base: 24 h at 30 s. */
const BUDGET_FACTOR = 2_880;
/** How many attempts must have spent budget before a round can fail. */
const MIN_ATTEMPTS = 8;

export type Situation = {
  class: Exclude<AttemptClass, 'unknown'>;
  subscriber: { id: string; status: string } | null;
  retryAfterMs?: number | undefined;
  /** Earlier attempts of this round that spent budget. */
  attemptsSpent: number;
  /** Milliseconds since the round's first attempt. */
  roundAgeMs: number;
  /** The newsletter has accepted an addition since this round's first attempt, so the failure is not general. */
  hasAcceptedSince: boolean;
  /** The sync is paused, or this run is its probe. */
  isPaused: boolean;
  baseMs: number;
  random: number;
};

/**
 * Decides what happens to a lead after one answer. Pure.
 * - accepted: sent.
 * - permanent: failed. During a pause, waits: the cause may be the setting, not the lead.
 * - configuration, rate-limited: waits, and spends no budget, since the lead is not at fault.
 * - transient: waits, with a doubling delay. Fails only after a day *and* eight attempts, *and* if the newsletter has
 *   accepted others since. So an outage fails no lead.
 * Before: `beehiiv.answers.ts` classed the answer. Next: `record-run.ts` records the decision.
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
