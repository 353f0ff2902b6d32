import { readFile } from 'node:fs/promises';
import { createHmac } from 'node:crypto';

import { expect } from '@playwright/test';
import type { APIRequestContext } from '@playwright/test';
import type { MoneyAnswer } from '@site/schema/calls/money';
import { formatPence, OFFER } from '@site/schema/offer';
import { SANDBOX_CREDENTIALS } from '@site/schema/sandbox-credentials';
import { parse } from 'csv-parse/sync';

import {
  counterOf,
  dialogOf,
  entryOf,
  figure,
  londonDay,
  openLive,
  postLead,
} from './support/console.ts';
import { addFailed, addPayer } from './support/lead-steps.ts';
import { onStripe } from './support/stripe-page.ts';
import { test } from './support/tasks.fixture.ts';
import { newVisitor } from './support/visitor.ts';

const PRICE = formatPence(OFFER.launchPricePence, true);

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

test('task 23: follow the first-run checklist to its end', async ({
  operator,
  operatorPage: page,
  sandbox,
  request,
}) => {
  await openLive(page, '/admin-leads');
  await expect(page.getByText('No leads found')).toBeVisible();
  for (const label of ['Total Leads', 'Pre-Sample', 'Pre-Buy', 'Beehiiv Sent'])
    await expect(counterOf(page, label)).toHaveText(figure(0));
  const step = (name: string) => page.getByRole('heading', { name, exact: true });
  for (const name of ['Stripe', 'Stripe’s events', 'Beehiiv', 'Custom fields', 'Email alerts'])
    await expect(step(name)).toBeVisible();
  for (const [name, state] of [
    ['Terms and privacy', 'Not set: TERMS_URL, PRIVACY_URL'],
    ['The offer’s date', /The price rises on|has passed/],
    ['Backups', 'Not made by this server'],
    ['Two-step login', 'A stolen password is enough'],
  ] as const)
    await expect(entryOf(page, state).filter({ has: step(name) })).toBeVisible();
  const testLead = entryOf(page, 'Test lead').filter({ has: step('Test lead') });
  await expect(page.getByRole('button', { name: 'Check again' })).toBeVisible();

  const visitor = newVisitor();
  await postLead(request, visitor, { utmSource: 'nav_sub' });

  await expect(testLead).toContainText('Done');
  await expect(entryOf(page, visitor.email)).toContainText('Sent');
  await expect(page.getByText('No leads found')).toBeHidden();
  await expect(counterOf(page, 'Total Leads')).toHaveText(figure(1));
  await addPayer({ operator, request, sandbox });
  const events = page.getByRole('listitem').filter({ has: step('Stripe’s events') });
  await expect(events).toContainText('Done');
  // What only the owner can do does not hide the list. Ten leads do.
  for (let n = 0; n < 8; n++) await postLead(request, newVisitor());
  await expect(step('Test lead')).toBeHidden();
});

test('task 13: see the items that need attention today, and settle each', async ({
  operator,
  operatorPage: page,
  request,
}) => {
  const { visitor } = await addFailed({ operator, request });
  const event = {
    id: 'evt_of_another_shape',
    type: 'customer.subscription.updated',
    livemode: false,
    data: { object: {} },
  };
  await deliver(request, event);
  await page.goto('/admin-leads?view=overview');
  const parked = entryOf(page, event.type);
  await expect(parked).toBeVisible();
  const heading = page.getByRole('heading', { name: /^Needs attention \d+$/ });
  const count = Number(/\d+/.exec((await heading.textContent()) ?? '')?.[0]);

  await parked.getByRole('button', { name: /review/i }).click();
  await expect(parked).toBeHidden();
  await expect(heading).toHaveText(figure(count - 1));

  await entryOf(page, visitor.email)
    .getByRole('link', { name: /^(?:Correct|See)/ })
    .click();
  await expect(page).toHaveURL(/status=failed|lead=/);
  await expect(page.getByText(visitor.email).first()).toBeVisible();
});

