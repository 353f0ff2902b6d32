import { storeLead } from '@site/testing/builders';
import { expect } from 'vitest';
import { NOW, test } from '../testing/mail.fixture.ts';
import { storeSubscription } from '../testing/subscription.fixture.ts';

test('the weekly summary is sent once, from Monday 07:00 in London', async ({
  db,
  mail,
  server,
}) => {
  const { id: leadId } = await storeLead(db, {
    email: 'priya@acquirers.example',
    beehiivStatus: 'sent',
    beehiivSentAt: NOW,
    nextAttemptAt: null,
  });
  const paidAt = new Date('2026-07-16T09:00:00Z');
  const stripeSubscriptionId = await storeSubscription(db, {
    leadId,
    status: 'canceled',
    firstPaidAt: paidAt,
    endedAt: new Date('2026-07-19T22:59:59Z'),
  });
  await storeSubscription(db, {
    email: 'trial@acquirers.example',
    status: 'trialing',
    trialEndsAt: new Date('2026-07-22T09:00:00Z'),
  });
  const invoice = {
    stripeSubscriptionId,
    status: 'paid',
    totalPence: 23_900,
    paidPence: 23_900,
    attempts: 1,
    currency: 'gbp',
  };
  const times = { issuedAt: paidAt, snapshotAt: NOW };
  await db('stripe_invoices').insert([
    { id: 'in_week', ...invoice, ...times, paidAt },
    { id: 'in_before', ...invoice, ...times, paidAt: new Date('2026-07-12T22:59:59Z') },
    { id: 'in_after', ...invoice, ...times, paidAt: new Date('2026-07-19T23:00:00Z') },
  ]);
  await db('money_nights').insert([
    { day: '2026-07-12', mrrPence: 0, payers: 0, onList: 4 },
    { day: '2026-07-16', mrrPence: 23_900, payers: 1, onList: 4 },
    { day: '2026-07-19', mrrPence: 0, payers: 0, onList: 5 },
  ]);
  const moved = { stripeSubscriptionId, pence: 23_900 };
  await db('closed_moves').insert([
    { ...moved, day: '2026-07-16', list: 'new-payers', at: paidAt },
    { ...moved, day: '2026-07-19', list: 'ended-payers', at: new Date('2026-07-19T22:59:59Z') },
  ]);
  const held = { beehiivStatus: 'failed', quarantineReason: 'fast', nextAttemptAt: null } as const;
  for (let n = 0; n < 2; n += 1) await storeLead(db, held);
  const weekly = () => server.mails.filter(({ subject }) => subject.includes(' in'));
  const refused = {
    beehiivStatus: 'failed',
    beehiivReason: 'email-invalid',
    nextAttemptAt: null,
  } as const;
  await storeLead(db, { ...refused, email: 'old@x.example' });
  mail.clock.moveTo(new Date('2026-07-20T05:59:59Z'));
  await mail.again();
  const before = weekly().length;
  mail.clock.moveTo(new Date('2026-07-20T06:00:00Z'));
  await Promise.all([mail.again(), mail.again()]);
  await mail.again();

  expect(before).toBe(0);
  expect(weekly()).toHaveLength(1);
  expect(weekly()[0]!.subject).toBe('13 to 19 July: £239.00 in, 1 needs attention');
  for (const words of [
    'Needs attention (1)\n- Failed leads. Priya Raman. 1 could not be sent, and none of them pays.',
    'Money in: £239.00, £239.00\n  1 payment, £239.00',
    'New payers: 1, 0',
    'Payers who left: 1, 0',
    'MRR on Sunday: £0.00, £0.00',
    'On the list: 5, 4',
    '1 trial ends, 0 renewals: £239.00 if every trial stays',
    'Quarantine (2)\n- 2 leads look automated, so they were not sent. Send or delete them.\n  https://site.example/admin-leads?status=quarantined',
  ]) {
    expect(weekly()[0]!.plain).toContain(words);
  }
});

test('the weekly summary is not sent late: on Tuesday it is left out', async ({ mail, server }) => {
  mail.clock.moveTo(new Date('2026-07-21T06:00:01Z'));

  await mail.again();

  expect(server.mails).toEqual([]);
});
