import { test as base } from '@site/local-infra/testing/fixtures';
import { systemClock } from '@site/platform/clock';
import { createLogger } from '@site/platform/logger';
import { describe, expect } from 'vitest';
import { v7 as newId } from 'uuid';
import { captureLead } from '../leads/lead.service.ts';
import type { InvoiceSnapshot } from './invoice-reading.ts';
import type { SubscriptionSnapshot } from './stripe-reading.ts';
import { readDatabaseClock } from './subscription.repository.ts';
import { applyCheckout, applyMoney } from './subscription.service.ts';

const test = base.extend('deps', ({ db }) => ({
  db,
  clock: systemClock,
  newId,
  captureLead,
  log: createLogger({ service: 'api', level: 'silent' }),
  syncQueue: { wake: () => Promise.reject(new Error('Redis is away')) },
}));

const buildSnapshot = (given: Partial<SubscriptionSnapshot>): SubscriptionSnapshot => ({
  stripeSubscriptionId: 'sub_1',
  stripeCustomerId: 'cus_1',
  customerEmail: 'priya@acquirers.example',
  leadReference: null,
  status: 'active',
  plan: 'monthly',
  coupon: null,
  amountPence: 23_900,
  startedAt: new Date(),
  trialEndsAt: null,
  periodEndsAt: new Date(),
  cancelAt: null,
  priceId: 'price_1',
  canceledAt: null,
  endedAt: null,
  cancellationFeedback: null,
  isCollectionPaused: false,
  latestInvoice: null,
  readAt: '2026-01-01T00:00:00Z',
  ...given,
});
const DISPUTE = {
  id: 'dp_1',
  amountPence: 23_900,
  reason: 'fraudulent',
  status: 'needs_response',
  evidenceDueAt: null,
  openedAt: new Date(),
};
const buildInvoice = (given: Partial<InvoiceSnapshot>): InvoiceSnapshot => ({
  id: 'in_1',
  status: 'paid',
  billingReason: 'subscription_cycle',
  number: null,
  totalPence: 23_900,
  paidPence: 23_900,
  attempts: 1,
  nextAttemptAt: null,
  hostedUrl: null,
  pdfUrl: null,
  issuedAt: new Date(),
  paidAt: null,
  ...given,
});
const buildCheckout = (subscription: SubscriptionSnapshot, id = 'cs_1') => ({
  id,
  state: 'complete' as const,
  createdAt: new Date(),
  email: 'priya@acquirers.example',
  name: 'Priya Raman',
  phone: null,
  leadReference: null,
  paidTodayPence: 0,
  readAt: subscription.readAt,
  subscription,
});

