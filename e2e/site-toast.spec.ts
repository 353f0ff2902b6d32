import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';

import { stopTime } from './page-time.ts';
import { test } from './system.fixture.ts';

const TITLE = 'Subscription failed';

test.beforeEach(async ({ page, faults }) => {
  faults.expect(/^answer 503: POST \/api\/checkout\/session/);
  faults.expect(/^console error: The checkout could not be opened/);
  await page.route('**/api/lead/subscribe', (route) =>
    route.fulfill({ status: 201, json: { id: crypto.randomUUID(), beehiivStatus: 'pending' } }),
  );
  await page.route('**/api/checkout/session', (route) => route.fulfill({ status: 503, body: 'no' }));
});

/** Brings about a toast, in a page whose time stands still from then on: it stays until it is told otherwise. */
async function fail(page: Page): Promise<Locator> {
  await page.goto('/');
  await page.getByRole('banner').getByRole('button', { name: 'Subscribe Now' }).click();
  await page.getByLabel('Full Name').fill('Priya Raman');
  await page.getByLabel('Email Address').fill('priya@northgate.example');
  await stopTime(page);
  await page.getByRole('button', { name: 'Continue to checkout' }).click();
  const toast = page.getByRole('listitem').filter({ hasText: TITLE });
  await expect(toast).toBeVisible();
  await expect(toast).toContainText('Please try again or contact support.');
  return toast;
}

/** Drags a toast to the right by so many pixels, as a finger or a mouse does. */
async function swipe(page: Page, toast: Locator, pixels: number): Promise<void> {
  await expect.poll(() => toast.evaluate((element) => element.getAnimations().length)).toBe(0);
  const box = (await toast.boundingBox())!;
  const [x, y] = [box.x + 40, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (const step of [12, 24, 36, pixels]) await page.mouse.move(x + step, y);
  await page.mouse.up();
}

test('a toast swiped to the right by 50 pixels goes, by less it stays', async ({ page }) => {
  const toast = await fail(page);

  await swipe(page, toast, 48);
  await expect(toast).toHaveAttribute('data-state', 'open');

  await swipe(page, toast, 51);
  await expect(toast).toBeHidden();
});

test('a toast swiped to the left stays', async ({ page }) => {
  const toast = await fail(page);

  await swipe(page, toast, -120);

  await expect(toast).toHaveAttribute('data-state', 'open');
});

test('F8 goes to the toasts, even out of the dialog', async ({ page }) => {
  const toast = await fail(page);

  await page.keyboard.press('F8');

  const region = page.getByRole('region', { name: 'Notifications (F8)' });
  await expect.poll(() => region.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  await page.keyboard.press('Tab');
  await expect(toast).toBeFocused();
});

test('a toast stands for five seconds', async ({ page }) => {
  const toast = await fail(page);

  await page.clock.runFor(4_900);
  await expect(toast).toBeVisible();
  await page.clock.runFor(200);

  await expect(toast).toBeHidden();
});

test('a second failure shows one toast, not two', async ({ page }) => {
  const toast = await fail(page);

  const answered = page.waitForResponse('**/api/checkout/session');
  await page.getByRole('button', { name: 'Continue to checkout' }).click();
  await answered;
  await expect(page.getByRole('button', { name: 'Continue to checkout' })).not.toHaveAttribute('aria-disabled', 'true');

  await expect(toast).toHaveCount(1);
});
