import {
  storeCheckout,
  storeDispute,
  storeInvoice,
  storeRefund,
  storeSubscription,
} from '@site/testing/money-builders';
import { storeAttempt, storeLead, storePerson, storeSubscriber } from '@site/testing/builders';
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { test } from '../../testing/api.fixture.ts';

test('a lead’s history holds forms, payments, tiers and operators’ actions', async ({
  operator,
  db,
}) => {
  const at = (minute: number) => new Date(Date.UTC(2026, 6, 1, 12, minute));
  const after = (seconds: number) => new Date(at(10).getTime() + seconds * 1_000);
  const email = 'ada@reader.example';
  const lead = await storeLead(db, {
    email,
    submittedAt: at(1),
    beehiivStatus: 'failed',
    nextAttemptAt: null,
  });
  const other = await storeLead(db, {
    email: 'ADA@reader.example',
    formType: 'pre_sample',
    submittedAt: at(0),
  });
  await storeLead(db);
  await storeCheckout(db, { leadId: lead.id, email, state: 'complete', startedAt: at(2) });
  const stripeSubscriptionId = await storeSubscription(db, {
    stripeSubscriptionId: 'sub_1',
    email,
    leadId: lead.id,
    status: 'canceled',
    startedAt: at(3),
    canceledAt: at(5),
    endedAt: at(6),
  });
  const paid = await storeInvoice(db, {
    id: 'in_1',
    stripeSubscriptionId,
    refundedPence: 900,
    issuedAt: at(4),
    paidAt: at(5),
  });
  await storeInvoice(db, {
    id: 'in_2',
    stripeSubscriptionId,
    status: 'open',
    paidPence: 0,
    issuedAt: after(-1),
  });
  await storeAttempt(db, {
    leadId: other.id,
    kind: 'tier',
    startedAt: at(7),
    class: 'accepted',
    message: 'Beehiiv confirmed the free list',
  });
  const refund = { amountPence: 900, refundedAt: at(8) };
  await storeRefund(db, paid, { id: 're_1', ...refund });
  await storeRefund(db, paid, { id: 're_by_ana', ...refund, amountPence: 700 });
  await storeRefund(db, paid, { id: 're_failed', ...refund, amountPence: 500, status: 'failed' });
  await storeDispute(db, paid, { id: 'dp_1', status: 'lost', openedAt: at(9) });
  const until = '2036-12-31T23:59:59.999Z';
  const acted = { operator: 'ana', subject: 'sub_1' };
  await db('operator_actions').insert([
    { ...acted, at: at(10), action: 'refund', detail: { refund: 're_by_ana', pence: 700 } },
    { ...acted, at: after(0.5), action: 'refund', detail: { refund: 're_failed', pence: 500 } },
    { ...acted, at: after(1), action: 'cancel-subscription', detail: { when: 'now' } },
    {
      ...acted,
      at: after(2),
      action: 'cancel-subscription',
      detail: { when: 'period-end' },
    },
    { ...acted, at: after(3), action: 'free-access', subject: lead.id, detail: { until } },
  ]);
  await storePerson(db, {
    emailNormalised: email,
    freeUntil: new Date(until),
    freeGrantedBy: 'ana',
    freeGrantedAt: new Date(),
  });
  const bulkRetryId = randomUUID();
  await db('bulk_retries').insert({
    id: bulkRetryId,
    operator: 'ana',
    filter: {},
    createdAt: at(11),
    finishedAt: at(11),
  });
  await db('bulk_retry_leads').insert({ bulkRetryId, leadId: lead.id });
  await operator.post('leads/retry', { ids: [lead.id] });

  const { json } = await operator.get(`leads/${lead.id}`);

  expect(json.history).toMatchObject([
    { at: at(0).toISOString(), kind: 'form', subject: other.id, detail: 'pre_sample' },
    { at: at(1).toISOString(), kind: 'form', subject: lead.id, detail: 'pre_buy' },
    { at: at(2).toISOString(), kind: 'checkout', detail: 'opened' },
    { at: at(3).toISOString(), kind: 'checkout', detail: 'complete' },
    { at: at(3).toISOString(), kind: 'subscribed', detail: '', amountPence: null },
    {
      at: at(5).toISOString(),
      kind: 'invoice',
      subject: 'in_1',
      detail: 'paid',
      amountPence: 23_900,
    },
    { at: at(5).toISOString(), kind: 'cancelled' },
    { at: at(7).toISOString(), kind: 'tier', detail: 'Beehiiv confirmed the free list' },
    {
      at: at(8).toISOString(),
      kind: 'refund',
      subject: 're_1',
      detail: 'succeeded',
      amountPence: 900,
    },
    {
      at: at(8).toISOString(),
      kind: 'refund',
      subject: 're_failed',
      detail: 'failed',
      amountPence: 500,
    },
    {
      at: at(9).toISOString(),
      kind: 'dispute',
      subject: 'dp_1',
      detail: 'lost',
      amountPence: 23_900,
    },
    { kind: 'invoice', subject: 'in_2', detail: 'failed' },
    {
      at: at(10).toISOString(),
      kind: 'action',
      detail: 'refund',
      operator: 'ana',
      amountPence: 700,
      until: null,
    },
    { kind: 'action', detail: 'refund', amountPence: 500 },
    { kind: 'action', detail: 'cancel-now', amountPence: null },
    // At Stripe the subscription had ended before.
    { kind: 'ended' },
    { kind: 'action', subject: null, detail: 'cancel-subscription' },
    { kind: 'action', detail: 'free-access', until },
    { at: at(11).toISOString(), kind: 'action', detail: 'bulk-retry', operator: 'ana' },
    { kind: 'action', detail: 'retry', operator: 'j.holt' },
  ]);
  expect(json.freeAccess).toEqual({
    until,
    isOver: false,
    withSubscription: null,
    paidBy: null,
    grantedBy: 'ana',
    name: null,
    reason: null,
  });
  expect(json.subscriptions).toMatchObject([
    { stripeSubscriptionId: 'sub_1', invoices: [{ refundedPence: 0 }, { refundedPence: 900 }] },
  ]);
});

