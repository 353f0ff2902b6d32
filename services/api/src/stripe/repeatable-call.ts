import { setTimeout as delay } from 'node:timers/promises';
import type Stripe from 'stripe';
import { isStripeError } from './stripe-failure.ts';

/** The key under which Stripe's metadata names an operator's request. */
export const OPERATOR_REQUEST = 'operator_request';

/**
 * The number of idempotency keys to try. A click during an outage uses up two, and a visitor may
 * click repeatedly.
 */
const MAX_KEYS = 24;
const PAUSE_MS = 150;

export type RepeatableCall<T> = {
  /** Returns the idempotency key in a place of the series, from 1. */
  toKey: (place: number) => string;
  /** Returns null for an answer of no use, such as an ended checkout. */
  call: (options: Stripe.RequestOptions) => Promise<T | null>;
  /** Looks for what a call has made although Stripe recorded its failure. */
  find?: () => Promise<T | null>;
  /** Repeats a transient failure once. */
  repeats?: boolean;
  leftMs: () => number;
};

/**
 * Makes a call that writes, once for its series of keys, from any process. Waits while an earlier
 * call uses a key. If a key has a recorded failure, which Stripe repeats for a day, or other
 * parameters, tries the next key. The SDK's own retries are off, because they would only get the
 * recorded failure again. Returns null if the time or the keys are up.
 */
export async function callUnderKeys<T>({
  toKey,
  call,
  find = () => Promise.resolve(null),
  repeats = false,
  leftMs,
}: RepeatableCall<T>): Promise<T | null> {
  let mayRepeat = repeats;
  for (let place = 1; place <= MAX_KEYS && leftMs() > 0;) {
    try {
      const answer = await call({ idempotencyKey: toKey(place), maxNetworkRetries: 0 });
      if (answer !== null) return answer;
      place += 1;
    } catch (error) {
      if (isUsedUp(error)) {
        const earlier = await find();
        if (earlier !== null) return earlier;
        place += 1;
        continue;
      }
      if (!isBeingAnswered(error)) {
        if (!mayRepeat || !mayPass(error)) throw error;
        mayRepeat = false;
      }
      await delay(PAUSE_MS);
    }
  }
  return null;
}

/** Returns true if Stripe did not answer, or answered with its own failure or a conflict. */
function mayPass(error: unknown): boolean {
  if (!isStripeError(error)) return false;
  const { statusCode } = error;
  return statusCode === undefined || statusCode === 409 || statusCode >= 500;
}

/** Returns true if an earlier call is still using this key. */
function isBeingAnswered(error: unknown): boolean {
  return isStripeError(error) && error.code === 'idempotency_key_in_use';
}

/** Returns true if the key has a recorded failure, or belongs to a call with other parameters. */
function isUsedUp(error: unknown): boolean {
  return (
    isStripeError(error) &&
    (error.headers?.['idempotent-replayed'] === 'true' ||
      (error.statusCode === 400 && error.rawType === 'idempotency_error'))
  );
}