test('task 14: read the month’s figures and MRR, and open their rows', async ({
  operator,
  operatorPage: page,
  sandbox,
  request,
}) => {
  const { visitor } = await addPayer({ operator, request, sandbox });
  // Nobody in this file has a refund, and all pay monthly.
  const { mrr } = (await (await page.request.get('/api/admin/money')).json()) as MoneyAnswer;
  expect(mrr.pence).toBe(mrr.count * OFFER.launchPricePence);
  await page.goto('/admin-leads?view=money');
  for (const name of ['Money in', 'MRR']) {
    const figures = entryOf(page, name).filter({ hasText: figure(mrr.pence / 100) });
    await expect(figures.first()).toBeVisible();
  }

  await page.goto('/admin-leads?view=overview');
  await page.getByRole('link', { name: 'MRR', exact: true }).click();

  await expect(entryOf(page, visitor.email)).toContainText(PRICE);
  await expect(entryOf(page, /^Total/)).toContainText(formatPence(mrr.pence, true));
  await page.goBack();
  await page.getByRole('link', { name: 'New payers', exact: true }).click();
  await expect(entryOf(page, visitor.email)).toBeVisible();
});

test('task 14: see the cancelled trials of this month, and open their people', async ({
  operatorPage: page,
  operator,
  sandbox,
  request,
}) => {
  const visitor = newVisitor();
  const leadId = await postLead(request, visitor);
  const data = { email: visitor.email, leadId };
  const { url } = await (await request.post('/api/checkout/session', { data })).json();
  await sandbox.pay(url, visitor);
  const read = async () => (await operator.personOf(leadId)).subscriptions;
  await expect.poll(async () => (await read())[0]?.stage).toBe('trial');
  const [subscription] = await read();
  const { stripeSubscriptionId: id } = subscription!;
  const cancel = { data: { when: 'period-end' } };
  expect((await page.request.post(`/api/admin/subscriptions/${id}/cancel`, cancel)).ok()).toBe(
    true,
  );

  await page.goto('/admin-leads?view=overview');
  await page.getByRole('link', { name: '1 trial cancelled' }).click();

  await expect(entryOf(page, visitor.email)).toContainText('£239.00');
  await page.getByRole('link', { name: visitor.fullName }).click();
  await expect(page.getByRole('button', { name: 'Undo cancellation…' }).first()).toBeVisible();
});

test('task 15: see the funnel by channel and by button', async ({
  operator,
  operatorPage: page,
  sandbox,
  request,
}) => {
  const channel = `Partner ${Date.now()}`;
  const { visitor } = await addPayer(
    { operator, request, sandbox },
    { more: { visitUtm: { source: channel }, utmSource: 'bottom_sub' } },
  );
  await page.goto('/admin-leads?view=overview');
  // One person left an email, opened a checkout, began a trial and pays.
  for (const text of ['Bottom of the page', channel])
    await expect(entryOf(page, text).getByRole('link')).toHaveText(['1', '1', '1', '1']);

  await entryOf(page, channel).getByRole('link').last().click();

  await expect(entryOf(page, visitor.email)).toBeVisible();
});

test('task 28: see the funnel by campaign and for a chosen period', async ({
  operatorPage: page,
  request,
}) => {
  const visitor = newVisitor();
  const campaign = `Spring ${Date.now()}`;
  await postLead(request, visitor, { visitUtm: { source: 'linkedin', campaign } });
  await page.goto('/admin-leads?view=overview');
  await expect(entryOf(page, campaign)).toBeVisible();
  await page
    .getByRole('navigation', { name: 'Dates' })
    .getByRole('link', { name: 'A year' })
    .click();
  await expect(page).toHaveURL(/startDate=/);
  await expect(entryOf(page, campaign)).toBeVisible();

  await page.getByText('Other dates').click();
  await page.getByLabel('Start Date').fill(londonDay(-2));
  await page.getByLabel('End Date').fill(londonDay(-1));
  await page.getByRole('button', { name: 'Apply Filters' }).click();
  await expect(entryOf(page, campaign)).toHaveCount(0);
  await page.goBack();

  await entryOf(page, campaign).getByRole('link').first().click();
  await expect(entryOf(page, visitor.email)).toBeVisible();
  await expect(entryOf(page, visitor.email)).toHaveCount(1);
});

