import type { Database } from '@site/platform/database/connect';
import type Stripe from 'stripe';
import type { CompleteCheckout } from '../stripe/checkout-reading.ts';
import { isStripeRefusal } from '../stripe/stripe-failure.ts';
import { findPayer } from '../payers/payer-lead.repository.ts';
import { deleteOpenCheckout, listOpenCheckouts } from './checkout.repository.ts';

/**
 * Expires the other open checkouts of an email that has just paid: each could start a second
 * subscription with a second trial. Throws if Stripe is unreachable.
 */
export async function expireOtherCheckouts(
  { db, stripe }: { db: Database; stripe: Stripe },
  { id, createdAt: startedAt, ...checkout }: CompleteCheckout,
): Promise<void> {
  const { email } = await findPayer(db, { ...checkout, startedAt });
  if (email === null) return;
  for (const other of await listOpenCheckouts(db, email)) {
    if (other === id) continue;
    try {
      // An event follows, which stores the checkout's end.
      await stripe.checkout.sessions.expire(other);
    } catch (error) {
      if (!isStripeRefusal(error)) throw error;
      // Stripe has ended it already.
      await deleteOpenCheckout(db, other);
    }
  }
}
