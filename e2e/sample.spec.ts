import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { OFFER } from '@site/schema/offer';

import { onStripe, pay, payAndArrive } from './stripe-page.ts';
import { test } from './system.fixture.ts';
import { newVisitor } from './visitor.ts';

const UPSELLS = [
  {
    plan: 'monthly15',
    button: 'Get 15% Off – Monthly',
    event: 'cta-monthly-15',
    price: '£203.15',
    receipt: '£203.15 a month',
    bought: `${OFFER.productName}, monthly`,
  },
  {
    plan: 'annual25',
    button: 'Go Annual – Save 25%',
    event: 'cta-annual-25',
    price: '£2,151.00',
    receipt: '£2,151.00 a year',
    bought: `${OFFER.productName}, annual`,
  },
] as const;

const readSampleEmail = (page: Page) => page.evaluate(() => localStorage.getItem('sampleEmail'));

test('a sample asked for on the sample site is a lead, and its address waits for the offers', async ({
  page,
  context,
  operator,
  sandbox,
}) => {
  const visitor = newVisitor();
  await page.goto('/');
  const opening = context.waitForEvent('page');
  await page.getByRole('link', { name: 'Download Free Sample', exact: true }).click();
  const sample = await opening;
  await sample.getByLabel('Full name').fill(visitor.fullName);
  await sample.getByLabel('Email address').fill(visitor.email);
  await sample.getByLabel('Company (optional)').fill(visitor.company);

  await sample.getByRole('button', { name: 'Send me the sample' }).click();

  await expect(sample.getByRole('heading', { level: 1, name: 'Sample Issue Ready!' })).toBeVisible();
  await expect(sample).toHaveURL('/sample-sent');
  await expect(sample.getByRole('main')).toContainText(visitor.email);
  await expect(sample.getByRole('main')).toContainText(/check your email/i);
  expect(await readSampleEmail(sample)).toBe(visitor.email);

  const lead = await operator.untilLeadIs(visitor.email, 'sent');
  expect(lead).toMatchObject({ formType: 'pre_sample', fullName: visitor.fullName, consentMarketing: false });
  expect((await sandbox.subscriber(visitor.email))?.last_request).toMatchObject({ double_opt_override: 'on' });
});

test('the address may come in the query too, and leaves the address bar before anything else', async ({ page }) => {
  const visitor = newVisitor();

  await page.goto(`/sample-sent?email=${encodeURIComponent(visitor.email)}&utm_source=sample`);

  await expect(page).toHaveURL('/sample-sent?utm_source=sample');
  expect(await readSampleEmail(page)).toBe(visitor.email);
});

for (const { plan, button, event, price, receipt, bought } of UPSELLS) {
  test(`'${button}' is counted, leads to a checkout at ${price}, and the receipt says the same`, async ({
    page,
    operator,
  }) => {
    const visitor = newVisitor();
    await page.goto(`/sample-sent#email=${encodeURIComponent(visitor.email)}`);
    await expect(page.getByRole('main')).toContainText(price);
    const tracked = page.waitForRequest('**/api/track');
    const asked = page.waitForRequest('**/api/checkout/upsell');

    await page.getByRole('button', { name: button }).click();

    expect((await tracked).postDataJSON()).toEqual({ event, page: 'sample-sent' });
    expect((await asked).postDataJSON()).toEqual({ plan, email: visitor.email });
    await onStripe(page);
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      utm_source: 'sample',
      utm_medium: 'page',
      utm_campaign: 'upsell',
    });
    await expect(page.getByLabel('Email')).toHaveValue(visitor.email);
    await payAndArrive(page);
    await expect(page.getByRole('region', { name: 'Receipt' })).toContainText(bought);
    await expect(page.getByRole('region', { name: 'Receipt' })).toContainText(receipt);
    await expect.poll(() => readSampleEmail(page)).toBeNull();
    await operator.untilLeadIs(visitor.email, 'sent');
  });
}

test('without a stored address the offers work all the same: Stripe asks for it', async ({ page, operator }) => {
  const visitor = newVisitor();
  await page.goto('/sample-sent');
  const asked = page.waitForRequest('**/api/checkout/upsell');

  await page.getByRole('button', { name: 'Go Annual – Save 25%' }).click();

  expect((await asked).postDataJSON()).toEqual({ plan: 'annual25' });
  await onStripe(page);
  await expect(page.getByLabel('Email')).toHaveValue('');
  await pay(page, { email: visitor.email, name: visitor.fullName });
  await expect(page.getByRole('region', { name: 'Receipt' })).toContainText('£2,151.00 a year');
  await operator.untilLeadIs(visitor.email, 'sent');
});

test('an offer whose checkout fails is logged, leaves the visitor where they are, and can be pressed again', async ({
  page,
  faults,
}) => {
  faults.expect(/^answer 503: POST \/api\/checkout\/upsell/);
  faults.expect(/^console error: The upsell checkout could not be opened/);
  await page.route('**/api/checkout/upsell', (route) => route.fulfill({ status: 503, body: 'no' }), { times: 1 });
  await page.goto('/sample-sent');
  const button = page.getByRole('button', { name: 'Get 15% Off – Monthly' });

  const failed = page.waitForResponse('**/api/checkout/upsell');
  await button.click();
  await failed;

  await expect(button).not.toHaveAttribute('aria-disabled', 'true');
  await expect(page).toHaveURL('/sample-sent');
  await expect(page.getByText('Subscription failed')).toBeHidden();
  await button.click();
  await onStripe(page);
});

test('a press that cannot be counted leads to checkout all the same', async ({ page, faults }) => {
  faults.expect(/^request failed: POST \/api\/track/);
  await page.route('**/api/track', (route) => route.abort());
  await page.goto('/sample-sent');

  await page.getByRole('button', { name: 'Get 15% Off – Monthly' }).click();

  await onStripe(page);
});
