import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type Stripe from 'stripe';
import { isStripeError } from '../stripe/stripe-failure.ts';
import type { LeftMs } from './deadline.ts';

const MOST_ATTEMPTS = 4;
const CALL_TIMEOUT_MS = 4_000;
const IN_USE_PAUSE_MS = 150;
/** A visitor who comes back needs at least this long to pay. */
const LEAST_LIFETIME_MS = 30 * 60_000;

/** Whose session it is: the same caller with the same parameters gets the same one. */
export type SessionRequest = { params: Stripe.Checkout.SessionCreateParams; caller: string };

/** What is left of the deadline bounds every call. */
export function callOptions(leftMs: LeftMs): Stripe.RequestOptions {
  return { timeout: Math.max(1, Math.min(CALL_TIMEOUT_MS, leftMs())) };
}

/**
 * Opens a checkout and returns its address; a double click gets the same one, on whichever process it
 * lands. The key is over all parameters, so two different orders never share one. A key that leads to a
 * checkout which is over (or to a failure that Stripe keeps repeating) is followed by the next key in line.
 */
export async function openSession(
  stripe: Stripe,
  { params, caller }: SessionRequest,
  leftMs: LeftMs,
): Promise<string | null> {
  for (let attempt = 1; attempt <= MOST_ATTEMPTS && leftMs() > 0;) {
    const digest = createHash('sha256')
      .update(JSON.stringify([params, caller, attempt]))
      .digest('hex');
    try {
      const options = { ...callOptions(leftMs), idempotencyKey: `checkout-${digest}` };
      const made = await stripe.checkout.sessions.create(params, options);
      // A repeated answer shows the session as it was when it was made.
      const isRepeated = made.lastResponse.headers['idempotent-replayed'] === 'true';
      const session = isRepeated ? await stripe.checkout.sessions.retrieve(made.id, {}, callOptions(leftMs)) : made;
      if (session.url !== null && isOpen(session, isRepeated)) return session.url;
    } catch (error) {
      if (isBeingAnswered(error)) {
        await delay(IN_USE_PAUSE_MS);
        continue;
      }
      if (!isRepeatedFailure(error)) throw error;
    }
    attempt += 1;
  }
  return null;
}

function isOpen({ status, expires_at: expiresAt }: Stripe.Checkout.Session, isRepeated: boolean): boolean {
  return status === 'open' && (!isRepeated || expiresAt * 1_000 - Date.now() > LEAST_LIFETIME_MS);
}

/** The first of two clicks is still under way with this key. */
function isBeingAnswered(error: unknown): boolean {
  return isStripeError(error) && error.code === 'idempotency_key_in_use';
}

function isRepeatedFailure(error: unknown): boolean {
  return isStripeError(error) && error.headers?.['idempotent-replayed'] === 'true';
}
