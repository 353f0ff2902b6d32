import type { Database } from '@site/platform/database/connect';
import { randomUUID } from 'node:crypto';

/** The statuses of a subscription that was usually paid. */
const PAID = ['active', 'past_due', 'unpaid'];

/**
 * Stores a subscription as Stripe's events leave it. Unless `firstPaidAt` is given, a running one is
 * paid from its start. Returns its id at Stripe.
 */
export async function storeSubscription(
  db: Database,
  given: { status?: string; startedAt?: Date } & Record<string, unknown> = {},
): Promise<string> {
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
    ...(PAID.includes(given.status ?? 'active') && { firstPaidAt: given.startedAt ?? new Date() }),
    ...given,
  });
  return stripeSubscriptionId;
}
