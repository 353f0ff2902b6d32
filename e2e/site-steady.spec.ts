import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

import { PAGE_STATES } from './page-states.ts';
import { test } from './system.fixture.ts';

const MOST_SHIFT = 0.02;
/** States that are there by themselves once the address is opened: nothing in them may move on the way. */
const LOADED = [
  'landing',
  'sample sent to an address',
  'thank you',
  'thank you confirmed',
  'not found',
  'subscribe page',
];

type Shift = { value: number; moved: string[] };

async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: Shift[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, sources = [] } = entry as unknown as { value: number; sources?: { node?: Element }[] };
        const moved = sources.map(({ node }) => node?.textContent?.slice(0, 40) ?? '');
        shifts.push({ value, moved });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

for (const state of PAGE_STATES.filter(({ name }) => LOADED.includes(name))) {
  for (const width of [360, 768, 1440]) {
    test(`${state.name}: nothing moves while it loads, at ${width}`, async ({ page, faults }) => {
      await page.setViewportSize({ width, height: width < 768 ? 800 : 900 });
      await watchShifts(page);
      // Late fonts and scripts, as on a slow line: the page is seen without them first.
      for (const late of ['**/*.woff2', '**/assets/*.js']) {
        await page.route(late, async (route) => {
          await new Promise((resolve) => setTimeout(resolve, 400));
          await route.continue();
        });
      }

      await state.open(page, faults);
      await page.waitForLoadState('networkidle');
      await page.evaluate(() => document.fonts.ready);
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

      const shifts = await page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts);
      const sum = shifts.reduce((total, { value }) => total + value, 0);
      expect(sum, JSON.stringify(shifts)).toBeLessThanOrEqual(MOST_SHIFT);
    });
  }
}
