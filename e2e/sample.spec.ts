import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { OFFER } from '@site/schema/offer';

import { onStripe, pay, payAndArrive } from './support/stripe-page.ts';
import { test } from './support/system.fixture.ts';
import { newVisitor } from './support/visitor.ts';

const FROM_SAMPLE = { utm_source: 'sample', utm_medium: 'page', utm_campaign: 'upsell' };
const readSampleEmail = (page: Page) => page.evaluate(() => localStorage.getItem('sampleEmail'));
const receiptOf = (page: Page) => page.getByRole('region', { name: 'Receipt' });

test('a visitor requests the sample, becomes a lead, and takes the monthly offer', async ({
  page: landing,
  context,
  operator,
  sandbox,
}) => {
  const visitor = newVisitor();
  await landing.goto('/');
  const opening = context.waitForEvent('page');
  await landing.getByRole('link', { name: 'Download Free Sample', exact: true }).click();
  const page = await opening;
  await page.getByLabel('Full name').fill(visitor.fullName);
  await page.getByLabel('Email address').fill(visitor.email);
  await page.getByLabel('Company (optional)').fill(visitor.company);
  await page.getByRole('button', { name: 'Send me the sample' }).click();

  await expect(page.getByRole('heading', { level: 1, name: 'Sample Issue Ready!' })).toBeVisible();
  // The email leaves the address bar before anything else.
  await expect(page).toHaveURL('/sample-sent');
  await expect(page.getByRole('main')).toContainText(visitor.email);
  await expect(page.getByRole('main')).toContainText(/check your email/i);
  expect(await readSampleEmail(page)).toBe(visitor.email);
  const lead = await operator.untilLeadIs(visitor.email, 'sent');
  expect(lead).toMatchObject({
    formType: 'pre_sample',
    fullName: visitor.fullName,
    consentMarketing: false,
  });
  expect((await sandbox.subscriber(visitor.email))?.last_request).toMatchObject({
    double_opt_override: 'on',
  });

  const tracked = page.waitForRequest('**/api/track');
  const asked = page.waitForRequest('**/api/checkout/upsell');
  await page.getByRole('button', { name: 'Get 15% Off – Monthly' }).click();
  expect((await tracked).postDataJSON()).toEqual({ event: 'cta-monthly-15', page: 'sample-sent' });
  expect((await asked).postDataJSON()).toEqual({ plan: 'monthly15', email: visitor.email });
  await onStripe(page);
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual(FROM_SAMPLE);
  await expect(page.getByLabel('Email')).toHaveValue(visitor.email);
  await payAndArrive(page);

  await expect(receiptOf(page)).toContainText(`${OFFER.productName}, monthly`);
  await expect(receiptOf(page)).toContainText('£203.15 a month');
  await expect.poll(() => readSampleEmail(page)).toBeNull();
});

test(
  'a visitor without a stored email takes the annual offer, and Stripe asks for it',
  { tag: '@long' },
  async ({ page, operator }) => {
    const visitor = newVisitor();
    await page.goto('/sample-sent', { waitUntil: 'networkidle' });
    await expect(page.getByRole('main')).toContainText('£2,151.00');
    const tracked = page.waitForRequest('**/api/track');
    const asked = page.waitForRequest('**/api/checkout/upsell');

    await page.getByRole('button', { name: 'Go Annual – Save 25%' }).click();

    expect((await tracked).postDataJSON()).toEqual({ event: 'cta-annual-25', page: 'sample-sent' });
    expect((await asked).postDataJSON()).toEqual({ plan: 'annual25' });
    await onStripe(page);
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual(FROM_SAMPLE);
    await expect(page.getByLabel('Email')).toHaveValue('');
    await pay(page, { email: visitor.email, name: visitor.fullName });
    await expect(receiptOf(page)).toContainText(`${OFFER.productName}, annual`);
    await expect(receiptOf(page)).toContainText('£2,151.00 a year');
    // The payment alone made the lead.
    await operator.untilLeadIs(visitor.email, 'sent');
  },
);
