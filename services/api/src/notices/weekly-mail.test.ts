import { storeLead } from '@site/testing/builders';
import { describe, expect } from 'vitest';
import { NOW, test } from '../testing/mail.fixture.ts';
import { storeInvoice, storeSubscription } from '@site/testing/money-builders';
import fc from 'fast-check';
import { renderMail } from '../mail/mail-body.ts';
import { lastMondayAtSeven, weekBefore, writeWeekly } from './weekly-mail.ts';
import type { Week, WeeklyFacts } from './weekly-mail.ts';

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
  for (const at of [paidAt, new Date('2026-07-12T22:59:59Z'), new Date('2026-07-19T23:00:00Z')])
    await storeInvoice(db, { stripeSubscriptionId, paidAt: at });
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
  await mail.turn();
  const before = weekly().length;
  mail.clock.moveTo(new Date('2026-07-20T06:00:00Z'));
  await Promise.all([mail.turn(), mail.turn()]);
  await mail.turn();

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

  await mail.turn();

  expect(server.mails).toEqual([]);
});

const london = (at: Date) =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Europe/London',
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).format(at);

describe('a Monday', () => {
  test('the last Monday at seven is right through every change of the clocks', () => {
    const moments = fc.date({
      min: new Date('2020-01-01'),
      max: new Date('2040-01-01'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(moments, (now) => {
        const monday = lastMondayAtSeven(now);

        expect(london(monday)).toBe('Mon 07:00:00');
        expect(monday.getTime()).toBeLessThanOrEqual(now.getTime());
        // A week with the end of summer time has 169 hours.
        expect(now.getTime() - monday.getTime()).toBeLessThan(169 * 3_600_000);
      }),
      { numRuns: 2_000 },
    );
  });

  test('a summary’s weeks end on the Sunday before it, in London', () => {
    const monday = lastMondayAtSeven(new Date('2026-04-01T12:00:00Z'));

    expect([weekBefore(monday), weekBefore(monday, 1)]).toEqual([
      { startDate: '2026-03-23', endDate: '2026-03-29' },
      { startDate: '2026-03-16', endDate: '2026-03-22' },
    ]);
  });
});

const AT = new Date('2025-12-14T09:00:00Z');
const WEEK: Week = {
  payments: 11,
  paidPence: 255_730,
  refunds: 1,
  refundedPence: 23_900,
  heldPence: 0,
  mrrPence: 1_267_895,
  onList: 6_262,
  newPayers: 4,
  endedPayers: 1,
  leftOut: [],
};
/** The week in the design. */
const FACTS: WeeklyFacts = {
  at: new Date('2025-12-15T07:00:00Z'),
  attention: {
    items: [
      {
        id: 'not-receiving sub_1',
        kind: 'not-receiving',
        tone: 'failed',
        title: 'Pays, but does not receive',
        text: 'Unsubscribed.',
        name: 'Jean-Baptiste Morel',
        email: 'jb.morel@repreneurs.example',
        amount: { pence: 20_315, currency: 'gbp' },
        since: AT,
        href: '/admin-leads?view=person&id=01a1f835-30a7-721b-8211-2f2aad860b16',
        action: 'What to do',
        other: null,
        review: null,
      },
      {
        id: 'disputes-open dp_1',
        kind: 'disputes-open',
        tone: 'pending',
        title: 'Dispute',
        text: 'The bank decides.',
        name: 'Ewan Kerr',
        email: 'e@k.example',
        amount: { pence: 23_900, currency: 'gbp' },
        since: AT,
        href: 'https://dashboard.stripe.com/disputes/dp_1',
        action: 'Open in Stripe',
        other: null,
        review: null,
      },
    ],
    count: 2,
  },
  week: WEEK,
  weekBefore: {
    ...WEEK,
    paidPence: 211_515,
    refunds: 0,
    refundedPence: 0,
    mrrPence: 1_199_780,
    onList: 6_104,
  },
  quarantined: 0,
  ahead: { trials: 5, renewals: 12, pence: 586_745 },
};

describe('the weekly summary', () => {
  const write = (facts: Partial<WeeklyFacts> = {}) =>
    renderMail(writeWeekly({ ...FACTS, ...facts }, 'https://site.example'));

  test('the weekly summary shows a dash for an unknown figure, and escapes names', () => {
    const { plain, html } = write({
      weekBefore: { ...FACTS.weekBefore, mrrPence: null, onList: null },
      attention: {
        ...FACTS.attention,
        items: [{ ...FACTS.attention.items[0]!, name: '<b onclick="x">Eve</b>' }],
      },
    });

    expect(plain).toContain('On the list: 6,262, –');
    expect(plain).toContain('MRR on Sunday: £12,678.95, –');
    expect(html).toContain('&lt;b onclick=&quot;x&quot;&gt;Eve&lt;/b&gt;');
  });
});
