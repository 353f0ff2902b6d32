import { randomUUID } from 'node:crypto';

import type { Database } from '@site/platform/database/connect';

type Given = Record<string, unknown>;
/** What a refund and a dispute name of their payment. */
export type Paid = {
  stripeSubscriptionId: string;
  stripeInvoiceId: string;
  stripeChargeId: string;
  currency: string;
};

/** The statuses of a subscription that was usually paid. */
const PAID = ['active', 'past_due', 'unpaid'];

/**
 * Stores a subscription as Stripe's events leave it. Unless `firstPaidAt` is given, a running one is
 * paid from its start. Returns its id at Stripe.
 */
export async function storeSubscription(
  db: Database,
  given: { stripeSubscriptionId?: string; status?: string; startedAt?: Date } & Given = {},
): Promise<string> {
  const { stripeSubscriptionId = `sub_${randomUUID().replaceAll('-', '')}` } = given;
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

/** Stores an invoice, by default a paid one over the monthly price. */
export async function storeInvoice(
  db: Database,
  given: { stripeSubscriptionId: string; id?: string; paidAt?: Date; currency?: string } & Given,
): Promise<Paid> {
  const { stripeSubscriptionId, id = `in_${randomUUID()}`, currency = 'gbp' } = given;
  await db('stripe_invoices').insert({
    id,
    status: 'paid',
    totalPence: 23_900,
    paidPence: given['totalPence'] ?? 23_900,
    attempts: 1,
    currency,
    issuedAt: given.paidAt ?? new Date(),
    snapshotAt: new Date(),
    ...given,
  });
  return { stripeSubscriptionId, stripeInvoiceId: id, stripeChargeId: `ch_${id}`, currency };
}

/** Stores a refund of a payment, by default a whole one that succeeded. */
export async function storeRefund(db: Database, paid: Paid, given: Given = {}): Promise<void> {
  await db('stripe_refunds').insert({
    id: `re_${randomUUID()}`,
    ...paid,
    amountPence: 23_900,
    status: 'succeeded',
    refundedAt: new Date(),
    snapshotAt: new Date(),
    ...given,
  });
}

/** Stores a dispute over a payment, by default an open one over all of it. */
export async function storeDispute(db: Database, paid: Paid, given: Given = {}): Promise<void> {
  await db('stripe_disputes').insert({
    id: `dp_${randomUUID()}`,
    ...paid,
    amountPence: 23_900,
    reason: 'fraudulent',
    status: 'needs_response',
    openedAt: new Date(),
    snapshotAt: new Date(),
    ...given,
  });
}

/** Stores a checkout, by default one that was just abandoned. */
export async function storeCheckout(db: Database, given: Given = {}): Promise<void> {
  await db('checkouts').insert({
    stripeCheckoutSessionId: `cs_${randomUUID()}`,
    state: 'abandoned',
    startedAt: new Date(),
    snapshotAt: new Date(),
    ...given,
  });
}
