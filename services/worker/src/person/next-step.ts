import type { Tier } from '@site/platform/database/tables';
import type { NewsletterAnswer, Subscriber } from '../newsletter/newsletter.port.ts';
import { backoffMs } from '../sync/sync.policy.ts';

/** The steps that send a request. `look up`, `activate` and `reactivate` lead to a further step. */
const REQUESTS = [
  ...(['look up', 'remove', 'unsubscribe', 'activate', 'reactivate', 'set tier'] as const),
  'deliver',
] as const;
export type RequestStep = (typeof REQUESTS)[number];
export type Step = RequestStep | 'drop' | 'request tier' | 'finish';

export const isRequest = (step: Step): step is RequestStep =>
  REQUESTS.some((request) => request === step);

/** The facts that decide the next step of a wish. */
export type Facts = {
  kind:
    | ('erasure' | 'unsubscribe' | 'tier' | 'check' | 'consent')
    | ('add-again' | 'set-premium' | 'set-free');
  attempts: number;
  /** Somebody uses the email that a request removes. */
  isUsed: boolean;
  tier: Tier | null;
  /** A payment, or the undoing of our own unsubscription, has yet to make them active. */
  mustActivate: boolean;
  /** They had unsubscribed, and have yet to confirm a later consent. */
  mustConfirm: boolean;
};

/**
 * Decides the next step of a wish. `found` is the subscriber once looked up, or null for an absent
 * one. Pure.
 */
export function nextStep(run: Facts, found?: Subscriber | null): Step {
  const { kind, tier, mustActivate } = run;
  if (run.isUsed) return 'drop';
  if (kind === 'consent' || kind === 'add-again') return 'deliver';
  if (kind === 'set-premium' || kind === 'set-free') return 'request tier';
  if (found === undefined) return 'look up';
  if (found === null || kind === 'check') return 'finish';
  if (kind === 'erasure') return 'remove';
  if (kind === 'unsubscribe') return found.status === 'inactive' ? 'finish' : 'unsubscribe';
  if (tier === 'premium' && found.status === 'pending' && !isAwaited(run)) return 'activate';
  if (found.status === 'inactive' && mustActivate) return 'reactivate';
  return 'set tier';
}

/** Somebody who had left confirms a consent themselves, unless they paid since. */
export const isAwaited = ({ mustConfirm, mustActivate }: Facts) => mustConfirm && !mustActivate;

/** Beehiiv may not find a new subscriber at once. */
const ABSENT_ATTEMPTS = 3;

/**
 * Decides how long a wish waits after the answer to its last request, or null if it is done. Pure.
 * A permanent failure is retried like a transient one, because a subscriber must get the tier they
 * pay for, and a removal was promised. A permanent failure ends only a check, a consent, and the
 * premium tier of an email that Beehiiv does not know, until the email is added again.
 */
export function decideDelay(
  { kind, attempts }: Pick<Facts, 'kind' | 'attempts'>,
  answer: Pick<NewsletterAnswer, 'class' | 'reason' | 'subscriber' | 'retryAfterMs'>,
  { backoffBaseMs, random }: { backoffBaseMs: number; random: () => number },
): number | null {
  const tries = attempts + 1;
  const isShown = kind !== 'unsubscribe' || answer.subscriber?.status === 'inactive';
  const isDone =
    (answer.class === 'accepted' && isShown) ||
    (answer.class === 'permanent' && (kind === 'check' || kind === 'consent')) ||
    (answer.reason === 'tier-not-subscribed' && tries >= ABSENT_ATTEMPTS);
  if (isDone) return null;
  switch (answer.class) {
    // Due at once when the pause ends.
    case 'configuration':
      return 0;
    case 'rate-limited':
      return answer.retryAfterMs ?? 0;
    default:
      return backoffMs(tries, backoffBaseMs, random());
  }
}