describe('applyMoney', () => {
  test('never lets an older reading overwrite a newer one, to the microsecond', async ({ deps, db }) => {
    const newer = buildSnapshot({ status: 'canceled', readAt: '2026-01-01T00:00:00.000002Z' });
    const older = buildSnapshot({ status: 'active', readAt: '2026-01-01T00:00:00.000001Z' });

    await applyMoney(deps, { subscription: newer });
    await applyMoney(deps, { subscription: older });
    const afterOlder = await db('subscriptions').first();
    await applyMoney(deps, { subscription: { ...older, readAt: '2026-01-01T00:00:00.000003Z' } });

    expect(afterOlder).toMatchObject({ status: 'canceled' });
    expect(await db('subscriptions')).toMatchObject([{ id: afterOlder.id, status: 'active' }]);
  });

  test('keeps whose subscription it is when the customer’s address changes', async ({ deps, db }) => {
    await applyMoney(deps, { subscription: buildSnapshot({}) });
    const subscription = buildSnapshot({ customerEmail: 'other@acquirers.example', readAt: '2026-02-01T00:00:00Z' });
    await applyMoney(deps, { subscription });

    expect(await db('subscriptions')).toMatchObject([{ email: 'priya@acquirers.example' }]);
  });

  test('ends with a customer who was deleted, and so has no address any more', async ({ deps, db }) => {
    await applyMoney(deps, { subscription: buildSnapshot({}) });

    const gone = { customerEmail: null, status: 'canceled', readAt: '2026-02-01T00:00:00Z' };
    await applyMoney(deps, { subscription: buildSnapshot(gone) });

    expect(await db('subscriptions')).toMatchObject([{ email: 'priya@acquirers.example', stage: 'ended' }]);
    expect(await db('reader_tiers')).toMatchObject([{ wanted: 'free' }]);
  });

  test('keeps the newest reading of an invoice, a charge and a dispute as well', async ({ deps, db }) => {
    const read = (readAt: string, status: string, pence: number) => ({
      subscription: buildSnapshot({ readAt }),
      invoice: buildInvoice({ status, paidPence: pence }),
      charge: { id: 'ch_1', amountPence: 23_900, refundedPence: pence },
      dispute: { ...DISPUTE, status },
    });

    await applyMoney(deps, read('2026-01-01T00:00:00Z', 'first', 0));
    await applyMoney(deps, read('2026-01-03T00:00:00Z', 'last', 500));
    await applyMoney(deps, read('2026-01-02T00:00:00Z', 'late', 0));

    expect(await db('stripe_invoices')).toMatchObject([{ status: 'last', paidPence: 500 }]);
    expect(await db('stripe_charges')).toMatchObject([{ refundedPence: 500 }]);
    expect(await db('stripe_disputes')).toMatchObject([{ status: 'last' }]);
  });

  test('takes two readings of a new subscription at once', async ({ deps, db }) => {
    const readings = Array.from({ length: 8 }, (_, n) =>
      buildSnapshot({ amountPence: n, readAt: `2026-01-01T00:00:0${n}Z` }),
    );

    await Promise.all(readings.map((subscription) => applyMoney(deps, { subscription })));

    expect(await db('subscriptions')).toMatchObject([{ amountPence: 7 }]);
  });

  test('does nothing behind a closed gate', async ({ deps, db }) => {
    await applyMoney(deps, { subscription: buildSnapshot({}) }, () => Promise.resolve(false));

    expect(await db('subscriptions')).toEqual([]);
  });
});

describe('applyCheckout', () => {
  test('gives the subscription to the address that paid, also when the customer’s has changed since', async ({
    deps,
    db,
  }) => {
    const subscription = buildSnapshot({ customerEmail: 'new@acquirers.example' });
    await applyMoney(deps, { subscription });

    await applyCheckout(deps, buildCheckout(subscription));

    expect(await db('subscriptions')).toMatchObject([{ email: 'priya@acquirers.example' }]);
    expect(await db('reader_tiers').orderBy('emailNormalised')).toMatchObject([
      { emailNormalised: 'new@acquirers.example', wanted: 'free' },
      { emailNormalised: 'priya@acquirers.example', wanted: 'premium' },
    ]);
  });

  test('links the checkout even when its reading is the older one', async ({ deps, db }) => {
    await applyMoney(deps, { subscription: buildSnapshot({ status: 'canceled', readAt: '2026-02-01T00:00:00Z' }) });

    await applyCheckout(deps, buildCheckout(buildSnapshot({ status: 'active' })));

    expect(await db('subscriptions')).toMatchObject([
      { status: 'canceled', stripeCheckoutSessionId: 'cs_1', name: 'Priya Raman', leadId: expect.any(String) },
    ]);
  });

  test('makes one lead of a payer without one, however many times and whoever asks', async ({ deps, db }) => {
    const checkout = buildCheckout(buildSnapshot({ readAt: await readDatabaseClock(db) }));

    await Promise.all([1, 2, 3].map(() => applyCheckout(deps, checkout)));
    await applyCheckout(deps, checkout);

    expect(await db('leads')).toMatchObject([
      { email: 'priya@acquirers.example', formType: 'pre_buy', consentMarketing: false, beehiivStatus: 'pending' },
    ]);
  });
});
