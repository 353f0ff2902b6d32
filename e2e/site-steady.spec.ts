import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

import { PAGE_STATES } from './support/page-states.ts';
import { test } from './support/system.fixture.ts';

const MAX_SHIFT = 0.02;
/**
 * States that appear once the URL is opened, without a press. Nothing in them may move meanwhile.
 */
const LOADED = [
  'landing',
  'sample sent to an email',
  'thank you',
  'thank you confirmed',
  'thank you processing',
  'thank you unknown',
  'thank you not finished',
  'thank you unreachable',
  'not found',
  'subscribe page',
];

const WIDTHS = [360, 768, 1440];
/** The receipt comes after its page, so it is also checked between the usual widths. */
const RECEIPT_WIDTHS = [360, 768, 1024, 1280, 1440];

type Shift = { value: number; moved: string[] };

async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: Shift[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, sources = [] } = entry as unknown as {
          value: number;
          sources?: { node?: Element }[];
        };
        const moved = sources.map(({ node }) => node?.textContent?.slice(0, 40) ?? '');
        shifts.push({ value, moved });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

async function holdBack(page: Page, files: string, ms: number): Promise<void> {
  await page.route(files, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    await route.continue();
  });
}

/** Late fonts replace the system's on the page. */
const FONTS = [
  { face: 'its own fonts', lateMs: 0 },
  { face: 'the system’s fonts', lateMs: 1_500 },
];

for (const state of PAGE_STATES.filter(({ name }) => LOADED.includes(name))) {
  for (const width of state.name === 'thank you confirmed' ? RECEIPT_WIDTHS : WIDTHS) {
    for (const { face, lateMs } of FONTS) {
      test(`${state.name}: nothing moves while it loads, at ${width}, in ${face}`, async ({
        page,
        faults,
      }) => {
        await page.setViewportSize({ width, height: width < 768 ? 800 : 900 });
        await watchShifts(page);
        // Late scripts, as on a slow line: the page first appears without them.
        await holdBack(page, '**/assets/*.js', 400);
        await holdBack(page, '**/*.woff2', lateMs);

        await state.open(page, faults);
        await page.waitForLoadState('networkidle');
        await page.evaluate(() => document.fonts.ready);
        await page.evaluate(
          () =>
            new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
        );

        const shifts = await page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts);
        const sum = shifts.reduce((total, { value }) => total + value, 0);
        expect(sum, JSON.stringify(shifts)).toBeLessThanOrEqual(MAX_SHIFT);
      });
    }
  }
}
