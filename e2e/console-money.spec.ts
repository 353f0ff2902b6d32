import { createHmac } from 'node:crypto';

import { expect } from '@playwright/test';
import type { APIRequestContext, Page } from '@playwright/test';
import type { MoneyAnswer } from '@site/schema/money';
import { SANDBOX_CREDENTIALS } from '@site/schema/sandbox-credentials';

import { findBarriers } from './barriers.ts';
import { postLead, rowOf, untilLive } from './console.ts';
import { takePictures } from './pictures.ts';
import { onStripe, payAndArrive } from './stripe-page.ts';
import { test } from './system.fixture.ts';
import { newVisitor } from './visitor.ts';
import type { Visitor } from './visitor.ts';

// A system of its own: Stripe's clock is moved here, and never goes back.
test.use({ settings: { SUPPORT_EMAIL: 'money@liquidationledger.example' } });
test.describe.configure({ timeout: 60_000 });

const money = (page: Page) => page.getByRole('link', { name: /^Money/ });

/** Opens a checkout as the subscribe dialog does, and goes to Stripe's page. */
async function openCheckout(page: Page, { email, leadId }: { email: string; leadId?: string }): Promise<void> {
  const answer = await page.request.post('/api/checkout/session', { data: { email, leadId } });
  expect(answer.status(), await answer.text()).toBe(200);
  const { url } = (await answer.json()) as { url: string };
  await page.goto(url);
  await onStripe(page);
}

/** Delivers an event as Stripe does. */
async function deliver(request: APIRequestContext, event: object): Promise<void> {
  const data = JSON.stringify(event);
  const at = Math.floor(Date.now() / 1_000);
  const signature = createHmac('sha256', SANDBOX_CREDENTIALS.stripeWebhookSecret).update(`${at}.${data}`).digest('hex');
  const headers = { 'Stripe-Signature': `t=${at},v1=${signature}`, 'Content-Type': 'application/json' };
  const answer = await request.post('/api/stripe/webhook', { data, headers });
  expect(answer.status(), await answer.text()).toBe(200);
}

async function storeLead(request: APIRequestContext, visitor: Visitor, id: (email: string) => Promise<string>) {
  await postLead(request, visitor, { utmSource: 'top_sub' });
  return id(visitor.email);
}

test('an empty console says that nobody subscribed and nothing waits', async ({ operatorPage: page }) => {
  await page.goto('/admin-leads?view=money');

  await expect(page.getByText('Nothing needs attention.')).toBeVisible();
  await expect(page.getByText('No subscriptions yet.')).toBeVisible();
  await expect(page.getByText('No abandoned checkouts.')).toBeVisible();
  await expect(money(page)).toHaveText('Money');
});

