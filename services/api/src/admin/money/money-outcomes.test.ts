import { storeLead } from '@site/testing/builders';
import { expect } from 'vitest';
import { test } from '../../testing/api.fixture.ts';
import { storeSubscription } from '../../testing/subscription.fixture.ts';

const NOW = new Date('2026-07-15T12:00:00Z');
const at = (day: string) => new Date(`${day}T12:00:00Z`);

test('the outcomes need a session', async ({ api }) => {
  expect((await api.call('GET', '/api/admin/money/outcomes')).status).toBe(401);
});

test('the outcomes say why people cancelled in the period, and how many trials became payers', async ({
  api,
  db,
}) => {
  const headers = await api.logIn();
  api.clock.moveTo(NOW);
  const cancelled = async (day: string, cancellationFeedback: string | null, more: object) =>
    storeSubscription(db, {
      status: 'canceled',
      canceledAt: at(day),
      cancellationFeedback,
      ...more,
    });
  const paid = (endedAt: string) => ({ firstPaidAt: at('2026-05-01'), endedAt: at(endedAt) });
  for (const reason of ['too_expensive', 'too_expensive', null])
    await cancelled('2026-06-10', reason, paid('2026-07-10'));
  await cancelled('2026-06-30', 'unused', paid('2026-06-30'));
  await cancelled('2026-07-10', 'too_complex', { trialEndsAt: at('2026-07-17') });
  await cancelled('2026-06-30', 'unused', { trialEndsAt: at('2026-07-17') });
  const trial = (trialEndsAt: string, more: object = {}) =>
    storeSubscription(db, { trialEndsAt: at(trialEndsAt), ...more });
  await trial('2026-07-08', { firstPaidAt: at('2026-07-08') });
  await trial('2026-07-09', { status: 'canceled' });
  await trial('2026-07-20', { status: 'trialing' });
  await trial('2026-06-20', { firstPaidAt: at('2026-06-20') });

  const { json } = await api.call(
    'GET',
    '/api/admin/money/outcomes?startDate=2026-07-01&endDate=2026-07-31',
    {
      headers,
    },
  );

  expect(json).toMatchObject({
    reasons: [
      { reason: 'too_expensive', count: 2 },
      { reason: null, count: 1 },
    ],
    trialReasons: [{ reason: 'too_complex', count: 1 }],
    trials: { ended: 2, becamePayers: 1 },
  });
});

test('the figures tell failed cards that recovered from those that were lost or wait', async ({
  api,
  db,
}) => {
  const headers = await api.logIn();
  api.clock.moveTo(NOW);
  const invoice = async (id: string, subscription: object, given: object) => {
    const stripeSubscriptionId = await storeSubscription(db, {
      latestInvoiceId: id,
      ...subscription,
    });
    const due = { totalPence: 23_900, paidPence: 0, issuedAt: at('2026-07-05'), snapshotAt: NOW };
    await db('stripe_invoices').insert({
      id,
      stripeSubscriptionId,
      status: 'open',
      attempts: 1,
      currency: 'gbp',
      ...due,
      ...given,
    });
    return stripeSubscriptionId;
  };
  const paid = { status: 'paid', paidPence: 23_900, paidAt: at('2026-07-08') };
  await invoice('in_recovered', {}, { ...paid, attempts: 2 });
  await invoice('in_recovered_by_link', {}, { ...paid, firstFailedAt: at('2026-07-06') });
  await invoice('in_paid_at_once', {}, paid);
  await invoice(
    'in_lost',
    { status: 'canceled', endedAt: at('2026-07-12') },
    { status: 'void', attempts: 4 },
  );
  await invoice('in_left', { status: 'canceled', endedAt: at('2026-07-12') }, paid);
  const retry = { status: 'past_due', nextPaymentAttemptAt: at('2026-07-18') };
  await invoice('in_waiting', retry, { attempts: 2, remainingPence: 18_900, currency: 'gbp' });

  const { json } = await api.call('GET', '/api/admin/money/figures?startDate=2026-07-01', {
    headers,
  });

  expect(json.figures).toMatchObject({
    'cards-recovered': { count: 2, pence: 47_800 },
    'cards-lost': { count: 1, pence: 23_900 },
    'cards-waiting': { count: 1, pence: 18_900 },
  });
});

test('the outcomes add up money by the source of the visit, and by the button', async ({
  api,
  db,
}) => {
  const headers = await api.logIn();
  api.clock.moveTo(NOW);
  for (const visitUtmSource of ['partner', 'partner', null]) {
    const { id: leadId } = await storeLead(db, { utmSource: 'top_sub', visitUtmSource });
    const stripeSubscriptionId = await storeSubscription(db, { leadId });
    const paid = {
      totalPence: 23_900,
      paidPence: 23_900,
      issuedAt: NOW,
      paidAt: NOW,
      snapshotAt: NOW,
    };
    await db('stripe_invoices').insert({
      id: `in_${leadId}`,
      stripeSubscriptionId,
      status: 'paid',
      attempts: 1,
      currency: 'gbp',
      ...paid,
    });
  }

  const { json } = await api.call('GET', '/api/admin/money/outcomes', { headers });

  expect(json.channels).toEqual([
    { name: 'Partner', paidPence: 47_800, returnedPence: 0 },
    { name: 'Direct', paidPence: 23_900, returnedPence: 0 },
  ]);
  expect(json.buttons).toEqual([{ name: 'top_sub', paidPence: 71_700, returnedPence: 0 }]);
});
