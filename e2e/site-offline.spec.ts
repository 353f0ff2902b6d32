import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

import { onStripe } from './support/stripe-page.ts';
import {
  fillSubscribeForm,
  goToStripe,
  openSubscribeForm,
  subscribeButton,
} from './support/subscribe-form.ts';
import { test } from './support/system.fixture.ts';
import { newVisitor } from './support/visitor.ts';

const countSaved = (page: Page) =>
  page.evaluate(() => (JSON.parse(localStorage.getItem('savedLeads') ?? '[]') as unknown[]).length);

test('a lead that could not be sent is sent once on the next visit, under its own key', async ({
  page,
  operator,
  faults,
}) => {
  faults.expect(/^request failed: POST \/api\/lead\/subscribe/);
  faults.expect(/^console error: The lead was not captured/);
  const visitor = newVisitor();
  const keys: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/lead/subscribe')
      keys.push(request.headers()['idempotency-key']);
  });
  await page.route('**/api/lead/subscribe', (route) => route.abort());
  await goToStripe(page, visitor);
  expect(await operator.leadsOf(visitor.email)).toEqual([]);

  await page.unroute('**/api/lead/subscribe');
  await page.goto('/');

  const lead = await operator.untilLeadIs(visitor.email, 'sent');
  expect(lead).toMatchObject({
    fullName: visitor.fullName,
    utmSource: 'top_sub',
    consentMarketing: true,
  });
  await expect.poll(() => countSaved(page)).toBe(0);
  expect(new Set(keys).size).toBe(1);

  await page.reload();
  await page.waitForLoadState('networkidle');
  expect(await operator.leadsOf(visitor.email)).toHaveLength(1);
});

test('a form that is sent while an update replaces the proxy is kept, and sent again', async ({
  page,
  operator,
  faults,
}) => {
  faults.expect(/502/);
  faults.expect(/^console error: The lead was not captured/);
  faults.expect(/^console error: The checkout could not be opened/);
  const visitor = newVisitor();
  const form = await fillSubscribeForm(page, visitor);
  const CALLS = /\/api\/(lead\/subscribe|checkout\/session)$/;
  await page.route(CALLS, (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' }),
  );
  await form.submit.click();
  await expect(page.getByText('The payment page did not open.')).toBeVisible();
  await expect.poll(() => countSaved(page)).toBe(1);
  expect(await operator.leadsOf(visitor.email)).toEqual([]);

  await page.unroute(CALLS);
  await form.submit.click();
  await onStripe(page);

  await operator.untilLeadIs(visitor.email, 'sent');
  expect(await operator.leadsOf(visitor.email)).toHaveLength(1);
});

test('without a network the form says so and keeps the lead, which is sent later', async ({
  page,
  context,
  operator,
  faults,
}) => {
  faults.expect(/^console error: The subscribe form could not be fetched/);
  faults.expect(/^request failed: POST \/api\/lead\/subscribe/);
  faults.expect(/^request failed: POST \/api\/checkout\/session/);
  faults.expect(/^console error: The lead was not captured/);
  faults.expect(/^console error: The checkout could not be opened/);
  const visitor = newVisitor();
  // The network fails before the page is idle, and so before the form's code is here.
  await page.addInitScript(() => (window.requestIdleCallback = () => 0));
  await page.goto('/');
  await page.waitForLoadState('networkidle');
  await context.setOffline(true);
  await subscribeButton(page, 'nav_sub').click();
  await expect(page.getByText('The form could not be opened')).toBeVisible();
  await expect(
    page.getByText('You are offline. Try again when you are back online.'),
  ).toBeVisible();
  await expect(page).toHaveURL('/');

  await context.setOffline(false);
  await expect(page.getByText('The form could not be opened')).toBeHidden();
  const form = await openSubscribeForm(page, 'nav_sub');
  await form.fill(visitor);
  await form.takeTime();
  await context.setOffline(true);
  await form.submit.click();
  const kept = page.getByText(
    /^You are offline\. Nothing was charged\. What you submitted is kept in this browser and sent/,
  );
  await expect(kept).toBeVisible();
  await expect(page.getByText('Subscription failed', { exact: true })).toBeHidden();
  await form.expectFilledWith(visitor);

  await context.setOffline(false);
  await expect(page.getByText('You are back online. Continue to checkout.')).toBeVisible();
  await expect(kept).toBeHidden();
  await operator.untilLeadIs(visitor.email, 'sent');
});
