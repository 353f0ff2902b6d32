import { test as base } from '@site/local-infra/testing/fixtures';
import { systemClock } from '@site/platform/clock';
import { createLogger } from '@site/platform/logger';
import { describe, expect } from 'vitest';
import { v7 as newId } from 'uuid';
import { captureLead } from '../leads/lead.service.ts';
import type { SubscriptionSnapshot } from './stripe-reading.ts';
import { readDatabaseClock } from './subscription.repository.ts';
import { applyCheckout, applySubscription } from './subscription.service.ts';

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
  readAt: '2026-01-01T00:00:00Z',
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
  subscription,
});

describe('applySubscription', () => {
  test('never lets an older reading overwrite a newer one, to the microsecond', async ({ deps, db }) => {
    const newer = buildSnapshot({ status: 'canceled', readAt: '2026-01-01T00:00:00.000002Z' });
    const older = buildSnapshot({ status: 'active', readAt: '2026-01-01T00:00:00.000001Z' });

    await applySubscription(deps, newer);
    await applySubscription(deps, older);
    const afterOlder = await db('subscriptions').first();
    await applySubscription(deps, { ...older, readAt: '2026-01-01T00:00:00.000003Z' });

    expect(afterOlder).toMatchObject({ status: 'canceled' });
    expect(await db('subscriptions')).toMatchObject([{ id: afterOlder.id, status: 'active' }]);
  });

  test('keeps whose subscription it is when the customer’s address changes', async ({ deps, db }) => {
    await applySubscription(deps, buildSnapshot({}));
    await applySubscription(
      deps,
      buildSnapshot({ customerEmail: 'other@acquirers.example', readAt: '2026-02-01T00:00:00Z' }),
    );

    expect(await db('subscriptions')).toMatchObject([{ email: 'priya@acquirers.example' }]);
  });

  test('takes two readings of a new subscription at once', async ({ deps, db }) => {
    const readings = Array.from({ length: 8 }, (_, n) =>
      buildSnapshot({ amountPence: n, readAt: `2026-01-01T00:00:0${n}Z` }),
    );

    await Promise.all(readings.map((reading) => applySubscription(deps, reading)));

    expect(await db('subscriptions')).toMatchObject([{ amountPence: 7 }]);
  });

  test('does nothing behind a closed gate', async ({ deps, db }) => {
    await applySubscription(deps, buildSnapshot({}), () => Promise.resolve(false));

    expect(await db('subscriptions')).toEqual([]);
  });
});

describe('applyCheckout', () => {
  test('links the checkout even when its reading is the older one', async ({ deps, db }) => {
    await applySubscription(deps, buildSnapshot({ status: 'canceled', readAt: '2026-02-01T00:00:00Z' }));

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
