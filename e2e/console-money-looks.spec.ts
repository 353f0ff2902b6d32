import { expect } from '@playwright/test';
import type { MoneyAnswer } from '@site/schema/calls/money';
import type { MoneyFiguresAnswer } from '@site/schema/calls/money-figures';

import { findBarriers } from './barriers.ts';
import { chooseInAccountMenu } from './console.ts';
import { takePictures } from './pictures.ts';
import { test } from './system.fixture.ts';

test('the money view shows every kind of item with long addresses and large sums in both themes', async ({
  operatorPage: page,
}) => {
  const leadId = crypto.randomUUID();
  const long = `friedrich-wilhelm.von.hohenlohe.schillingsfuerst@${'unternehmensbeteiligung'.repeat(3)}.example`;
  const short = 'priya@northgate.example';
  const at = '2025-12-03T09:31:00Z';
  const stripeSubscriptionId = 'sub_1RbSmnFKkTFGkoUparCnBX';
  const checkout = { id: 'cs_1', leadId, email: long, startedAt: at, recoveryUrl: null, recoveryEndsAt: null };
  const figures = {
    subscriptions: 12_345,
    paidPence: 295_045_500,
    lostPence: 0,
    returnedPence: 1_234_500,
    monthlyPence: 239_095_600,
  };
  const money: MoneyAnswer = {
    stages: { trial: 12, paying: 10_000, ending: 3, dunning: 4, suspended: 0, ended: 2_341, incomplete: 1 },
    payers: { [stripeSubscriptionId]: { email: long, name: long, pricePence: 215_100, plan: 'annual' } },
    notReceiving: [],
    unsettled: [],
    changedAddresses: [],
    parkedEvents: [
      { id: 'evt_1', type: 'invoice.paid', fault: 'unexpected shape: lines.data: too big', receivedAt: at },
      { id: `unreadable_${'0f'.repeat(32)}`, type: 'unreadable', fault: 'Error: no event', receivedAt: at },
    ],
    payerMismatches: [{ stripeSubscriptionId, leadId, leadEmail: long, payerEmail: short, foundAt: at }],
    secondLive: [{ stripeSubscriptionId, email: short, leadId, since: at }],
    failedRefunds: [],
    events: { lastAt: '2026-01-01T09:00:00.000Z', undelivered: 0 },
    openDisputes: [
      {
        id: 'dp_1RbSmnFKkTFGkoUparCnBX',
        stripeSubscriptionId,
        email: long,
        leadId: null,
        amountPence: 215_100,
        currency: 'gbp',
        refundedPence: 10_000,
        reason: 'product_not_received',
        status: 'needs_response',
        openedAt: at,
        evidenceDueAt: '2025-12-10T23:59:00Z',
      },
    ],
    abandoned: {
      total: 10_000,
      isCapped: true,
      checkouts: [checkout, { ...checkout, id: 'cs_2', leadId: null, email: null, recoveryEndsAt: at }],
    },
    tiersWaiting: 2,
    dashboardUrl: 'https://dashboard.stripe.com/test',
  };
  const some: MoneyFiguresAnswer = {
    paused: { count: 0, pence: 0 },
    mrr: { count: 10_004, pence: 239_095_600 },
    trialsEnding: { count: 12, pence: 286_800 },
    expected: { count: 9_876, pence: 236_036_400 },
    paid: { count: 24_690, pence: 590_091_000 },
    churned: { count: 41, pence: 979_900 },
    payers: { atStart: 10_040, joined: 312 },
    refunded: { count: 17, pence: 406_300 },
    vat: { pence: 98_348_500, unknown: 12 },
    leftOut: { currencies: [{ currency: 'usd', paidPence: 4_900, refundedPence: 0 }], subscriptions: 1 },
    revenue: [
      { source: 'bottom_sub', campaign: 'urgency_subscription_of_the_spring_newsletter_partner', ...figures },
      { source: null, campaign: null, ...figures, paidPence: 0 },
    ],
  };
  await page.route('**/api/admin/money', (route) => route.fulfill({ json: money }));
  await page.route('**/api/admin/money/figures*', (route) => route.fulfill({ json: some }));
  const access = { leadId: null, grantedBy: 'admin', grantedAt: at, until: '2030-12-31T23:59:59.999Z' };
  await page.route('**/api/admin/people/complimentary', (route) =>
    route.fulfill({
      json: {
        access: [
          { ...access, email: long, isOver: false },
          { ...access, email: short, isOver: true },
        ],
      },
    }),
  );
  await page.goto('/admin-leads?view=money');

  await expect(page.getByRole('region', { name: 'Disputes' })).toContainText('Product not received: evidence was due');
  await expect(page.getByRole('row', { name: /^Total/ })).toContainText('£24,690.00');
  expect(await findBarriers(page)).toEqual([]);
  await takePictures(page, 'console-money');
  await chooseInAccountMenu(page, 'Dark theme');
  expect(await findBarriers(page)).toEqual([]);
});
