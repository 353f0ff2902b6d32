import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { nextIssue } from '@site/schema/calendar';
import { OFFER } from '@site/schema/offer';

import { checkoutIdOf, DECLINED_CARD, GOOD_CARD, onStripe, pay, welcome } from './stripe-page.ts';
import { goToStripe } from './subscribe-form.ts';
import { test } from './system.fixture.ts';
import { newVisitor } from './visitor.ts';

async function expectSpecifiedContent(page: Page): Promise<void> {
  const main = page.getByRole('main');
  await expect(page.getByRole('heading', { level: 1, name: `Welcome to ${OFFER.productName}!` })).toBeVisible();
  for (const card of [`${OFFER.trialDays}-day trial`, 'Next issue', 'Direct access']) {
    await expect(main.getByRole('term').filter({ hasText: card })).toBeVisible();
  }
  await expect(main).toContainText(`Issue #${nextIssue(new Date()).number}`);
  await expect(main.getByRole('heading', { name: 'Premium benefits' })).toBeVisible();
  await expect(main.getByRole('link', { name: OFFER.supportEmail }).first()).toHaveAttribute(
    'href',
    `mailto:${OFFER.supportEmail}`,
  );
  await expect(main.getByRole('link', { name: 'Back to home' })).toHaveAttribute('href', '/');
}

test('opened without a checkout it shows what a subscription brings, and claims no purchase', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));

  await page.goto('/thank-you');

  await expectSpecifiedContent(page);
  await expect(page.getByRole('region', { name: 'Receipt' })).toBeHidden();
  await expect(welcome(page)).toBeHidden();
  expect(asked.filter((path) => path.startsWith('/api/'))).toEqual([]);

  await page.getByRole('link', { name: 'Back to home' }).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Read the ledger');
});

test('a checkout that nobody knows is called that', async ({ page, faults }) => {
  faults.expect(/^answer 404: GET \/api\/checkout\/session\/cs_test_nobody_knows/);

  await page.goto('/thank-you?session_id=cs_test_nobody_knows');

  await expect(page.getByText('We found no checkout under this address')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Receipt' })).toBeHidden();
  await expectSpecifiedContent(page);
});

test('a checkout that is still open is not called paid', async ({ page, operator }) => {
  const visitor = newVisitor();
  await goToStripe(page, visitor);
  const id = checkoutIdOf(page);

  await page.goto(`/thank-you?session_id=${id}`);

  await expect(page.getByText('Stripe is still confirming your payment details.')).toBeVisible();
  await expect(welcome(page)).toBeHidden();
  await operator.untilLeadIs(visitor.email, 'sent');
});

test("a declined card stays on Stripe's page, and another one leads on to a receipt that stands a reload", async ({
  page,
  operator,
}) => {
  const visitor = newVisitor();
  await goToStripe(page, visitor, 'nav_sub');

  await pay(page, { card: DECLINED_CARD });

  await expect(page.getByRole('alert')).toContainText('Your card was declined.');
  await onStripe(page);

  await pay(page, { card: GOOD_CARD });

  await page.waitForURL(/\/thank-you\?session_id=cs_/);
  await expect(welcome(page)).toBeVisible();
  await page.reload();
  await expect(welcome(page)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Receipt' })).toContainText(visitor.email);
  await expectSpecifiedContent(page);
  await operator.untilLeadIs(visitor.email, 'sent');
});
