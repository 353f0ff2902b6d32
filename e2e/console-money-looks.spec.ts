import { expect } from '@playwright/test';
import type { MoneyAnswer } from '@site/schema/calls/money';
import { MONEY_FIGURE_NAMES } from '@site/schema/calls/money-figures';
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
  const money: MoneyAnswer = {
    stages: {
      trial: 12,
      paying: 10_000,
      ending: 3,
      dunning: 4,
      suspended: 0,
      ended: 2_341,
      incomplete: 1,
    },
    payers: {
      [stripeSubscriptionId]: { email: long, name: long, pricePence: 215_100, plan: 'annual' },
    },
    notReceiving: [],
    unsettled: [],
    changedAddresses: [],
    faults: [],
    parkedEvents: [
      {
        id: 'evt_1',
        type: 'invoice.paid',
        fault: 'unexpected shape: lines.data: too big',
        receivedAt: at,
      },
      {
        id: `unreadable_${'0f'.repeat(32)}`,
        type: 'unreadable',
        fault: 'Error: no event',
        receivedAt: at,
      },
    ],
    payerMismatches: [
      { stripeSubscriptionId, leadId, leadEmail: long, payerEmail: short, foundAt: at },
    ],
    secondLive: [{ stripeSubscriptionId, email: short, leadId, since: at }],
    failedRefunds: [],
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
    prices: [
      { plan: 'monthly', price: 23_900, count: 9_004, pence: 215_195_600 },
      { plan: 'annual', price: 215_100, count: 1_000, pence: 17_925_000 },
    ],
    mrr: { count: 10_004, pence: 233_120_600 },
    dashboardUrl: 'https://dashboard.stripe.com/test',
  };
  const figure = { count: 24_690, pence: 590_091_000 };
  const figures = Object.fromEntries(MONEY_FIGURE_NAMES.map((of) => [of, figure]));
  const some: MoneyFiguresAnswer = {
    figures: figures as MoneyFiguresAnswer['figures'],
    heldPence: 215_100,
    vat: { pence: 98_348_500, unknown: 12 },
    leftOut: {
      currencies: [{ currency: 'usd', paidPence: 4_900, refundedPence: 0 }],
      subscriptions: 1,
    },
  };
  const trouble = {
    at,
    pence: 215_100,
    currency: 'gbp',
    paidAt: at,
    invoice: 'LL-0231',
    reason: 'product_not_received',
    status: 'needs_response',
    isOpen: true,
    dueAt: at,
    endsAt: null,
    paymentUrl: 'https://invoice.example/1',
    operator: null,
  };
  const troubles = {
    isCapped: true,
    people: [
      {
        stripeSubscriptionId,
        email: long,
        name: null,
        leadId,
        troubles: [
          { ...trouble, kind: 'dispute', id: 'dp_1' },
          { ...trouble, kind: 'failed', id: 'in_1', currency: 'usd' },
          { ...trouble, kind: 'refund', id: 're_1', status: 'succeeded', isOpen: false },
        ],
      },
    ],
  };
  const checkout = {
    id: 'cs_1',
    leadId,
    email: long,
    name: 'Lucy Mackenzie',
    startedAt: at,
    before: [at],
    plan: 'annual',
    pence: 215_100,
    channel: 'Partner letter',
    agreedAt: at,
    recoveryUrl: 'https://stripe.example/r/1',
    recoveryEndsAt: '2030-01-15T09:31:00Z',
    contactedAt: null,
  };
  const abandoned = {
    isCapped: true,
    people: [
      checkout,
      {
        ...checkout,
        id: 'cs_2',
        email: null,
        name: null,
        leadId: null,
        agreedAt: null,
        contactedAt: at,
      },
    ],
  };
  await page.route('**/api/admin/money', (route) => route.fulfill({ json: money }));
  await page.route('**/api/admin/money/figures*', (route) => route.fulfill({ json: some }));
  await page.route('**/api/admin/money/troubles*', (route) => route.fulfill({ json: troubles }));
  await page.route('**/api/admin/checkouts/abandoned*', (route) =>
    route.fulfill({ json: abandoned }),
  );
  const access = {
    leadId: null,
    grantedBy: 'admin',
    grantedAt: at,
    until: '2030-12-31T23:59:59.999Z',
  };
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

  await expect(page.getByRole('region', { name: 'Disputes' })).toContainText(
    '“product not received”. Answer by',
  );
  await expect(page.getByRole('row', { name: /^Total/ })).toContainText('£2,331,206.00');
  for (const target of await page.getByRole('main').getByRole('table').getByRole('link').all())
    expect((await target.boundingBox())?.height).toBeGreaterThanOrEqual(24);
  await page.getByRole('button', { name: /^Email text/ }).click();
  expect(await findBarriers(page)).toEqual([]);
  await takePictures(page, 'console-money');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByText('What you can do', { exact: true })).toBeHidden();
  await page.emulateMedia({ media: null });
  await page.setViewportSize({ width: 360, height: 800 });
  const large = await page.addStyleTag({ content: ':root { font-size: 200% }' });
  const dragged = await page
    .getByRole('table')
    .evaluateAll((tables) =>
      tables
        .filter(({ parentElement: box }) => box && box.scrollWidth > box.clientWidth)
        .map((table) => table.getAttribute('aria-label')),
    );
  expect(dragged, 'with text of 200 %').toEqual([]);
  await large.evaluate((style) => style.parentElement?.removeChild(style));
  await page.setViewportSize({ width: 1440, height: 900 });
  await chooseInAccountMenu(page, 'Dark theme');
  expect(await findBarriers(page)).toEqual([]);
});
