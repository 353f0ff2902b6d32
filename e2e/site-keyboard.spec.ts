import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';

import { findBarriers } from './support/barriers.ts';
import { GOOD_CARD, onStripe, welcome } from './support/stripe-page.ts';
import { subscribeForm } from './support/subscribe-form.ts';
import { test } from './support/system.fixture.ts';
import { newVisitor } from './support/visitor.ts';

async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let press = 0; press < 40; press += 1) {
    await page.keyboard.press('Tab');
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`The Tab key does not reach ${target.toString()}`);
}

/** Returns the page's scroll position once it is drawn. */
const scrollOf = (page: Page) =>
  page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => resolve(window.scrollY))),
  );

test('a visitor subscribes and pays with the keyboard alone', async ({ page, operator }) => {
  const visitor = newVisitor();
  await page.goto('/');
  await page.waitForLoadState('networkidle');
  // The page is opened again at its URL, after it was scrolled to its end.
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expect.poll(() => scrollOf(page)).toBeGreaterThan(1_000);
  const opened = page.waitForEvent('load');
  await page.evaluate(() => window.location.assign('/'));
  await opened;
  await page.waitForLoadState('networkidle');

  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await tabTo(page, page.getByRole('banner').getByRole('button', { name: 'Subscribe Now' }));
  await page.keyboard.press('Space');
  const form = subscribeForm(page);
  await expect(form.name).toBeFocused();
  expect(await findBarriers(page)).toEqual([]);
  for (let press = 0; press < 12; press += 1) {
    await page.keyboard.press('Tab');
    expect(await form.dialog.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(
      true,
    );
  }
  await page.keyboard.press('Escape');
  await expect(
    page.getByRole('banner').getByRole('button', { name: 'Subscribe Now' }),
  ).toBeFocused();
  expect(await scrollOf(page)).toBe(0);

  await page.keyboard.press('Enter');
  await expect(form.name).toBeFocused();
  await page.keyboard.type(visitor.fullName);
  await page.keyboard.press('Tab');
  await page.keyboard.type(visitor.email);
  await page.keyboard.press('Enter');
  await onStripe(page);

  await tabTo(page, page.getByLabel('Card number'));
  await page.keyboard.type(GOOD_CARD);
  await tabTo(page, page.getByLabel('Cardholder name'));
  await page.keyboard.type(visitor.fullName);
  await page.keyboard.press('Enter');

  await expect(welcome(page)).toBeVisible();
  await tabTo(page, page.getByRole('link', { name: 'Back to home' }));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/');
  await operator.untilLeadIs(visitor.email, 'sent');
});
