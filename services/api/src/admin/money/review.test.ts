import { judgeDue, storeLead, storePerson } from '@site/testing/builders';
import type { Database } from '@site/platform/database/connect';
import { expect } from 'vitest';
import { test as base } from '../../testing/api.fixture.ts';
import { listMatters } from '../../testing/attention.fixture.ts';
import {
  storeDispute,
  storeInvoice,
  storeRefund,
  storeSubscription,
} from '@site/testing/money-builders';

const NOW = new Date();
const TOMORROW = new Date(NOW.getTime() + 86_400_000);

const storePayment = (
  db: Database,
  stripeSubscriptionId: string,
  id: string,
  refundedPence = 0,
  issuedAt = NOW,
) => storeInvoice(db, { id: `in_${id}`, stripeSubscriptionId, refundedPence, issuedAt });

const test = base.extend('money', async ({ api }) => {
  const headers = await api.logIn();
  return {
    list: async () =>
      (await listMatters(api, headers)).map(
        ({ review, text }) => [review?.id, text.split('.')[0]] as const,
      ),
    review: async (id: string, kind = 'subscriptions') =>
      (await api.call('POST', `/api/admin/money/${kind}/${id}/review`, { headers })).status,
    undo: async (id: string) =>
      (await api.call('DELETE', `/api/admin/money/subscriptions/${id}/review`, { headers })).status,
  };
});

/** Each payer receives the newsletter, so that only the subscription can need attention. */
let people = 0;
async function storePayer(db: Database, given: object = {}): Promise<string> {
  people += 1;
  const email = `payer${people}@reader.example`;
  const learned = { statusSince: new Date(0), learnedAt: NOW };
  await storePerson(db, {
    emailNormalised: email,
    status: 'active',
    ...learned,
    tier: 'premium',
    tierConfirmedVersion: 1,
  });
  return storeSubscription(db, { email, ...given });
}

test('a lost dispute or full refund of a running subscription needs a review', async ({
  db,
  money,
}) => {
  const [lost, refunded, inPart] = [
    await storePayer(db),
    await storePayer(db),
    await storePayer(db),
  ];
  await storeDispute(db, await storePayment(db, lost, 'lost'), { status: 'lost' });
  await storePayment(db, refunded, 'whole', 23_900);
  await storePayment(db, inPart, 'part', 23_899);
  const before = await money.list();

  const statuses = [await money.review(lost), await money.review(lost), await money.review(inPart)];

  expect(new Map(before)).toEqual(
    new Map([
      [lost, 'A dispute was lost'],
      [refunded, 'The latest payment was refunded'],
    ]),
  );
  expect(statuses).toEqual([204, 204, 404]);
  expect(await money.list()).toEqual([[refunded, 'The latest payment was refunded']]);
  expect(await db('operator_actions').where({ action: 'review-subscription' })).toMatchObject([
    { subject: lost },
  ]);
  await storePayment(db, lost, 'again', 23_900);
  expect(await money.list()).toContainEqual([lost, 'The latest payment was refunded']);
});

test('a fully refunded subscription needs attention since the refund', async ({ api, db }) => {
  const refundedAt = new Date(NOW.getTime() - 60_000);
  const payer = await storePayer(db);
  const paid = await storePayment(db, payer, 'whole', 23_900);
  await db('stripe_invoices').update({ paidAt: new Date(0) });
  await storeRefund(db, paid, { refundedAt });

  expect(await listMatters(api, await api.logIn())).toMatchObject([
    { kind: 'unsettled', since: refundedAt.toISOString() },
  ]);
});

test('a full refund of an older payment needs no attention while a later one is paid', async ({
  db,
  money,
}) => {
  const id = await storePayer(db);
  await storePayment(db, id, 'older', 23_900, new Date(0));
  await storePayment(db, id, 'latest');
  // Nothing was paid for the next period.
  await storeInvoice(db, {
    stripeSubscriptionId: id,
    issuedAt: new Date(NOW.getTime() + 1),
    status: 'open',
    paidPence: 0,
    attempts: 0,
  });
  const before = [await money.list(), await money.review(id)];

  await db('stripe_invoices').where({ id: 'in_latest' }).update({ refundedPence: 23_900 });

  expect(before).toEqual([[], 404]);
  expect(await money.list()).toEqual([[id, 'The latest payment was refunded']]);
});

