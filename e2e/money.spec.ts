import { createHmac } from 'node:crypto';

import { expect } from '@playwright/test';
import type { APIRequestContext, Page } from '@playwright/test';
import { formatPence, listPricePence } from '@site/schema/offer';
import { SANDBOX_CREDENTIALS } from '@site/schema/sandbox-credentials';

import { counter, postLead, rowOf, untilLive } from './console.ts';
import { onStripe, pay, payAndArrive } from './stripe-page.ts';
import { goToStripe } from './subscribe-form.ts';
import { test } from './system.fixture.ts';
import { newVisitor } from './visitor.ts';
import type { Visitor } from './visitor.ts';

// Lead, queue, rate limiter and the worker's own timer come one after the other.
test.describe.configure({ mode: 'serial' });

/** The card that is taken, and fails at its first charge. */
const FAILS_LATER = '4000 0000 0000 0341';

const overview = (page: Page) => page.getByRole('link', { name: /^Overview/ });

/** Opens a checkout as the subscribe dialog does, and goes to Stripe's page. */
async function openCheckout(
  page: Page,
  { email, leadId }: { email: string; leadId?: string },
): Promise<void> {
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
  const signature = createHmac('sha256', SANDBOX_CREDENTIALS.stripeWebhookSecret)
    .update(`${at}.${data}`)
    .digest('hex');
  const headers = {
    'Stripe-Signature': `t=${at},v1=${signature}`,
    'Content-Type': 'application/json',
  };
  const answer = await request.post('/api/stripe/webhook', { data, headers });
  expect(answer.status(), await answer.text()).toBe(200);
}

async function storeLead(
  request: APIRequestContext,
  visitor: Visitor,
  id: (email: string) => Promise<string>,
) {
  await postLead(request, visitor, { utmSource: 'top_sub' });
  return id(visitor.email);
}

async function expectCounts(page: Page, counts: Record<string, number>): Promise<void> {
  for (const [label, count] of Object.entries(counts)) {
    await expect(counter(page, label).getByRole('link').first()).toHaveText(`${label}${count}`);
  }
}

test('the console says when it is empty, and the first lead appears without a reload and counts as one', async ({
  operatorPage: page,
  request,
}) => {
  await page.goto('/admin-leads?view=money');
  await expect(page.getByText(/^No subscriptions yet\./)).toBeVisible();
  await page.getByRole('link', { name: 'Leads', exact: true }).click();
  await untilLive(page);
  await expect(page.getByText('No leads found')).toBeVisible();
  await expectCounts(page, { 'Total Leads': 0, 'Pre-Sample': 0, 'Pre-Buy': 0, 'Beehiiv Sent': 0 });
  const visitor = newVisitor();

  await postLead(request, visitor, { utmSource: 'nav_sub' });

  await expect(rowOf(page, visitor)).toContainText('Sent');
  await expect(page.getByText('No leads found')).toBeHidden();
  await expectCounts(page, { 'Total Leads': 1, 'Pre-Sample': 0, 'Pre-Buy': 1, 'Beehiiv Sent': 1 });
  await page.reload();
  await expect(page.getByText('Rows 1 to 1 of 1')).toBeVisible();
  const day = page.getByRole('region', { name: 'Leads by day' }).getByRole('link');
  await expect(day).toHaveAccessibleName(/: 1, 0 Pre-Sample and 1 Pre-Buy$/);
  await day.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/startDate=([\d-]+)&endDate=\1$/);
  await expect(rowOf(page, visitor)).toBeVisible();
  await page.goBack();
  await page
    .getByRole('region', { name: 'By source' })
    .getByRole('link', { name: /Menu bar/ })
    .click();
  await expect(page).toHaveURL('/admin-leads?source=nav_sub');
  await expect(rowOf(page, visitor)).toBeVisible();
});

