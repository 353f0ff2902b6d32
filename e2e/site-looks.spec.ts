import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

import { findBarriers } from './support/barriers.ts';
import { PAGE_STATES } from './support/page-states.ts';
import { takePictures } from './support/pictures.ts';
import { test } from './support/system.fixture.ts';

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
  test(`${name}: pictures, axe finds nothing, and nothing overflows at any width`, async ({
    page,
    faults,
  }) => {
    // The landing page is long, and axe reads it at every width.
    test.setTimeout(180_000);
    await page.goto('/');
    await open(page, faults);
    await settle(page);

    await takePictures(page, name.replaceAll(/\W+/g, '-'), {
      ...(name.startsWith('dialog') && { phoneHeight: 1_400 }),
      each: async () => expect(await findBarriers(page), name).toEqual([]),
    });
  });
}