test('a subscription without retries left needs a review for each unpaid invoice', async ({
  db,
  money,
}) => {
  const unpaid = await storePayer(db, { status: 'unpaid', latestInvoiceId: 'in_2' });
  const late = await storePayer(db, { status: 'past_due', latestInvoiceId: 'in_9' });
  await storePayer(db, { status: 'past_due', nextPaymentAttemptAt: NOW });
  await storePayer(db, { status: 'past_due', isCollectionPaused: true });
  const open = {
    stripeSubscriptionId: unpaid,
    status: 'open',
    totalPence: 1,
    paidPence: 0,
    attempts: 4,
  };
  await storeInvoice(db, { id: 'in_1', issuedAt: new Date(0), ...open });
  const before = await money.list();

  await money.review(unpaid);
  // Another unpaid period is no news.
  await storeInvoice(db, { id: 'in_2', issuedAt: NOW, ...open });

  expect(new Map(before)).toEqual(
    new Map([
      [unpaid, 'Stripe will not try to charge again'],
      [late, 'Stripe will not try to charge again'],
    ]),
  );
  expect(await money.list()).toEqual([[late, 'Stripe will not try to charge again']]);
  await db('stripe_invoices').where({ id: 'in_1' }).update({ status: 'paid' });
  expect(await money.list()).toContainEqual([unpaid, 'Stripe will not try to charge again']);
});

test('an undone review brings back what it covered, and no earlier review', async ({
  db,
  money,
}) => {
  const id = await storePayer(db);
  const paid = await storePayment(db, id, 'lost', 0, new Date(0));
  await storeDispute(db, paid, { status: 'lost' });
  await money.review(id);
  await storePayment(db, id, 'refunded', 23_900);
  await money.review(id);
  expect(await money.list()).toEqual([]);

  expect([await money.undo(id), await money.undo(id)]).toEqual([204, 204]);

  expect(await money.list()).toEqual([[id, 'The latest payment was refunded']]);
  await storePayment(db, id, 'later', 0, new Date(NOW.getTime() + 1));
  expect(await money.list()).toEqual([]);
});

test.for(['an unsubscribed payer', 'a difference at Beehiiv'])(
  'a review of %s ends once the payer receives again',
  async (cause, { db, money }) => {
    const id = await storePayer(db);
    const { email, emailNormalised } = await db('subscriptions').first();
    await storeLead(db, { email, beehiivStatus: 'sent', nextAttemptAt: null });
    // The comparison is newer than the payer's tier.
    await db('tasks').where({ name: 'comparison' }).update({ coversUntil: TOMORROW });
    const become = (status: string) =>
      db('people').where({ emailNormalised }).update({ status, learnedAt: NOW });
    const lose = async () => {
      if (cause === 'an unsubscribed payer') await become('inactive');
      else await db('differences').insert({ kind: 'pays-not-active', emailNormalised });
      await judgeDue(db);
    };
    await become('active');
    await lose();
    expect(await money.list()).toHaveLength(1);
    expect(await money.review(id, 'not-receiving')).toBe(204);
    expect(await money.list()).toEqual([]);

    await become('active');
    await db('differences').delete();
    await judgeDue(db);
    await lose();

    expect(await money.list()).toHaveLength(1);
  },
);

test('a running subscription is settled once it is cancelled, now or for a date', async ({
  db,
  money,
}) => {
  const ids = [
    await storePayer(db, { status: 'canceled' }),
    await storePayer(db, { cancelAt: new Date(Date.now() + 86_400_000) }),
    await storePayer(db, { status: 'past_due', cancelAt: new Date(Date.now() + 86_400_000) }),
  ];
  for (const [n, id] of ids.entries()) await storePayment(db, id, String(n), 23_900);

  expect(await money.list()).toEqual([]);
});
