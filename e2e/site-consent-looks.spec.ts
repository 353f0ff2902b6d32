import { expect } from '@playwright/test';

import { findBarriers } from './barriers.ts';
import { takePictures } from './pictures.ts';
import { test } from './third-party.fixture.ts';

test('the cookie question: pictures, and axe finds nothing', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('region', { name: 'Your choice.' })).toBeVisible();

  expect(await findBarriers(page)).toEqual([]);
  await takePictures(page, 'consent', { phoneHeight: 800 });
});

test('on a phone the cookie question moves no page, and hides while the form is filled in, or says that one is offline', async ({
  page,
  context,
}) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await page.addInitScript(() => {
    const shifts = { total: 0 };
    Object.assign(window, { shifts });
    type Shift = PerformanceEntry & { value: number };
    const add = (list: PerformanceObserverEntryList) =>
      (list.getEntries() as Shift[]).forEach(({ value }) => (shifts.total += value));
    new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto('/subscribe');
  const question = page.getByRole('region', { name: 'Your choice.' });
  await expect(question).toBeVisible();
  expect(await page.evaluate(() => (window as unknown as { shifts: { total: number } }).shifts.total)).toBe(0);

  await page.getByLabel('Full Name').click();
  await expect(question).toBeHidden();
  await page.getByRole('heading', { level: 1 }).click();
  await expect(question).toBeVisible();

  await context.setOffline(true);
  await expect(question).toBeHidden();
  await context.setOffline(false);
  await expect(question).toBeVisible();
});