test('every kind of thing to look at has its place, with long addresses and large sums, light and dark', async ({
  operatorPage: page,
}) => {
  const leadId = crypto.randomUUID();
  const long = `friedrich-wilhelm.von.hohenlohe.schillingsfuerst@${'unternehmensbeteiligung'.repeat(3)}.example`;
  const short = 'priya@northgate.example';
  const at = '2025-12-03T09:31:00Z';
  const stripeSubscriptionId = 'sub_1RbSmnFKkTFGkoUparCnBX';
  const checkout = { id: 'cs_1', leadId, email: long, startedAt: at, recoveryUrl: null, recoveryEndsAt: null };
  const figures = { subscriptions: 12_345, live: 10_000, paidPence: 295_045_500, returnedPence: 1_234_500 };
  const money: MoneyAnswer = {
    stages: { trial: 12, paying: 10_000, ending: 3, dunning: 4, suspended: 0, ended: 2_341, incomplete: 1 },
    parkedEvents: [
      { id: 'evt_1', type: 'invoice.paid', fault: 'unexpected shape: lines.data: too big', receivedAt: at },
      { id: `unreadable_${'0f'.repeat(32)}`, type: 'unreadable', fault: 'Error: no event', receivedAt: at },
    ],
    payerMismatches: [{ stripeSubscriptionId, leadId, leadEmail: long, payerEmail: short, foundAt: at }],
    secondLive: [{ stripeSubscriptionId, email: short, leadId, since: at }],
    openDisputes: [
      {
        id: 'dp_1RbSmnFKkTFGkoUparCnBX',
        stripeSubscriptionId,
        email: long,
        leadId: null,
        amountPence: 215_100,
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
    revenue: [
      { source: 'bottom_sub', campaign: 'urgency_subscription_of_the_spring_newsletter_partner', ...figures },
      { source: null, campaign: null, ...figures, paidPence: 0 },
    ],
  };
  await page.route('**/api/admin/money', (route) => route.fulfill({ json: money }));
  await page.goto('/admin-leads?view=money');

  await expect(page.getByRole('region', { name: 'Disputes' })).toContainText('Product not received: evidence was due');
  await expect(page.getByRole('row', { name: /^Total/ })).toContainText('£24,690.00');
  expect(await findBarriers(page)).toEqual([]);
  await takePictures(page, 'console-money');
  await page.getByRole('button', { name: 'Dark theme' }).click();
  expect(await findBarriers(page)).toEqual([]);
});

test('a call that fails is told in words, and can be made again', async ({ operatorPage: page, faults }) => {
  faults.expect(/^answer 500: GET \/api\/admin\/money/);
  faults.expect(/^console error: Could not load \/api\/admin\/money/);
  await page.route('**/api/admin/money', (route) => route.fulfill({ status: 500, body: 'no' }), { times: 1 });
  await page.goto('/admin-leads?view=money');
  await expect(page.getByRole('alert')).toContainText('The server answered 500.');

  await page.getByRole('button', { name: 'Try again' }).click();

  await expect(page.getByText('Nothing needs attention.')).toBeVisible();
});

test('a payer with another address and an event put aside wait to be looked at', async ({
  page: visitorPage,
  operator,
  operatorPage: page,
  request,
}) => {
  const visitor = newVisitor();
  const payer = newVisitor().email;
  const idOf = async (email: string) => (await operator.leadsOf(email))[0]?.id ?? '';
  const leadId = await storeLead(request, visitor, idOf);
  await openCheckout(visitorPage, { email: payer, leadId });
  await payAndArrive(visitorPage);
  const event = {
    id: 'evt_of_another_shape',
    type: 'customer.subscription.updated',
    livemode: false,
    data: { object: {} },
  };
  await deliver(request, event);

  await page.goto('/admin-leads');
  await expect(money(page)).toHaveAccessibleName('Money 2 needing attention');
  await money(page).click();

  const figures = page.getByRole('region', { name: 'Subscriptions', exact: true });
  await expect(figures.locator('div').filter({ hasText: 'In trial' })).toContainText('1');
  await expect(page.getByRole('row', { name: /top_sub/ })).toContainText('£0.00');

  const parked = page.getByRole('region', { name: 'Parked Stripe events' }).getByRole('listitem');
  await expect(parked).toContainText('customer.subscription.updated');
  await expect(parked).toContainText('unexpected format');
  await parked.getByRole('button', { name: /^Show what Stripe sent/ }).press('Enter');
  await expect(parked.getByLabel('What Stripe sent', { exact: true })).toHaveValue(JSON.stringify(event));

  const mismatch = page.getByRole('region', { name: 'Payments from another address' }).getByRole('listitem');
  await expect(mismatch).toContainText(payer);

  await mismatch.getByRole('link', { name: visitor.email }).click();
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByRole('region', { name: 'Checkout' })).toContainText(/In trial until .+, then £\d+ a month/);
  await expect(drawer.getByRole('region', { name: 'Checkout' })).toContainText('completed');
  await takePictures(page, 'console-money-drawer', { phoneHeight: 1_400 });
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();

  await mismatch.getByRole('button', { name: /^Mark as reviewed/ }).click();
  await expect(mismatch).toHaveCount(0);
  await expect(page.getByRole('heading', { name: /^Needs attention/ })).toBeFocused();
  await expect(money(page)).toHaveAccessibleName('Money 1 needing attention');
  await parked.getByRole('button', { name: /^Mark as reviewed/ }).press('Enter');
  await expect(page.getByText('Nothing needs attention.')).toBeVisible();
  await expect(page.getByRole('heading', { name: /^Needs attention/ })).toBeFocused();
  await expect(money(page)).toHaveAccessibleName('Money');
  await page.goto('/admin-leads?view=activity');
  await expect(page.getByRole('row').filter({ hasText: 'Reviewed a parked Stripe event' })).toHaveCount(1);
  await expect(page.getByRole('row').filter({ hasText: 'Reviewed a payment from another address' })).toHaveCount(1);
  await expect(page.getByRole('row').filter({ hasText: 'Opened a parked Stripe event' })).toHaveCount(1);
});

test('a second subscription comes to the list by itself, and leaves it once it was looked at', async ({
  page: visitorPage,
  operatorPage: page,
}) => {
  const { email } = newVisitor();
  await page.goto('/admin-leads?view=money');
  await untilLive(page);
  await openCheckout(visitorPage, { email });
  const upsell = await visitorPage.request.post('/api/checkout/upsell', { data: { plan: 'annual25', email } });
  const { url } = (await upsell.json()) as { url: string };
  await payAndArrive(visitorPage);
  await visitorPage.goto(url);
  await onStripe(visitorPage);
  await payAndArrive(visitorPage);

  const second = page.getByRole('region', { name: 'Second subscriptions' }).getByRole('listitem');
  await expect(second).toContainText(email);
  await expect(money(page)).toHaveAccessibleName('Money 1 needing attention');
  await second.getByRole('button', { name: /^Mark as reviewed/ }).click();

  await expect(second).toHaveCount(0);
  await expect(page.getByText('Nothing needs attention.')).toBeVisible();
  await expect(money(page)).toHaveAccessibleName('Money');
  await page.goto('/admin-leads?view=activity');
  await expect(page.getByRole('row').filter({ hasText: 'Reviewed a second subscription' })).toContainText(/sub_/);
});

test('a checkout that was given up is counted over the list and filters it, until its lead comes back by Stripe’s link and pays', async ({
  page: visitorPage,
  operator,
  operatorPage: page,
  request,
  sandbox,
}) => {
  const [gone, stays] = [newVisitor({ fullName: 'Gone Subscriber' }), newVisitor({ fullName: 'Other Subscriber' })];
  const idOf = async (email: string) => (await operator.leadsOf(email))[0]?.id ?? '';
  const leadId = await storeLead(request, gone, idOf);
  await storeLead(request, stays, idOf);
  await openCheckout(visitorPage, { email: gone.email, leadId });

  await sandbox.moveStripeClock(2);
  await expect
    .poll(async () => (await page.request.get('/api/admin/money/abandoned-checkouts')).json())
    .toEqual({ count: 1 });
  await page.goto('/admin-leads');
  await page.getByRole('link', { name: 'Abandoned checkouts 1' }).click();

  await expect(page).toHaveURL(/\?checkout=abandoned$/);
  await expect(rowOf(page, gone)).toBeVisible();
  await expect(rowOf(page, stays)).toHaveCount(0);
  await takePictures(page, 'console-abandoned');
  await page.getByRole('link', { name: 'Abandoned checkouts 1 (show all leads)' }).click();
  await expect(rowOf(page, stays)).toBeVisible();

  await page.goto('/admin-leads?view=money');
  const list = page.getByRole('region', { name: 'Abandoned checkouts' });
  await expect(list.getByRole('listitem')).toContainText(/valid until \d/);
  await list.getByRole('link', { name: gone.email }).click();
  const checkout = page.getByRole('dialog').getByRole('region', { name: 'Checkout' });
  await expect(checkout).toContainText('abandoned');
  const wayBack = checkout.getByRole('link', { name: 'Recovery link' });
  await expect(wayBack).toHaveAttribute('href', /\/r\/cs_/);

  await visitorPage.goto((await wayBack.getAttribute('href')) ?? '');
  await onStripe(visitorPage);
  await expect(visitorPage.getByLabel('Email')).toHaveValue(gone.email);
  await payAndArrive(visitorPage);

  await expect
    .poll(async () => (await page.request.get('/api/admin/money/abandoned-checkouts')).json())
    .toEqual({ count: 0 });
  await page.goto('/admin-leads?view=money');
  await expect(page.getByText('No abandoned checkouts.')).toBeVisible();
  await page.goto('/admin-leads?checkout=abandoned');
  await expect(rowOf(page, stays)).toHaveCount(0);
  await expect(rowOf(page, gone)).toHaveCount(0);
  await operator.untilLeadIs(gone.email, 'sent');
});
