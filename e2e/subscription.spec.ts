import { expect } from '@playwright/test';
import { formatPence, listPricePence } from '@site/schema/offer';

import { pay, payAndArrive } from './support/stripe-page.ts';
import { goToStripe } from './support/subscribe-form.ts';
import { test } from './support/system.fixture.ts';
import { newVisitor } from './support/visitor.ts';

/** The card is accepted, and fails at its first charge. */
const FAILS_LATER = '4000 0000 0000 0341';

test('a subscriber who cancels in the trial keeps the paid issue until it ends', async ({
  page,
  system,
  sandbox,
  operator,
}) => {
  const visitor = newVisitor();
  const tier = async () => (await sandbox.subscriber(visitor.email))?.subscription_tier;
  // The clock ends at its earlier time, for the tests that follow.
  await sandbox.moveStripeClock(-8);
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
});

test('a payer whose card fails keeps the paid issue only while Stripe retries', async ({
  page,
  sandbox,
  operator,
}) => {
  const visitor = newVisitor();
  const tier = async () => (await sandbox.subscriber(visitor.email))?.subscription_tier;
  await sandbox.moveStripeClock(-29);
  await goToStripe(page, visitor, 'nav_sub');
  await pay(page, { card: FAILS_LATER });
  await operator.untilLeadIs(visitor.email, 'sent');
  await expect.poll(tier).toBe('premium');

  await sandbox.moveStripeClock(9);
  expect(await tier()).toBe('premium');
  await sandbox.moveStripeClock(20);

  await expect.poll(tier).toBe('free');
});
