import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

import { findBarriers } from './barriers.ts';
import { PAGE_STATES } from './page-states.ts';
import { test } from './system.fixture.ts';

const WIDTHS = [360, 768, 1440];
const NARROWEST = 320;

async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined)));
  });
}

for (const { name, open } of PAGE_STATES) {
  test(`${name}: axe finds nothing, and nothing overflows at any width`, async ({ page, faults }) => {
    // The landing page is long, and axe reads it at three widths.
    test.setTimeout(120_000);
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

test('FAQ items open and close with the keyboard, one at a time', async ({ page }) => {
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
