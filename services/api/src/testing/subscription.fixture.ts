import type { Database } from '@site/platform/database/connect';
import { randomUUID } from 'node:crypto';

/**
 * Stores a subscription as Stripe's events leave it, and refreshes its payer. Returns its id at
 * Stripe.
 */
export async function storeSubscription(db: Database, given: object = {}): Promise<string> {
  const stripeSubscriptionId = `sub_${randomUUID().replaceAll('-', '')}`;
  await db('subscriptions').insert({
    id: randomUUID(),
    email: 'priya@acquirers.example',
    stripeSubscriptionId,
    stripeCustomerId: 'cus_1',
    status: 'active',
    plan: 'monthly',
    amountPence: 23_900,
    snapshotAt: new Date(),
    ...given,
  });
  await db.raw(
    `select refresh_person(email_normalised) from subscriptions
     where stripe_subscription_id = ? and email is not null`,
    [stripeSubscriptionId],
  );
  return stripeSubscriptionId;
}
