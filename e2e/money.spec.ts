import { expect } from '@playwright/test';

import { checkoutIdOf, onStripe, pay, payAndArrive, welcome } from './stripe-page.ts';
import { fillSubscribeForm, goToStripe } from './subscribe-form.ts';
import { test } from './system.fixture.ts';
import { newVisitor } from './visitor.ts';

/** Less than what the browser waits before it gives up by itself. */
const TOLD_BY_US = { timeout: 18_000 };

test('whoever goes back from the receipt is told by Stripe that it is done, and is not asked to pay again', async ({
  page,
  operator,
}) => {
  const visitor = newVisitor();
  await goToStripe(page, visitor);
  await payAndArrive(page);

  await page.goBack();

  await expect(page.getByText('This checkout is complete.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Subscribe' })).toBeHidden();
  await page.goForward();
  await expect(welcome(page)).toBeVisible();
  await operator.untilLeadIs(visitor.email, 'sent');
});

test('of two tabs the one that pays second is told that the address has a subscription', async ({
  page,
  context,
  operator,
  faults,
}) => {
  faults.expect(/^answer 409: POST \/api\/checkout\/session/);
  const visitor = newVisitor();
  const other = await context.newPage();
  const waiting = await fillSubscribeForm(other, visitor);
  await goToStripe(page, visitor);
  await payAndArrive(page);

  await waiting.submit.click();

  await expect(waiting.dialog).toContainText('To see, change or cancel it');
  await operator.untilLeadIs(visitor.email, 'sent');
});

test('a checkout left open in one tab and paid in the other is confirmed in both', async ({
  page,
  context,
  operator,
}) => {
  const visitor = newVisitor();
  await goToStripe(page, visitor);
  const session = checkoutIdOf(page);
  const waiting = await context.newPage();
  await waiting.goto(`/thank-you?session_id=${session}`);
  await expect(waiting.getByText('Stripe is still confirming your payment details.')).toBeVisible();

  await payAndArrive(page);
  await waiting.reload();

  await expect(welcome(waiting)).toBeVisible();
  await operator.untilLeadIs(visitor.email, 'sent');
});

test('a Stripe that is slow is waited for', async ({ page, sandbox, operator }) => {
  const visitor = newVisitor();
  const form = await fillSubscribeForm(page, visitor);
  await sandbox.fault({ target: 'stripe', mode: 'slow', delayMs: 1_500 });

  await form.submit.click();

  await onStripe(page);
  await sandbox.heal();
  await operator.untilLeadIs(visitor.email, 'sent');
});

test('a connection that Stripe drops once is tried again without a word', async ({ page, sandbox, operator }) => {
  const visitor = newVisitor();
  const form = await fillSubscribeForm(page, visitor);
  await sandbox.fault({ target: 'stripe', mode: 'reset', times: 1 });

  await form.submit.click();

  await onStripe(page);
  await operator.untilLeadIs(visitor.email, 'sent');
});

for (const mode of ['hang', 'reset', 'status'] as const) {
  test(`when Stripe does nothing but ${mode}, the visitor is told, keeps what was typed, and can pay once it is well`, async ({
    page,
    sandbox,
    operator,
    faults,
  }) => {
    faults.expect(/^answer 503: POST \/api\/checkout\/session/);
    faults.expect(/^console error: The checkout could not be opened/);
    const visitor = newVisitor();
    const form = await fillSubscribeForm(page, visitor);
    await sandbox.fault({ target: 'stripe', mode });

    await form.submit.click();

    await expect(page.getByText('Subscription failed', { exact: true })).toBeVisible(TOLD_BY_US);
    await expect(page.getByText('Please try again or contact support.', { exact: true })).toBeVisible();
    await expect(form.submit).not.toContainText('Processing...');
    await form.expectFilledWith(visitor);
    await sandbox.heal();
    await form.submit.click();
    await onStripe(page);
    await operator.untilLeadIs(visitor.email, 'sent');
  });
}

test('a receipt waits for a Stripe that is away, and is shown when it is back', async ({
  page,
  sandbox,
  operator,
  faults,
}) => {
  faults.expect(/^answer 503: GET \/api\/checkout\/session\/cs_/);
  const visitor = newVisitor();
  await goToStripe(page, visitor);
  await sandbox.fault({ target: 'stripe', mode: 'status', status: 500 });

  await pay(page);
  await page.waitForURL(/\/thank-you\?session_id=cs_/);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Welcome');
  await expect(page.getByText('We cannot reach Stripe for your receipt right now.')).toBeVisible();
  await expect(welcome(page)).toBeHidden();
  await sandbox.heal();
  await page.reload();

  await expect(welcome(page)).toBeVisible();
  await operator.untilLeadIs(visitor.email, 'sent');
});
