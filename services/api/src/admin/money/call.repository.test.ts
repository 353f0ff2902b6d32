import { storeLead } from '@site/testing/builders';
import type { Database } from '@site/platform/database/connect';
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { test } from '../../testing/api.fixture.ts';
import type { Api } from '../../testing/api.fixture.ts';
import { storeCheckout as storeAny, storeSubscription } from '@site/testing/money-builders';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = Date.now();
const ago = (ms: number) => new Date(NOW - ms);

const storeCheckout = (db: Database, given: object) =>
  storeAny(db, { startedAt: ago(HOUR_MS), ...given });
const storeNotOpened = (db: Database, given: object) =>
  storeCheckout(db, {
    stripeCheckoutSessionId: null,
    state: 'not-opened',
    hindrance: 'stripe-away',
    ...given,
  });
const list = async (api: Pick<Api, 'call'>, headers: Record<string, string>) =>
  (await api.call('GET', '/api/admin/money/calls', { headers })).json.people;

test('whom to call today is listed with reason and worth, the newest first', async ({
  api,
  db,
}) => {
  const headers = await api.logIn();
  const lucy = await storeLead(db, {
    email: 'lucy@x.example',
    fullName: 'Lucy',
    phone: '+44 20 7946 0123',
  });
  await storeCheckout(db, { leadId: lucy.id, state: 'open', plan: 'annual', amountPence: 215_100 });
  await storeCheckout(db, { email: 'late@x.example', startedAt: ago(DAY_MS + HOUR_MS) });
  await storeCheckout(db, { email: 'paid@x.example' });
  await storeCheckout(db, { email: 'paid@x.example', state: 'complete' });
  // Neither email nor phone is known.
  await storeCheckout(db, {});
  const robot = await storeLead(db, {
    email: 'robot@x.example',
    beehiivStatus: 'failed',
    nextAttemptAt: null,
    quarantineReason: 'the hidden field was filled',
  });
  await storeCheckout(db, { leadId: robot.id, email: robot.email, state: 'open' });
  await storeCheckout(db, { leadId: robot.id, email: robot.email });
  await storeNotOpened(db, { email: 'hindered@x.example', startedAt: ago(3 * DAY_MS) });
  await storeNotOpened(db, { email: 'old@x.example', startedAt: ago(9 * DAY_MS) });
  await storeSubscription(db, {
    email: 'failed@x.example',
    status: 'past_due',
    startedAt: ago(0),
    paymentAttempts: 2,
    nextPaymentAttemptAt: new Date('2031-02-03T09:00:00Z'),
    phone: '020 7946 0456',
  });
  const reader = await storeLead(db, {
    email: 'reads@x.example',
    beehiivStatus: 'failed',
    nextAttemptAt: null,
  });
  await storeSubscription(db, { email: 'reads@x.example', startedAt: ago(2 * DAY_MS) });
  await storeSubscription(db, { email: null, status: 'past_due' });
  // The owner has paused its collection.
  const paused = {
    email: 'paused@x.example',
    status: 'past_due',
    isCollectionPaused: true,
  } as const;
  await storeSubscription(db, paused);

  const people = await list(api, headers);

  expect(people).toMatchObject([
    {
      kind: 'not-receiving',
      text: 'Pays, but does not receive: Could not be sent to Beehiiv',
      leadId: reader.id,
      email: 'reads@x.example',
      plan: 'monthly',
    },
    {
      kind: 'payment-failed',
      text: 'Payment failed. 2 attempts, next on Monday 3 February',
      email: 'failed@x.example',
      phone: '020 7946 0456',
      pence: 23_900,
    },
    {
      kind: 'unpaid',
      text: 'Opened a checkout, and has not paid',
      leadId: lucy.id,
      name: 'Lucy',
      email: 'lucy@x.example',
      phone: '+44 20 7946 0123',
      plan: 'annual',
      pence: 215_100,
      invoiceId: null,
    },
    { kind: 'hindered', text: 'Could not pay: Stripe did not answer', email: 'hindered@x.example' },
  ]);
  expect(people).toHaveLength(4);
});

test('somebody contacted leaves the list, unless the contact is older than the cause', async ({
  api,
  db,
}) => {
  const headers = await api.logIn();
  await storeCheckout(db, { email: 'open@x.example', state: 'open' });
  const failed = { status: 'past_due', startedAt: ago(0), nextPaymentAttemptAt: ago(-DAY_MS) };
  await storeSubscription(db, { email: 'failed@x.example', ...failed });
  const call = async (method: 'POST' | 'DELETE', id: string) =>
    (await api.call(method, `/api/admin/money/calls/${id}/contacted`, { headers })).status;
  const before: { id: string }[] = await list(api, headers);
  expect(before).toHaveLength(2);

  for (const { id } of before) expect(await call('POST', id)).toBe(204);
  expect(await list(api, headers)).toEqual([]);
  expect(await db('operator_actions').where({ action: 'contact' })).toHaveLength(2);

  for (const { id } of before) expect(await call('DELETE', id)).toBe(204);
  expect(await list(api, headers)).toEqual(before);

  await db('subscriptions').update({ contactedAt: ago(DAY_MS) });
  expect(await list(api, headers)).toHaveLength(2);
  await db('subscriptions').update({ email: null, erasedPayer: randomUUID() });
  const [payer] = await db('subscriptions').select('id');
  expect(await call('POST', payer.id)).toBe(404);
});

test('somebody who could not pay stays on the list if a robot posts their email', async ({
  api,
  db,
}) => {
  const headers = await api.logIn();
  const email = 'ana@x.example';
  const ana = await storeLead(db, { email, submittedAt: ago(2 * HOUR_MS) });
  await storeNotOpened(db, { email, startedAt: ago(HOUR_MS) });
  const robot = { beehiivStatus: 'failed', nextAttemptAt: null } as const;
  await storeLead(db, { email, ...robot, quarantineReason: 'the hidden field was filled' });

  expect(await list(api, headers)).toMatchObject([{ email, leadId: ana.id }]);
});
