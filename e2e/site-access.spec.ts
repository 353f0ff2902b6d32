import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

import { findBarriers } from './support/barriers.ts';
import { PAGE_STATES } from './support/page-states.ts';
import { test } from './support/system.fixture.ts';

const WIDTHS = [360, 768, 1440];
const NARROWEST = 320;

async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    // A ring that turns while somebody waits has no end.
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getTiming().iterations !== Infinity);
    await Promise.all(ending.map((animation) => animation.finished.catch(() => undefined)));
  });
}

for (const { name, open } of PAGE_STATES) {
  test(`${name}: axe finds nothing, and nothing overflows at any width`, async ({
    page,
    faults,
  }) => {
    // The landing page is long, and axe reads it at three widths.
    test.setTimeout(120_000);
    await page.setViewportSize({ width: 1440, height: 900 });
    await open(page, faults);
    await settle(page);

    for (const width of [NARROWEST, ...WIDTHS]) {
      await page.setViewportSize({ width, height: width < 768 ? 800 : 900 });
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - window.innerWidth,
      );
      expect(overflow, `sideways at ${width}`).toBeLessThanOrEqual(0);
      if (width !== NARROWEST) expect(await findBarriers(page), `barriers at ${width}`).toEqual([]);
    }
  });
}

test('FAQ items open and close with the keyboard, one at a time', async ({ page }) => {
  await page.goto('/');
  const questions = page.locator('#faq summary');
  const open = page.locator('#faq details[open]');
  await questions.first().focus();

  await page.keyboard.press('Enter');
  await expect(open).toContainText(await questions.first().innerText());
  await page.keyboard.press('Tab');
  await expect(questions.nth(1)).toBeFocused();
  await page.keyboard.press('Space');
  await expect(open).toContainText(await questions.nth(1).innerText());
  await expect(open).toHaveCount(1);
  await page.keyboard.press('Space');
  await expect(open).toHaveCount(0);
});