test('task 33: see how many visits became leads, without JavaScript and consent', async ({
  browser,
  operatorPage: page,
  request,
  system,
}) => {
  const source = `Letter ${Date.now()}`;
  await postLead(request, newVisitor(), { visitUtm: { source } });
  const context = await browser.newContext({
    baseURL: system.siteUrl,
    javaScriptEnabled: false,
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/143.0 Safari/537.36',
  });
  const visitorPage = await context.newPage();
  const address = `/?${new URLSearchParams({ utm_source: source })}`;
  await visitorPage.goto(address);
  await visitorPage.goto(address);
  // A page load from our own page is no visit.
  await visitorPage.getByRole('button', { name: 'Subscribe Now' }).first().click();
  await expect(visitorPage).toHaveURL(/\/subscribe/);
  expect(await context.cookies()).toEqual([]);
  await context.close();

  const visits = entryOf(page, source).getByRole('cell').first();
  await expect(async () => {
    await page.goto('/admin-leads?view=overview');
    await expect(visits).toHaveText('2', { timeout: 1_000 });
  }).toPass();
  await expect(page.getByRole('term').filter({ hasText: /^Visits$/ })).toBeVisible();
});

test('task 16: copy the link of an abandoned checkout, and mark it as contacted', async ({
  page: visitorPage,
  operatorPage: page,
  sandbox,
  request,
}) => {
  const visitor = newVisitor();
  const leadId = await postLead(request, visitor);
  await sandbox.moveStripeClock(-2);
  const data = { email: visitor.email, leadId };
  await request.post('/api/checkout/session', { data });
  await sandbox.moveStripeClock(2);
  const list = async () =>
    (await (await page.request.get('/api/admin/checkouts/abandoned')).json()).people;
  await expect.poll(list).toMatchObject([{ email: visitor.email, contactedAt: null }]);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/admin-leads?view=money');
  await page.getByText('Earlier', { exact: true }).click();
  const checkout = entryOf(page, visitor.email);

  await checkout.getByRole('button', { name: /^Copy link/ }).click();
  await expect
    .poll(async () => page.evaluate(async () => navigator.clipboard.readText()))
    .toMatch(/\/r\/cs_/);
  const link = await page.evaluate(async () => navigator.clipboard.readText());
  await checkout.getByRole('button', { name: /contacted/i }).click();
  await expect(checkout.getByRole('button', { name: /^Undo/ })).toBeVisible();
  expect(await list()).toMatchObject([{ contactedAt: expect.any(String) }]);
  await page.goto('/admin-leads?checkout=abandoned');
  await expect(entryOf(page, visitor.email)).toBeVisible();

  await visitorPage.goto(link);
  await onStripe(visitorPage);
  await expect(visitorPage.getByLabel('Email')).toHaveValue(visitor.email);
  await sandbox.pay(visitorPage.url(), visitor);
  await expect.poll(list).toEqual([]);
});

