import { expect } from '@playwright/test';

import { findBarriers } from './support/barriers.ts';
import { takePictures } from './support/pictures.ts';
import { test } from './support/third-party.fixture.ts';

test('the cookie question: pictures, and axe finds nothing', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('region', { name: 'Your choice.' })).toBeVisible();

  expect(await findBarriers(page)).toEqual([]);
  await takePictures(page, 'consent', { phoneHeight: 800 });
});

test('on the form’s own page the cookie question is at the end, and moves nothing', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 640 });
  // A late font moves a little, even without the notice, so fonts are blocked.
  await page.route('**/*.woff2', () => undefined);
  await page.addInitScript(() => {
    const shifts = { total: 0 };
    Object.assign(window, { shifts });
    type Shift = PerformanceEntry & { value: number };
    const add = (list: PerformanceObserverEntryList) =>
      (list.getEntries() as Shift[]).forEach(({ value }) => (shifts.total += value));
    new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto('/subscribe', { waitUntil: 'commit' });
  const question = page.getByRole('region', { name: 'Your choice.' });
  await expect(question).toBeVisible();
  expect(
    await page.evaluate(() => (window as unknown as { shifts: { total: number } }).shifts.total),
  ).toBe(0);

  const bottom = await question.evaluate(
    (element) => element.getBoundingClientRect().bottom + window.scrollY,
  );
  expect(Math.round(bottom)).toBe(await page.evaluate(() => document.documentElement.scrollHeight));
  await expect(question).not.toBeInViewport();
});