test(
  'a subscriber whom Beehiiv has lost is found by a comparison, and added again with a button',
  { tag: '@long' },
  async ({ operator, operatorPage: page, request, sandbox }) => {
    const visitor = newVisitor();
    await postLead(request, visitor, { utmSource: 'nav_sub' });
    await operator.untilLeadIs(visitor.email, 'sent');
    await sandbox.loseSubscriber(visitor.email);
    await page.goto('/admin-leads?view=money');
    const differences = page.getByRole('region', { name: 'What does not match' });

    await differences.getByRole('button', { name: 'Compare now' }).click();

    const missing = differences.getByRole('region', { name: 'Missing at Beehiiv' });
    await expect(missing).toContainText(visitor.email);
    await missing.getByRole('button', { name: `Add again: ${visitor.email}` }).click();
    await expect(missing).toBeHidden();
    expect(await sandbox.subscriber(visitor.email)).toBeDefined();
  },
);

test('a payment from another address and a parked event need attention until an operator reviews them', async ({
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
  await expect(overview(page)).toHaveAccessibleName(/^Overview \d+ needing attention$/);
  await page.getByRole('link', { name: /^Money/ }).click();

  await page.getByRole('link', { name: '1 in trial' }).click();
  const trials = page.getByRole('table', { name: 'In trial' });
  await expect(trials.getByRole('row', { name: payer })).toContainText('£239.00 a month');
  await page.getByRole('link', { name: 'Back to all figures' }).click();

  await overview(page).click();
  const heading = page.getByRole('heading', { name: /^Needs attention/ });
  const parked = page
    .getByRole('region', { name: 'Stripe events that could not be applied' })
    .getByRole('listitem');
  await expect(parked).toContainText('customer.subscription.updated');
  await expect(parked).toContainText('unexpected format');

  const mismatch = page
    .getByRole('region', { name: 'Paid from another address' })
    .getByRole('listitem');
  await expect(mismatch).toContainText(payer);

  await mismatch.getByRole('link', { name: visitor.email }).click();
  await expect(page.getByRole('heading', { level: 1, name: visitor.fullName })).toBeVisible();
  await expect(page.getByRole('main')).toContainText('Completed the checkout.');
  await page.goBack();

  await mismatch.getByRole('button', { name: /^Mark as reviewed/ }).click();
  await expect(mismatch).toHaveCount(0);
  await expect(heading).toBeFocused();
  await parked.getByRole('button', { name: /^Mark as reviewed/ }).press('Enter');
  await expect(parked).toHaveCount(0);
  await expect(heading).toBeFocused();
  // The number in the navigation is that of the heading, or absent with nothing to do.
  const count = (await heading.textContent())?.replace(/\D/gu, '');
  await expect(overview(page)).toHaveAccessibleName(
    count ? `Overview ${count} needing attention` : 'Overview',
  );
  await page.goto('/admin-leads?view=activity');
  await expect(
    page.getByRole('row').filter({ hasText: 'Reviewed an unreadable Stripe event' }),
  ).toHaveCount(1);
  await expect(
    page.getByRole('row').filter({ hasText: 'Reviewed a payment from another address' }),
  ).toHaveCount(1);
});

test('an abandoned checkout is counted above the list and filters it, until its lead returns by the recovery link and pays', async ({
  page: visitorPage,
  operator,
  operatorPage: page,
  request,
  sandbox,
}) => {
  const [gone, stays] = [
    newVisitor({ fullName: 'Gone Subscriber' }),
    newVisitor({ fullName: 'Other Subscriber' }),
  ];
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
  await page.getByRole('link', { name: 'Abandoned checkouts 1 (show all leads)' }).click();
  await expect(rowOf(page, stays)).toBeVisible();

  await page.goto('/admin-leads?view=money');
  const list = page.getByRole('region', { name: 'Abandoned checkouts' });
  await expect(list.getByRole('row', { name: gone.email })).toContainText('Copy link');
  await list.getByRole('link', { name: gone.fullName }).click();
  const subscription = page.getByRole('region', { name: 'Subscription', exact: true });
  await expect(subscription).toContainText('abandoned');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy link', exact: true }).click();
  await expect(page.getByText('Copied', { exact: true })).toBeVisible();
  const wayBack = await page.evaluate(() => navigator.clipboard.readText());
  expect(wayBack).toMatch(/\/r\/cs_/);

  await visitorPage.goto(wayBack);
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

test('a subscriber gets the paid issue when the trial begins, cancels on Stripe’s page, and keeps it until the trial ends', async ({
  page,
  system,
  sandbox,
  operator,
  operatorPage,
}) => {
  const visitor = newVisitor();
  const tier = async () => (await sandbox.subscriber(visitor.email))?.subscription_tier;
  await goToStripe(page, visitor);
  await payAndArrive(page);
  await operator.untilLeadIs(visitor.email, 'sent');
  await expect.poll(tier).toBe('premium');

  const manage = { name: 'Manage subscription' };
  await page.getByRole('region', { name: 'Receipt' }).getByRole('link', manage).click();
  await expect(page).toHaveURL(`${system.sandboxUrl}/p/login`);
  await page.goto('/');
  await page.getByText('How do I cancel?').click();
  await expect(page.locator('#faq').getByRole('link', manage)).toBeVisible();
  await page.getByRole('contentinfo').getByRole('link', manage).click();
  await page.getByLabel('Email').fill(visitor.email);
  await page.getByRole('button', { name: 'Show my subscriptions' }).click();
  // As set up by `stripe:setup`.
  const annual = formatPence(listPricePence('launch', 'annual'), true);
  await expect(page.getByRole('button', { name: `Switch to ${annual} per year` })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel at period end' }).click();
  await expect(page.getByText('Cancels on')).toBeVisible();
  await sandbox.moveStripeClock(6);
  expect(await tier()).toBe('premium');
  await sandbox.moveStripeClock(2);

  await expect.poll(tier).toBe('free');
  // The two who subscribed before have paid, ten days later by Stripe's clock.
  const [from, to] = [0, 20].map((days) =>
    new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10),
  );
  await operatorPage.goto(`/admin-leads?view=money&startDate=${from}&endDate=${to}`);
  const sum = operatorPage.getByRole('table', { name: 'Money in' });
  await expect(sum.getByRole('row', { name: /^Payments/ }).getByRole('cell')).toHaveText([
    '2',
    '£478.00',
  ]);
  await expect(
    operatorPage.getByRole('table', { name: 'In MRR now' }).getByRole('row', { name: /^Total/ }),
  ).toContainText('£478.00');
  for (const target of await operatorPage
    .getByRole('main')
    .getByRole('table')
    .getByRole('link')
    .all()) {
    expect((await target.boundingBox())?.height).toBeGreaterThanOrEqual(24);
  }
  const source = operatorPage.getByRole('region', { name: 'Came and left' });
  await expect(source.getByRole('row', { name: /^Top of the page/ })).toContainText('£478.00');
  await sum.getByRole('link', { name: /^2: Payments/ }).click();
  const payments = operatorPage.getByRole('table', { name: 'Payments' });
  await expect(payments.getByRole('row', { name: /^Total of 2 payments/ })).toContainText(
    '£478.00',
  );
  await expect(payments.getByRole('rowheader')).toHaveCount(3);
  const csv = await operatorPage.request.get(
    `/api/admin/money/payments.csv?startDate=${from}&endDate=${to}`,
  );
  const [link = ''] = /http[^"]+/u.exec(await csv.text()) ?? [];
  await operatorPage.goto(link);
  await expect(operatorPage).toHaveURL(new RegExp(`^${system.sandboxUrl}/i/`));
});

test(
  'a subscriber whose card fails after the trial keeps the paid issue while Stripe retries, and then loses it',
  { tag: '@long' },
  async ({ page, sandbox, operator }) => {
    const visitor = newVisitor();
    const tier = async () => (await sandbox.subscriber(visitor.email))?.subscription_tier;
    await goToStripe(page, visitor, 'nav_sub');
    await pay(page, { card: FAILS_LATER });
    await operator.untilLeadIs(visitor.email, 'sent');
    await expect.poll(tier).toBe('premium');

    await sandbox.moveStripeClock(9);
    expect(await tier()).toBe('premium');
    await sandbox.moveStripeClock(20);

    await expect.poll(tier).toBe('free');
  },
);
