import { test } from '@site/testing/fixtures';
import { storeLead } from '@site/testing/builders';
import type { Database } from '@site/platform/database/connect';
import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { readRevenueBySource } from './revenue.repository.ts';

type Sale = { leadId: string | null; status?: string; paid: number[]; refunded?: number; disputed?: number };

async function storeSale(db: Database, { leadId, status = 'active', paid, refunded = 0, disputed = 0 }: Sale) {
  const snapshotAt = new Date();
  const stripeSubscriptionId = `sub_${randomUUID()}`;
  await db('subscriptions').insert({
    id: randomUUID(),
    email: 'priya@acquirers.example',
    leadId,
    stripeSubscriptionId,
    stripeCustomerId: 'cus_1',
    status,
    plan: 'monthly',
    amountPence: 23_900,
    snapshotAt,
  });
  for (const [index, paidPence] of paid.entries()) {
    const id = `in_${randomUUID()}`;
    await db('stripe_invoices').insert({
      id,
      stripeSubscriptionId,
      status: 'paid',
      totalPence: paidPence,
      paidPence,
      attempts: 1,
      issuedAt: snapshotAt,
      snapshotAt,
    });
    if (index > 0) continue;
    const charge = { id: `ch_${id}`, stripeInvoiceId: id, amountPence: paidPence, snapshotAt };
    await db('stripe_charges').insert({ ...charge, refundedPence: refunded });
    for (const dispute of ['lost', 'won']) {
      if (disputed === 0) continue;
      await db('stripe_disputes').insert({
        id: `dp_${dispute}_${id}`,
        stripeChargeId: charge.id,
        amountPence: disputed,
        reason: 'fraudulent',
        status: dispute,
        openedAt: snapshotAt,
        snapshotAt,
      });
    }
  }
}

describe('revenue by source', () => {
  test('sums payments less refunds by button and campaign, largest first', async ({ db }) => {
    const hero = await storeLead(db, { utmSource: 'top_sub', visitUtmCampaign: 'spring' });
    const nav = await storeLead(db, { utmSource: 'nav_sub' });
    await storeSale(db, { leadId: nav.id, paid: [23_900], refunded: 3_900 });
    await storeSale(db, { leadId: hero.id, paid: [0, 23_900, 23_900] });
    await storeSale(db, { leadId: hero.id, paid: [23_900], disputed: 23_900, status: 'canceled' });
    await storeSale(db, { leadId: null, paid: [] });

    expect(await readRevenueBySource(db)).toEqual([
      { source: 'top_sub', campaign: 'spring', subscriptions: 2, live: 1, paidPence: 71_700, returnedPence: 23_900 },
      { source: 'nav_sub', campaign: null, subscriptions: 1, live: 1, paidPence: 23_900, returnedPence: 3_900 },
      { source: null, campaign: null, subscriptions: 1, live: 1, paidPence: 0, returnedPence: 0 },
    ]);
  });
});
