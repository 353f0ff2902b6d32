import type { Page } from '@playwright/test';

const A_MOMENT_MS = 1_000;

/** Stops a clock that was installed before the page was opened. */
export async function pauseTime(page: Page): Promise<void> {
  await page.clock.pauseAt(Date.now() + A_MOMENT_MS);
}

/** Stops the page's timers: what would go by itself stays, however long is looked at it, until time is run on. */
export async function stopTime(page: Page): Promise<void> {
  await page.clock.install();
  await pauseTime(page);
}
