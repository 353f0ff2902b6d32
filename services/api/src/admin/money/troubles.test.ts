import type { Database } from '@site/platform/database/connect';
import { expect } from 'vitest';
import { test } from '../../testing/api.fixture.ts';
import { storeSubscription } from '../../testing/subscription.fixture.ts';

const NOW = new Date('2026-07-15T12:00:00Z');
const at = (text: string) => new Date(text);
const READ = { snapshotAt: NOW };
const JULY = 'startDate=2026-07-01&endDate=2026-07-31';

async function storePayment(
  db: Database,
  stripeSubscriptionId: string,
  id: string,
  given: object = {},
) {
  const paid = {
    status: 'paid',
    totalPence: 23_900,
    paidPence: 23_900,
    paidAt: at('2026-06-09T09:00:00Z'),
  };
  const invoice = {
    id: `in_${id}`,
    stripeSubscriptionId,
    attempts: 1,
    currency: 'gbp',
    issuedAt: at('2026-06-09T09:00:00Z'),
    ...READ,
  };
  await db('stripe_invoices').insert({ ...invoice, ...paid, ...given });
}

/** What a refund or a dispute of a stored payment names. */
const paidBy = (stripeSubscriptionId: string, id: string = stripeSubscriptionId) => ({
  stripeSubscriptionId,
  stripeInvoiceId: `in_${id}`,
  stripeChargeId: `ch_${id}`,
});

test('the list of troubles needs a session', async ({ api }) => {
  expect((await api.call('GET', '/api/admin/money/troubles')).status).toBe(401);
});

test('troubles are listed by person: disputes by deadline, refunds to review, failed payments, then what needs nothing', async ({
  api,
  db,
}) => {
  const headers = await api.logIn();
  api.clock.moveTo(NOW);
  const payer = (email: string, given: object = {}) =>
    storeSubscription(db, { email, name: email, ...given });
  const [ewan, isla] = [await payer('ewan@x.example'), await payer('isla@x.example')];
  const second = await payer('ewan@x.example', { status: 'canceled' });
  const retry = {
    status: 'past_due',
    latestInvoiceId: 'in_tom',
    nextPaymentAttemptAt: at('2026-07-18T09:00:00Z'),
  };
  const tom = await payer('tom@x.example', { ...retry, paymentUrl: 'https://invoice.example/tom' });
  await storePayment(db, ewan, 'ewan', { number: 'LL-0001' });
  await storePayment(db, second, 'ewan2', { currency: 'usd' });
  await storePayment(db, isla, 'isla');
  const [soon, answered] = [await payer('soon@x.example'), await payer('answered@x.example')];
  const [refunded, bounced] = [await payer('refunded@x.example'), await payer('bounced@x.example')];
  await Promise.all([soon, answered, bounced].map((id) => storePayment(db, id, id)));
  await storePayment(db, refunded, refunded, { refundedPence: 23_900 });
  // What balance credit leaves of it.
  await storePayment(db, tom, 'tom', {
    status: 'open',
    paidPence: 0,
    paidAt: null,
    remainingPence: 18_900,
  });
  const dispute = {
    amountPence: 23_900,
    currency: 'gbp',
    reason: 'fraudulent',
    status: 'needs_response',
    ...READ,
  };
  await db('stripe_disputes').insert([
    // Open, so that it is listed in every period that is not over.
    {
      ...dispute,
      id: 'dp_1',
      ...paidBy(ewan, 'ewan'),
      openedAt: at('2026-06-10'),
      evidenceDueAt: at('2026-07-29'),
    },
    {
      ...dispute,
      id: 'dp_2',
      ...paidBy(second, 'ewan2'),
      currency: 'usd',
      openedAt: at('2026-07-09'),
    },
    {
      ...dispute,
      id: 'dp_soon',
      ...paidBy(soon),
      openedAt: at('2026-05-01'),
      evidenceDueAt: at('2026-07-17'),
    },
    {
      ...dispute,
      id: 'dp_answered',
      ...paidBy(answered),
      openedAt: at('2026-07-10'),
      evidenceDueAt: at('2026-07-01'),
      status: 'under_review',
    },
    {
      ...dispute,
      id: 'dp_old',
      ...paidBy(isla, 'isla'),
      openedAt: at('2026-06-09'),
      status: 'won',
    },
  ]);
  const refund = {
    ...paidBy(isla, 'isla'),
    amountPence: 900,
    currency: 'gbp',
    status: 'succeeded',
    ...READ,
  };
  await db('stripe_refunds').insert([
    { ...refund, id: 're_1', refundedAt: at('2026-07-11') },
    { ...refund, id: 're_soon', ...paidBy(soon), refundedAt: at('2026-07-01') },
    {
      ...refund,
      id: 're_full',
      ...paidBy(refunded),
      amountPence: 23_900,
      refundedAt: at('2026-07-03'),
    },
    // Open until it is reviewed.
    {
      ...refund,
      id: 're_failed',
      ...paidBy(bounced),
      refundedAt: at('2026-06-02'),
      status: 'failed',
    },
    { ...refund, id: 're_old', refundedAt: at('2026-06-11') },
    { ...refund, id: 're_cancelled', refundedAt: at('2026-07-11'), status: 'canceled' },
  ]);
  await db('operator_actions').insert({
    operator: 'ana',
    action: 'refund',
    subject: isla,
    detail: JSON.stringify({ refund: 're_1' }),
  });

  const { json } = await api.call('GET', `/api/admin/money/troubles?${JULY}`, { headers });

  expect(json).toMatchObject({
    isCapped: false,
    people: [
      {
        stripeSubscriptionId: soon,
        troubles: [
          { kind: 'refund', id: 're_soon' },
          { kind: 'dispute', id: 'dp_soon' },
        ],
      },
      {
        email: 'ewan@x.example',
        troubles: [
          { kind: 'dispute', id: 'dp_2', currency: 'usd', isOpen: true },
          {
            id: 'dp_1',
            invoice: 'LL-0001',
            reason: 'fraudulent',
            dueAt: '2026-07-29T00:00:00.000Z',
          },
        ],
      },
      { stripeSubscriptionId: answered, troubles: [{ id: 'dp_answered', status: 'under_review' }] },
      {
        stripeSubscriptionId: bounced,
        troubles: [{ id: 're_failed', status: 'failed', isOpen: true }],
      },
      { stripeSubscriptionId: refunded, troubles: [{ id: 're_full', isOpen: false }] },
      {
        stripeSubscriptionId: tom,
        troubles: [
          {
            kind: 'failed',
            pence: 18_900,
            isOpen: true,
            dueAt: '2026-07-18T09:00:00.000Z',
            paymentUrl: 'https://invoice.example/tom',
          },
        ],
      },
      {
        name: 'isla@x.example',
        troubles: [{ kind: 'refund', id: 're_1', pence: 900, operator: 'ana', isOpen: false }],
      },
    ],
  });
  expect(json.people.map(({ troubles }: { troubles: unknown[] }) => troubles.length)).toEqual([
    2, 2, 1, 1, 1, 1, 1,
  ]);
  type Listed = { people: { troubles: { id: string }[] }[] };
  const ofMay = await api.call(
    'GET',
    '/api/admin/money/troubles?startDate=2026-05-01&endDate=2026-05-31',
    { headers },
  );
  const ids = (ofMay.json as Listed).people.flatMap(({ troubles }) => troubles.map(({ id }) => id));
  expect(ids, 'a period that is over has its own alone').toEqual(['dp_soon']);
});
