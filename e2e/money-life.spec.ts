import { expect } from '@playwright/test';

import { pay, payAndArrive } from './stripe-page.ts';
import { goToStripe } from './subscribe-form.ts';
import { test } from './system.fixture.ts';
import { newVisitor } from './visitor.ts';

// A system of its own: Stripe's clock is moved here, and never goes back.
test.use({ settings: { SUPPORT_EMAIL: 'life@liquidationledger.example' } });

// Lead, queue, rate limiter and the worker's own timer come one after the other.
test.describe.configure({ timeout: 60_000 });
const PATIENCE = { timeout: 20_000 };

/** The card that is taken, and fails at its first charge. */
const FAILS_LATER = '4000 0000 0000 0341';

test('a subscriber gets the paid issue once the trial begins, ends it on Stripe’s page, and has it until then', async ({
  page,
  system,
  sandbox,
  operator,
}) => {
  const visitor = newVisitor();
  const tier = async () => (await sandbox.subscriber(visitor.email))?.subscription_tier;
  await goToStripe(page, visitor);
  await payAndArrive(page);
  await operator.untilLeadIs(visitor.email, 'sent');
  await expect.poll(tier, PATIENCE).toBe('premium');

  await page.goto(`${system.sandboxUrl}/p/login`);
  await page.getByLabel('Email').fill(visitor.email);
  await page.getByRole('button', { name: 'Show my subscriptions' }).click();
  await page.getByRole('button', { name: 'Cancel at period end' }).click();
  await expect(page.getByText('Cancels on')).toBeVisible();
  await sandbox.moveStripeClock(6);
  expect(await tier()).toBe('premium');
  await sandbox.moveStripeClock(2);

  await expect.poll(tier, PATIENCE).toBe('free');
});

test('a card that fails after the trial keeps the paid issue while Stripe tries again, and loses it then', async ({
  page,
  sandbox,
  operator,
}) => {
  const visitor = newVisitor();
  const tier = async () => (await sandbox.subscriber(visitor.email))?.subscription_tier;
  await goToStripe(page, visitor, 'nav_sub');
  await pay(page, { card: FAILS_LATER });
  await operator.untilLeadIs(visitor.email, 'sent');
  await expect.poll(tier, PATIENCE).toBe('premium');

  await sandbox.moveStripeClock(9);
  expect(await tier()).toBe('premium');
  await sandbox.moveStripeClock(20);

  await expect.poll(tier, PATIENCE).toBe('free');
});
