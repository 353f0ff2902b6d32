import { storeDispute, storeRefund, storeSubscription } from '@site/testing/money-builders';
import { test } from '@site/testing/fixtures';
import { expect } from 'vitest';
import type { Database } from '../database/connect.ts';
import { countAttention, readStripeFailures } from './money-health.ts';

const read = async (db: Database) =>
  Object.fromEntries((await readStripeFailures(db)).map(({ failure, count }) => [failure, count]));
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute));
const event = (id: string, arrivedBy: string, minute: number) => ({
  id,
  type: 'invoice.paid',
  outcome: 'applied',
  arrivedBy,
  receivedAt: at(minute),
});

test('fetched events are counted since the last delivered one', async ({ db }) => {
  await db('stripe_events').insert([event('evt_1', 'listing', 1), event('evt_2', 'listing', 2)]);
  const before = await read(db);
  await db('stripe_events').insert([event('evt_3', 'delivery', 3), event('evt_4', 'replay', 4)]);
  const delivered = await read(db);
  await db('stripe_events').insert(event('evt_5', 'listing', 5));

  expect(before['stripe-events-undelivered']).toBe(2);
  expect(delivered['stripe-events-undelivered']).toBe(0);
  expect(
    (await readStripeFailures(db)).find(({ failure }) => failure === 'stripe-events-undelivered'),
  ).toEqual({
    failure: 'stripe-events-undelivered',
    count: 1,
    since: at(5),
    names: null,
  });
});

test('parked events and failed refunds count until they are reviewed', async ({ db }) => {
  const parked = { type: 'unreadable', outcome: 'parked' };
  await db('stripe_events').insert([
    { id: 'evt_1', ...parked },
    { id: 'evt_2', ...parked, reviewedAt: at(0) },
  ]);
  const subscription = { stripeSubscriptionId: 'sub_1', status: 'canceled', snapshotAt: at(0) };
  await storeSubscription(db, subscription);
  const paid = {
    stripeSubscriptionId: 'sub_1',
    stripeInvoiceId: 'in_1',
    stripeChargeId: 'ch_1',
    currency: 'gbp',
  };
  for (const [status, reviewedAt] of [['failed'], ['failed', at(0)], ['succeeded']])
    await storeRefund(db, paid, { status, reviewedAt, refundedAt: at(0) });
  for (const status of ['needs_response', 'under_review', 'appeal_needs_response'])
    await storeDispute(db, paid, { status, openedAt: at(0) });

  expect(await countAttention(db)).toMatchObject([
    { kind: 'disputes-open', count: 2, since: at(0) },
    { kind: 'refunds-failed', count: 1, since: at(0) },
    { kind: 'events-parked', count: 1 },
  ]);
});
