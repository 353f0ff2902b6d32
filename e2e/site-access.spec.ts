import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';

import { findBarriers } from './barriers.ts';
import { PAGE_STATES } from './page-states.ts';
import { GOOD_CARD } from './stripe-page.ts';
import { subscribeForm } from './subscribe-form.ts';
import { test } from './system.fixture.ts';
import { newVisitor } from './visitor.ts';

const WIDTHS = [360, 768, 1440];
const NARROWEST = 320;

async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined)));
  });
}

for (const { name, open } of PAGE_STATES) {
  test(`${name}: nothing bars anybody, and nothing sticks out sideways, at any width`, async ({ page, faults }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await open(page, faults);
    await settle(page);

    for (const width of [NARROWEST, ...WIDTHS]) {
      await page.setViewportSize({ width, height: width < 768 ? 800 : 900 });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow, `sideways at ${width}`).toBeLessThanOrEqual(0);
      if (width !== NARROWEST) expect(await findBarriers(page), `barriers at ${width}`).toEqual([]);
    }
  });
}

async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let press = 0; press < 40; press += 1) {
    await page.keyboard.press('Tab');
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`The Tab key does not reach ${target.toString()}`);
}

test('the whole journey can be made with the keyboard alone', async ({ page, operator }) => {
  const visitor = newVisitor();
  await page.goto('/');
  await page.waitForLoadState('networkidle');

  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await tabTo(page, page.getByRole('banner').getByRole('button', { name: 'Subscribe Now' }));
  await page.keyboard.press('Space');
  const form = subscribeForm(page);
  await expect(form.name).toBeFocused();
  for (let press = 0; press < 12; press += 1) {
    await page.keyboard.press('Tab');
    expect(await form.dialog.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true);
  }
  await page.keyboard.press('Escape');
  await expect(page.getByRole('banner').getByRole('button', { name: 'Subscribe Now' })).toBeFocused();

  await page.keyboard.press('Enter');
  await expect(form.name).toBeFocused();
  await page.keyboard.type(visitor.fullName);
  await page.keyboard.press('Tab');
  await page.keyboard.type(visitor.email);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/c\/pay\/cs_/);

  await tabTo(page, page.getByLabel('Card number'));
  await page.keyboard.type(GOOD_CARD);
  await tabTo(page, page.getByLabel('Cardholder name'));
  await page.keyboard.type(visitor.fullName);
  await page.keyboard.press('Enter');

  await expect(page.getByText('Your trial has started.')).toBeVisible();
  await tabTo(page, page.getByRole('link', { name: 'Back to home' }));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/');
  await operator.untilLeadIs(visitor.email, 'sent');
});

test('the questions are opened and closed with the keyboard, one at a time', async ({ page }) => {
  await page.goto('/');
  const [first, second] = [page.locator('#faq button').first(), page.locator('#faq button').nth(1)];
  await first.focus();

  await page.keyboard.press('Enter');
  await expect(first).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('ArrowDown');
  await expect(second).toBeFocused();
  await page.keyboard.press('Space');
  await expect(second).toHaveAttribute('aria-expanded', 'true');
  await expect(first).toHaveAttribute('aria-expanded', 'false');
  await page.keyboard.press('Space');
  await expect(second).toHaveAttribute('aria-expanded', 'false');
});