test('a lead’s history has the outages in which it only waited, and no others', async ({
  operator,
  db,
}) => {
  const at = (minute: number) => new Date(Date.UTC(2026, 6, 1, 12, minute));
  const sent = { beehiivStatus: 'sent', beehiivSentAt: at(9), nextAttemptAt: null } as const;
  const { id } = await storeLead(db, { submittedAt: at(5), ...sent });
  const outage = (
    kind: 'paused' | 'outage' | 'stripe-unavailable',
    since: number,
    until: number,
  ) => ({
    kind,
    since: at(since),
    until: at(until),
    waited: 1,
  });
  await db('outages').insert([
    outage('paused', 1, 4),
    outage('outage', 3, 6),
    outage('paused', 7, 8),
    outage('stripe-unavailable', 6, 7),
    outage('outage', 10, 12),
  ]);
  const tried = await storeLead(db, { submittedAt: at(5), ...sent });
  await storeAttempt(db, { leadId: tried.id, class: 'transient', startedAt: at(5) });
  const refused = await storeLead(db, {
    submittedAt: at(5),
    beehiivStatus: 'failed',
    nextAttemptAt: null,
  });
  await storeAttempt(db, { leadId: refused.id, class: 'permanent', startedAt: at(5) });
  // The outage that the lead waited for stays, even after another try.
  const again = await storeLead(db, { submittedAt: at(5), ...sent, syncRound: 2 });
  await storeAttempt(db, { leadId: again.id, class: 'permanent', startedAt: at(9) });
  await storeAttempt(db, { leadId: again.id, class: 'accepted', startedAt: at(13), round: 2 });

  const { json } = await operator.get(`leads/${id}`);
  const ofAgain = await operator.get(`leads/${again.id}`);
  const ofRefused = await operator.get(`leads/${refused.id}`);
  const ofTried = await operator.get(`leads/${tried.id}`);

  const paused = { at: at(7).toISOString(), kind: 'outage', detail: 'paused' };
  const isOutage = ({ kind }: { kind: string }) => kind === 'outage';
  expect(json.history.filter(isOutage)).toMatchObject([
    { at: at(5).toISOString(), kind: 'outage', detail: 'outage' },
    paused,
  ]);
  expect(ofAgain.json.history.filter(isOutage)).toMatchObject([{ detail: 'outage' }, paused]);
  expect(ofTried.json.history.filter(isOutage)).toMatchObject([paused]);
  expect(ofRefused.json.history.filter(isOutage)).toEqual([]);
});

