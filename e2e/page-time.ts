import type { Page } from '@playwright/test';

const A_MOMENT_MS = 1_000;

/** Stops the page's timers: what would go by itself stays, however long is looked at it, until time is run on. */
export async function stopTime(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + A_MOMENT_MS);
}
