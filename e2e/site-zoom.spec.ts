import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

import { openSubscribeForm } from './support/subscribe-form.ts';
import { test } from './support/system.fixture.ts';

// A window of 1280 by 1024, at 400 % zoom.
test.use({ viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 });
test.describe.configure({ timeout: 90_000 });

/**
 * Returns the obstacle that keeps the focused element from being fully visible and pressed, or
 * nothing.
 */
function toHiddenText(element: Element): string {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const name = `${element.tagName} ${element.textContent?.slice(0, 30) || element.getAttribute('name')}`;
  if (left < 0 || right > innerWidth)
    return `${name} sticks out sideways, from ${left} to ${right}`;
  // An element taller than the window can only be scrolled through.
  if (bottom - top > innerHeight)
    return bottom < 0 || top > innerHeight ? `${name} is out of sight` : '';
  // Browsers keep fractions of a pixel.
  if (top < -1 || bottom > innerHeight + 1) return `${name} is cut off, from ${top} to ${bottom}`;
  const inset = 4;
  for (const rect of element.getClientRects()) {
    for (const [x, y] of [
      [(rect.left + rect.right) / 2, (rect.top + rect.bottom) / 2],
      [rect.left + inset, rect.top + inset],
      [rect.right - inset, rect.bottom - inset],
    ] as const) {
      const hit = document.elementFromPoint(x, y);
      if (hit && !element.contains(hit) && !hit.contains(element)) {
        return `${name} is covered by ${hit.tagName} ${hit.className}`;
      }
    }
  }
  return '';
}

async function expectInSight(page: Page): Promise<void> {
  await expect.poll(() => page.locator(':focus').evaluate(toHiddenText)).toBe('');
}

/** Visits every element that the Tab key reaches, to the end or back to the start. */
async function walkThrough(page: Page, atLeast: number): Promise<void> {
  const seen = new Set<string>();
  for (let press = 0; press < 60; press += 1) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(() => {
      const focused = document.activeElement;
      if (!focused || focused === document.body) return null;
      const path = [];
      for (let element: Element | null = focused; element; element = element.parentElement) {
        path.push([...(element.parentElement?.children ?? [])].indexOf(element));
      }
      return path.join('.');
    });
    if (stop === null || seen.has(stop)) break;
    seen.add(stop);
    await expectInSight(page);
  }
  expect(seen.size).toBeGreaterThanOrEqual(atLeast);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
}

test('at 400 % zoom everything on the pages can be reached and seen', async ({ page, faults }) => {
  faults.expect(/^answer 404: GET \/no\/such-page/);
  for (const { path, stops } of [
    { path: '/', stops: 18 },
    { path: '/sample-sent', stops: 8 },
    { path: '/thank-you', stops: 4 },
    { path: '/subscribe', stops: 8 },
    { path: '/no/such-page', stops: 5 },
  ]) {
    await page.goto(path);
    await page.waitForLoadState('networkidle');
    await walkThrough(page, stops);
  }
  await page.goto('/');
  await openSubscribeForm(page, 'top_sub');
  await walkThrough(page, 7);
});
