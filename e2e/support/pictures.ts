import { join } from 'node:path';

import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

const PICTURES = join(import.meta.dirname, '../screenshots');
const WIDTHS = [360, 768, 1440];
const NARROWEST = 320;
/** Chromium repeats a page from its top below 8,192 pixels. */
const LONGEST_PICTURE = 6_000;

export type Picture = {
  /**
   * The height of the window on a phone, for elements over the page. Without it, the whole page.
   */
  phoneHeight?: number;
  /** Restores a transient state at each width. */
  each?: () => Promise<void>;
};

/** Checks that the page does not scroll sideways. Names the elements that stick out. */
async function expectNoOverflow(page: Page, name: string): Promise<void> {
  const findOverflowing = () => {
    if (document.documentElement.scrollWidth <= window.innerWidth) return [];
    return Array.from(document.body.querySelectorAll('*'))
      .filter((element) => element.getBoundingClientRect().right > window.innerWidth)
      .map(({ tagName, textContent }) => `${tagName} ${textContent.slice(0, 40)}`);
  };
  await expect.poll(() => page.evaluate(findOverflowing), name).toEqual([]);
}

/**
 * Takes a picture of a state at every width, and checks that nothing overflows sideways, down to
 * 320 px and with large text.
 */
export async function takePictures(
  page: Page,
  name: string,
  { phoneHeight, each }: Picture = {},
): Promise<void> {
  for (const width of [NARROWEST, ...WIDTHS]) {
    await page.setViewportSize({ width, height: width < 768 ? (phoneHeight ?? 800) : 900 });
    await each?.();
    await expectNoOverflow(page, `${name} at ${width}`);
    if (width === NARROWEST) continue;
    await page.evaluate(() => document.fonts.ready);
    if (phoneHeight === undefined) await takeWholePage(page, `${name}-${width}`, width);
    else await page.screenshot({ path: pathOf(`${name}-${width}`), animations: 'disabled' });
    const large = await page.addStyleTag({ content: ':root { font-size: 200% }' });
    await expectNoOverflow(page, `${name} at ${width} with text of 200 %`);
    await large.evaluate((style) => style.parentElement?.removeChild(style));
  }
}

async function takeWholePage(page: Page, name: string, width: number): Promise<void> {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  for (let y = 0; y < height; y += LONGEST_PICTURE) {
    await page.screenshot({
      path: pathOf(y === 0 ? name : `${name}-from-${y}`),
      fullPage: true,
      animations: 'disabled',
      clip: { x: 0, y, width, height: Math.min(LONGEST_PICTURE, height - y) },
    });
  }
}

function pathOf(name: string): string {
  return join(PICTURES, `${name}.png`);
}
