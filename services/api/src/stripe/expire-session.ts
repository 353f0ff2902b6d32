import type Stripe from 'stripe';
import { isStripeRefusal } from './stripe-failure.ts';

/** Ends a checkout at Stripe. Returns false if it has already ended. */
export async function expireSession(stripe: Stripe, id: string): Promise<boolean> {
  try {
    await stripe.checkout.sessions.expire(id);
    return true;
  } catch (error) {
    if (!isStripeRefusal(error)) throw error;
    return false;
  }
}
