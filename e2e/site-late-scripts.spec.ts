import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { OFFER } from '@site/schema/offer';

import { subscribeButton, subscribeForm } from './subscribe-form.ts';
import { test } from './system.fixture.ts';

/** Lets a script of the site fail, as after a newer version was put up, until it is healed. */
async function breakScript(page: Page, name: string): Promise<{ heal: () => Promise<void> }> {
  const files = `**/assets/${name}-*.js`;
  await page.route(files, (route) => route.fulfill({ status: 404, body: 'Not found' }));
  return { heal: () => page.unroute(files) };
}

test('a subscribe form whose script is gone opens as a page of its own, under the same button', async ({
  page,
  faults,
}) => {
  faults.expect(/^answer 404: GET \/assets\/SubscribeDialog/);
  faults.expect(/^console error: The subscribe form could not be fetched/);
  await breakScript(page, 'SubscribeDialog');
  await page.goto('/');

  await subscribeButton(page, 'bottom_sub').click();

  await expect(page).toHaveURL('/subscribe?from=bottom_sub');
  await expect(page.getByRole('heading', { level: 1, name: `Subscribe to ${OFFER.productName}` })).toBeVisible();
  await expect(page.getByLabel('Email Address')).toBeVisible();
});

test('a subscribe form that the network keeps away is said to be away, and a second press opens it', async ({
  page,
  context,
  faults,
}) => {
  // With the form's own script go those it is built of.
  faults.expect(/^request failed: GET \/assets\//);
  faults.expect(/^console error: The subscribe form could not be fetched/);
  await page.goto('/');
  await page.waitForLoadState('networkidle');
  await context.setOffline(true);

  await subscribeButton(page, 'top_sub').click();

  await expect(page.getByText('The form could not be opened')).toBeVisible();
  await expect(page.getByText('Check your connection and try again.')).toBeVisible();
  await expect(page).toHaveURL('/');

  await context.setOffline(false);
  await subscribeButton(page, 'top_sub').click();

  await expect(subscribeForm(page).name.or(page.getByRole('main').getByLabel('Full Name'))).toBeVisible();
});

for (const { path, script, heading } of [
  { path: '/sample-sent', script: 'SampleSentPage', heading: 'Sample Issue Ready!' },
  { path: '/thank-you', script: 'ThankYouPage', heading: `Welcome to ${OFFER.productName}!` },
]) {
  test(`${path}: a page whose script fails says so, and loads when it is asked for again`, async ({ page, faults }) => {
    faults.expect(new RegExp(`^answer 404: GET /assets/${script}`));
    faults.expect(/^console error: /);
    const { heal } = await breakScript(page, script);
    await page.goto(path);

    await expect(page.getByRole('heading', { level: 1, name: 'This page did not load' })).toBeVisible();
    await expect(page.getByRole('main')).toContainText('Your connection may have dropped');
    await heal();
    await page.getByRole('button', { name: 'Load it again' }).click();

    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Load it again' })).toBeHidden();
  });
}

test('a toast whose script fails is said all the same, plainly', async ({ page, faults }) => {
  faults.expect(/^answer 404: GET \/assets\/Toaster/);
  faults.expect(/^answer 503: POST \/api\/checkout\/session/);
  faults.expect(/^console error: The checkout could not be opened/);
  await breakScript(page, 'Toaster');
  await page.route('**/api/lead/subscribe', (route) =>
    route.fulfill({ status: 201, json: { id: crypto.randomUUID(), beehiivStatus: 'pending' } }),
  );
  await page.route('**/api/checkout/session', (route) => route.fulfill({ status: 503, body: 'no' }));
  await page.goto('/');
  await subscribeButton(page, 'top_sub').click();
  const form = subscribeForm(page);
  await form.name.fill('Priya Raman');
  await form.email.fill('priya@northgate.example');

  await form.submit.click();

  await expect(page.getByRole('alert')).toContainText('Subscription failed Please try again or contact support.');
  await expect(form.name).toHaveValue('Priya Raman');
});