test('task 29: see who could not pay while Stripe was away', async ({
  operatorPage: page,
  sandbox,
  request,
}) => {
  const visitor = newVisitor();
  const leadId = await postLead(request, visitor);
  const data = { email: visitor.email, leadId };
  const open = async () => request.post('/api/checkout/session', { data });
  await sandbox.fault({ target: 'stripe', mode: 'status', status: 500 });
  expect((await open()).status()).toBe(503);
  await sandbox.heal();
  await page.goto('/admin-leads?view=money');
  const checkout = entryOf(page, visitor.email);
  await expect(checkout).toContainText('Could not pay: Stripe did not answer');
  await checkout.getByRole('button', { name: /contacted/i }).click();
  await expect(page.getByRole('table', { name: 'Call today' })).toHaveCount(0);
  await page.getByText('Earlier', { exact: true }).click();
  await expect(checkout.getByRole('button', { name: /^Undo/ })).toBeVisible();

  await checkout.getByRole('link', { name: visitor.fullName }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Could not pay' })).toBeVisible();
  const { url } = (await (await open()).json()) as { url: string };
  await sandbox.pay(url, visitor);

  await page.goto('/admin-leads?view=money');
  await expect(page.getByRole('region', { name: 'Abandoned checkouts' })).toBeVisible();
  await expect(checkout).toHaveCount(0);
});

test('task 30: call somebody who opened a checkout today and did not pay', async ({
  operatorPage: page,
  isMobile,
  request,
}) => {
  const visitor = newVisitor();
  const leadId = await postLead(request, visitor, { phone: '020 7946 0123' });
  const data = { email: visitor.email, leadId };
  expect((await request.post('/api/checkout/session', { data })).ok()).toBe(true);

  await page.goto('/admin-leads?view=overview');
  const call = page.getByRole('table', { name: 'Call today' }).getByRole('row', {
    name: visitor.fullName,
  });
  await expect(call).toContainText('Opened a checkout, and has not paid');
  await expect(call).toContainText(`Monthly, ${PRICE}`);
  await expect(call.getByRole('link', { name: '020 7946 0123' })).toHaveAttribute(
    'href',
    'tel:02079460123',
  );
  await expect(call.getByRole('link', { name: visitor.email })).toHaveAttribute('href', /^mailto:/);
  // The figures come first, on a phone's first screen too.
  const figures = page.getByRole('region', { name: /so far/ });
  await expect(figures.getByText('Money in')).toBeInViewport();
  if (isMobile) await expect(figures.getByText('Payers with access')).toBeInViewport();

  await call.getByRole('button', { name: /^Payment link/ }).click();
  const dialog = dialogOf(page);
  await dialog.getByRole('button', { name: 'Make the link' }).click();
  await expect(dialog).toContainText('The link works until');
  await page.keyboard.press('Escape');

  await call.getByRole('button', { name: /^Contacted/ }).click();
  await expect(call).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(call).toBeVisible();
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
});

test('task 30: call a payer who does not receive, and still needs attention', async ({
  operatorPage: page,
  operator,
  sandbox,
  request,
}) => {
  const { visitor } = await addPayer({ operator, request, sandbox });
  const tier = async () => (await sandbox.subscriber(visitor.email))?.subscription_tier;
  await expect.poll(tier).toBe('premium');
  await sandbox.loseSubscriber(visitor.email);
  await page.request.post('/api/admin/differences/compare');
  const calls = async () => (await page.request.get('/api/admin/money/calls')).text();
  await expect.poll(calls, { intervals: [200] }).toContain(visitor.email);
  await page.goto('/admin-leads?view=overview');
  const needs = page.getByRole('region', { name: 'Needs attention' });
  const call = entryOf(page, visitor.email);
  await expect(call).toContainText('Pays, but does not receive');
  await expect(needs.getByText(visitor.email)).toHaveCount(0);

  // Still to be put right.
  await call.getByRole('button', { name: /^Contacted/ }).click();
  await expect(needs.getByText(visitor.email)).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(needs.getByText(visitor.email)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
});

test('task 36: see why a payment failed, and the card', async ({
  operatorPage: page,
  operator,
  sandbox,
  request,
}) => {
  const visitor = newVisitor();
  const leadId = await postLead(request, visitor);
  // The charge after the trial, and the first retry, are in the past.
  const days = OFFER.trialDays + 4;
  await sandbox.moveStripeClock(-days);
  const data = { email: visitor.email, leadId };
  const { url } = (await (await request.post('/api/checkout/session', { data })).json()) as {
    url: string;
  };
  await sandbox.pay(url, visitor, '4000000000000341');
  await sandbox.moveStripeClock(days);
  const attempts = async () => (await operator.personOf(leadId)).subscriptions[0]?.paymentAttempts;
  await expect.poll(attempts, { intervals: [200] }).toBe(2);

  await page.goto('/admin-leads?view=overview');
  const why = 'Visa ending 0341: not enough money in the account.';
  await expect(entryOf(page, visitor.email)).toContainText(why);
  await expect(entryOf(page, visitor.email)).toContainText('2 attempts, next on');
  await page.goto(`/admin-leads?view=person&id=${leadId}`);
  await expect(page.getByText(why)).toBeVisible();
});

test('task 20: download the accountant’s CSV, with links to the invoices', async ({
  operator,
  operatorPage: page,
  sandbox,
  request,
  system,
}) => {
  const { visitor } = await addPayer({ operator, request, sandbox });
  await page.goto('/admin-leads?view=money');

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: /^Accountant’s CSV/ }).click(),
  ]);

  const file = await readFile(await download.path());
  const rows: Record<string, string>[] = parse(file, { bom: true, columns: true });
  const payment = rows.find((row) => row['email'] === visitor.email);
  expect(payment).toMatchObject({ kind: 'payment', gross: '239.00', currency: 'GBP' });
  expect(payment).toMatchObject({ 'Stripe fee': '3.79', 'after fee': '235.21' });
  await page.goto(payment!['invoice link']!);
  await expect(page).toHaveURL(new RegExp(`^${system.sandboxUrl}/i/`));
});
