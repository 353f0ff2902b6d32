import type { Decision } from '@site/platform/outbox/outcome';
import type { AttemptClass } from '@site/schema/beehiiv-answers';

/** The time before a round can fail, in multiples of the backoff's base: 24 h at 30 s. */
const BUDGET_FACTOR = 2_880;
/** The attempts that must have spent budget before a round can fail. */
const MIN_ATTEMPTS = 8;
/**
 * The longest delay after an attempt that spends no budget, in multiples of the base: 15 min at 30
 * s.
 */
const MAX_FREE_FACTOR = 30;

export type Situation = {
  /** Earlier attempts of this round that spent budget. */
  attemptsSpent: number;
  /** This lead's failures in a row, this failure included, whether or not they spent budget. */
  failuresInRow: number;
  /** This lead has already failed in the current series of failures. */
  isCounted: boolean;
  /** Milliseconds since the round's first attempt. */
  roundAgeMs: number;
  /**
   * Beehiiv has accepted an addition since this lead's previous attempt, so the failure is the
   * lead's own.
   */
  hasAddedSince: boolean;
  isOutage: boolean;
  isRefusalPause: boolean;
};

export type Judged = {
  class: Exclude<AttemptClass, 'unknown'>;
  subscriber: { id: string; status: string } | null;
  retryAfterMs?: number | undefined;
};

/**
 * Decides the next step of a lead after one answer. Pure.
 * - accepted: sent.
 * - permanent: failed. During a refusal pause it waits for the end: a setting may be the cause.
 * - configuration, rate-limited: waits and spends no budget, since the lead is not to blame.
 * - transient: waits with a doubling delay; during an outage, waits for its end. An attempt spends
 * budget only if Beehiiv has accepted an addition since the attempt before; any other waits 15 min
 * at most. Fails once a day has passed *and* eight attempts have spent budget, so an outage fails
 * no lead.
 * `random` is in [0, 1). Before: `beehiiv.answers.ts` classed the answer. Next: `sync.processor.ts`
 * records the decision.
 */
export function decide(
  answer: Judged,
  situation: Situation,
  { baseMs, random }: { baseMs: number; random: number },
): Decision {
  switch (answer.class) {
    case 'accepted':
      return { move: 'sent', subscriber: answer.subscriber };
    case 'permanent':
      return situation.isRefusalPause
        ? { move: 'wait', delayMs: null, spendsBudget: false }
        : { move: 'failed' };
    case 'configuration':
      return { move: 'wait', delayMs: 0, spendsBudget: false };
    case 'rate-limited':
      return { move: 'wait', delayMs: answer.retryAfterMs ?? 0, spendsBudget: false };
    case 'transient': {
      const spendsBudget = situation.hasAddedSince;
      if (!spendsBudget && situation.isOutage) return { move: 'wait', delayMs: null, spendsBudget };
      if (!spendsBudget) {
        const delayMs = backoffMs(situation.failuresInRow, baseMs, random, MAX_FREE_FACTOR);
        return { move: 'wait', delayMs, spendsBudget };
      }
      const attempts = situation.attemptsSpent + 1;
      const isBudgetSpent =
        situation.roundAgeMs >= BUDGET_FACTOR * baseMs && attempts >= MIN_ATTEMPTS;
      if (isBudgetSpent) return { move: 'failed' };
      return { move: 'wait', delayMs: backoffMs(attempts, baseMs, random), spendsBudget };
    }
  }
}

/**
 * Returns true if a failure may be everybody's, and so counts towards an outage or a refusal pause.
 * Each lead counts once, because one bad lead on a young site is no outage. Leads that have spent
 * budget fail while others succeed. A retried lead that is refused again is no news. A refused
 * payer is reported by name instead. Pure.
 */
export function isSignForAll(
  answer: Pick<Judged, 'class'>,
  situation: Situation,
  { round, isPremium }: { round: number; isPremium: boolean },
): boolean {
  if (answer.class === 'permanent') return round === 1 && !isPremium;
  const { attemptsSpent, hasAddedSince, isCounted } = situation;
  return answer.class === 'transient' && attemptsSpent === 0 && !hasAddedSince && !isCounted;
}

/** The longest delay, in multiples of the base: 6 h at 30 s. */
const MAX_FACTOR = 720;

/**
 * Returns the milliseconds until the next attempt, after `attempts` (1 for the first). Doubles from
 * `baseMs`, at most `maxFactor` times the base. Half of the delay is random, so that leads that
 * failed together do not return together. `random` is in [0, 1). Pure.
 */
export function backoffMs(
  attempts: number,
  baseMs: number,
  random: number,
  maxFactor = MAX_FACTOR,
): number {
  const factor = Math.min(maxFactor, 2 ** Math.max(0, Math.min(attempts - 1, 30)));
  return Math.round(baseMs * factor * (0.5 + random / 2));
}
