import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

import { fillSubscribeForm, goToStripe } from './subscribe-form.ts';
import { test } from './system.fixture.ts';
import { newVisitor } from './visitor.ts';

const countKept = (page: Page) =>
  page.evaluate(() => (JSON.parse(localStorage.getItem('savedLeads') ?? '[]') as unknown[]).length);

test('a lead that met no network is offered again on the next visit, once, under its own key', async ({
  page,
  operator,
  faults,
}) => {
  faults.expect(/^request failed: POST \/api\/lead\/subscribe/);
  faults.expect(/^console error: The lead was not captured/);
  const visitor = newVisitor();
  const keys: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/lead/subscribe') keys.push(request.headers()['idempotency-key']);
  });
  await page.route('**/api/lead/subscribe', (route) => route.abort());
  await goToStripe(page, visitor);
  expect(await operator.leadsOf(visitor.email)).toEqual([]);

  await page.unroute('**/api/lead/subscribe');
  await page.goto('/');

  const lead = await operator.untilLeadIs(visitor.email, 'sent');
  expect(lead).toMatchObject({ fullName: visitor.fullName, utmSource: 'top_sub', consentMarketing: true });
  await expect.poll(() => countKept(page)).toBe(0);
  expect(new Set(keys).size).toBe(1);

  await page.reload();
  await page.waitForLoadState('networkidle');
  expect(await operator.leadsOf(visitor.email)).toHaveLength(1);
});

test('a lead that met a bad moment is offered again at once, while the visitor is on the way to pay', async ({
  page,
  operator,
  faults,
}) => {
  faults.expect(/^answer 503: POST \/api\/lead\/subscribe/);
  faults.expect(/^console error: The lead was not captured/);
  const visitor = newVisitor();
  await page.route('**/api/lead/subscribe', (route) => route.fulfill({ status: 503, body: 'no' }), { times: 1 });

  await goToStripe(page, visitor);

  await operator.untilLeadIs(visitor.email, 'sent');
});

test('a lead that failed while the network was away is offered when it is back', async ({
  page,
  context,
  operator,
  faults,
}) => {
  faults.expect(/^request failed: POST \/api\/lead\/subscribe/);
  faults.expect(/^request failed: POST \/api\/checkout\/session/);
  faults.expect(/^console error: The lead was not captured/);
  faults.expect(/^console error: The checkout could not be opened/);
  const visitor = newVisitor();
  const form = await fillSubscribeForm(page, visitor, 'nav_sub');
  await context.setOffline(true);
  await form.submit.click();
  await expect(page.getByText('Subscription failed', { exact: true })).toBeVisible();
  await form.expectFilledWith(visitor);

  await context.setOffline(false);

  await operator.untilLeadIs(visitor.email, 'sent');
});
