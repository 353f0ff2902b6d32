import { expect } from '@playwright/test';
import { OFFER } from '@site/schema/offer';

import { onStripe } from './stripe-page.ts';
import { test } from './system.fixture.ts';
import { newVisitor } from './visitor.ts';

test.use({ javaScriptEnabled: false });

/** What Chromium says of scripts named ahead when it may run none. */
const SCRIPTS_OFF = /^request failed: GET \/assets\/[\w.-]+\.js: csp/;

test('without scripts the page reads, its answers stand open, and its links lead on', async ({ page, faults }) => {
  faults.expect(SCRIPTS_OFF);
  await page.goto('/');

  const answers = page.locator('#faq h3 + div');
  await expect(answers).toHaveCount(5);
  for (const answer of await answers.all()) expect((await answer.boundingBox())!.height).toBeGreaterThan(40);
  await page.getByRole('link', { name: 'FAQ' }).first().click();
  await expect(page).toHaveURL('/#faq');
  await expect(page.getByRole('link', { name: 'Download Free Sample', exact: true })).toHaveAttribute(
    'target',
    '_blank',
  );
});

test('without scripts the subscribe form is a page, reaches checkout, and brings the lead with its campaign', async ({
  page,
  operator,
  faults,
}) => {
  faults.expect(SCRIPTS_OFF);
  const visitor = newVisitor();
  await page.goto('/?utm_source=news&utm_medium=email&gclid=click-1');

  await page.locator('#subscribe').getByRole('button', { name: 'Subscribe Now' }).click();

  await expect(page.getByRole('heading', { level: 1, name: `Subscribe to ${OFFER.productName}` })).toBeVisible();
  await page.getByLabel('Full Name').fill(visitor.fullName);
  await page.getByLabel('Email Address').fill(visitor.email);
  await page.getByLabel('Company (Optional)').fill(visitor.company);
  await page.getByLabel('Phone (Optional)').fill(visitor.phone);
  await page.getByRole('button', { name: 'Continue to checkout' }).click();

  await page.waitForURL(/\/c\/pay\/cs_/);
  const lead = await operator.untilLeadIs(visitor.email, 'sent');
  expect(lead).toMatchObject({
    ...visitor,
    formType: 'pre_buy',
    utmSource: 'bottom_sub',
    utmCampaign: 'urgency_subscription',
    visitUtmSource: 'news',
    visitUtmMedium: 'email',
    gclid: 'click-1',
    consentMarketing: true,
  });
});

test('without scripts a form that is not right comes back with what was typed', async ({ page, faults }) => {
  faults.expect(/^answer 422: POST \/subscribe/);
  await page.goto('/subscribe?from=top_sub');
  await page.getByLabel('Full Name').fill('Priya Raman');
  await page.getByLabel('Email Address').fill('priya@northgate');

  await page.getByRole('button', { name: 'Continue to checkout' }).click();

  await expect(page).toHaveTitle(/^Please check/);
  await expect(page.getByLabel('Full Name')).toHaveValue('Priya Raman');
  await expect(page.getByLabel('Email Address')).toHaveValue('priya@northgate');
  await expect(page.getByLabel('Email Address')).toHaveAccessibleDescription(
    'The address needs an ending, as in name@company.co.uk',
  );
});

test('without scripts a payment page that does not open is said on the form, and the lead is kept', async ({
  page,
  sandbox,
  operator,
  faults,
}) => {
  faults.expect(/^answer 503: POST \/subscribe/);
  const visitor = newVisitor();
  await page.goto('/subscribe?from=nav_sub');
  await page.getByLabel('Full Name').fill(visitor.fullName);
  await page.getByLabel('Email Address').fill(visitor.email);
  await sandbox.fault({ target: 'stripe', mode: 'status', status: 500 });

  await page.getByRole('button', { name: 'Continue to checkout' }).click();

  await expect(page.getByRole('alert')).toContainText('The payment page cannot be reached right now.');
  await expect(page.getByLabel('Email Address')).toHaveValue(visitor.email);
  await operator.untilLeadIs(visitor.email, 'sent');

  await sandbox.heal();
  await page.getByRole('button', { name: 'Continue to checkout' }).click();

  await page.waitForURL(/\/c\/pay\/cs_/);
  expect(await operator.leadsOf(visitor.email)).toHaveLength(1);
});

test.describe('with scripts', () => {
  test.use({ javaScriptEnabled: true });

  test('a button pressed before the scripts have come leads to the form all the same', async ({ page }) => {
    await page.route('**/assets/*.js', () => undefined);
    await page.goto('/', { waitUntil: 'commit' });

    await page.getByRole('banner').getByRole('button', { name: 'Subscribe Now' }).click();

    await expect(page).toHaveURL('/subscribe?from=nav_sub');
    await expect(page.getByLabel('Full Name')).toBeVisible();
  });

  test('the page of the form runs no script, and reaches checkout under the content policy', async ({ page }) => {
    const visitor = newVisitor();
    await page.goto('/subscribe?from=top_sub');
    expect(await page.locator('script[src]').count()).toBe(0);
    await page.getByLabel('Full Name').fill(visitor.fullName);
    await page.getByLabel('Email Address').fill(visitor.email);

    await page.getByRole('button', { name: 'Continue to checkout' }).click();

    await onStripe(page);
  });
});