test('a refusal is final in the last attempt of its round, unless the lead waits', async ({
  operator,
  db,
}) => {
  const failed = { beehiivStatus: 'failed', syncRound: 2, nextAttemptAt: null } as const;
  const lead = await storeLead(db, failed);
  const rounds = [1, 1, 2, 2];
  for (const [n, round] of rounds.entries())
    await storeAttempt(db, {
      leadId: lead.id,
      round,
      number: n + 1,
      class: 'permanent',
      message: `Answer ${n}`,
      startedAt: new Date(Date.UTC(2026, 6, 1, 12, n)),
    });
  const read = async () => {
    const { json } = await operator.get(`leads/${lead.id}`);
    const attempts = json.history.filter(({ kind }: { kind: string }) => kind === 'attempt');
    return attempts.map(({ outcome }: { outcome: string }) => outcome);
  };

  expect(await read()).toEqual(['permanent', 'final', 'permanent', 'final']);
  await db('leads').where({ id: lead.id }).update({
    beehiivStatus: 'pending',
    syncRound: 3,
    nextAttemptAt: new Date(),
  });
  expect(await read()).toEqual(['permanent', 'final', 'permanent', 'permanent']);
});

test('a checkout is in the history of its email as soon as it is open', async ({
  operator,
  db,
}) => {
  const lead = await storeLead(db, { email: 'Ada@x.example' });
  const open = { state: 'open', email: 'ada@x.example' };
  await storeCheckout(db, open);
  await storeCheckout(db, { ...open, isPaymentLink: true });
  await storeCheckout(db, { ...open, email: 'sam@x.example' });

  const { json } = await operator.get(`leads/${lead.id}`);

  expect(json.history).toMatchObject([{ kind: 'form' }, { kind: 'checkout', detail: 'opened' }]);
  expect(json.checkouts).toEqual([]);
});

test('a lead’s history has later statuses at Beehiiv, not an attempt’s answer', async ({
  operator,
  db,
}) => {
  const lead = await storeLead(db, { beehiivStatus: 'sent', nextAttemptAt: null });
  const startedAt = new Date(Date.now() - 600_000);
  await storeAttempt(db, {
    leadId: lead.id,
    class: 'accepted',
    startedAt,
    tookMs: 900,
    message: 'Beehiiv accepted it and confirmed the email',
  });
  await storeSubscriber(db, lead, { statusSince: new Date(startedAt.getTime() + 1_000) });
  const statuses = async () => {
    const { json } = await operator.get(`leads/${lead.id}`);
    return json.history.filter(({ kind }: { kind: string }) => kind === 'status');
  };

  expect(await statuses()).toEqual([]);
  await db('people').whereNotNull('status').update({ status: 'inactive' });
  expect(await statuses()).toMatchObject([{ detail: 'inactive' }]);
  await db('people').whereNotNull('status').update({ status: 'active' });
  const statusSince = new Date(startedAt.getTime() + 60_000);
  await db('people').whereNotNull('status').update({ statusSince });
  expect(await statuses()).toMatchObject([{ at: statusSince.toISOString(), detail: 'active' }]);
});
