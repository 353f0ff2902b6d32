import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';

import { GOOD_CARD, onStripe, welcome } from './support/stripe-page.ts';
import { subscribeButton, subscribeForm } from './support/subscribe-form.ts';
import { test } from './support/system.fixture.ts';
import { newVisitor } from './support/visitor.ts';

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

async function press(page: Page, target: Locator): Promise<void> {
  await target.focus();
  await expectInSight(page);
  await page.keyboard.press('Enter');
}

async function type(page: Page, field: Locator, text: string): Promise<void> {
  await field.focus();
  await expectInSight(page);
  await page.keyboard.type(text);
  await expect(field).toHaveValue(text);
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
});

test('at 400 % zoom a visitor can subscribe and pay', async ({ page, operator }) => {
  const visitor = newVisitor();
  await page.goto('/');
  await press(page, subscribeButton(page, 'top_sub'));
  const form = subscribeForm(page);
  await expect(form.name).toBeFocused();
  await walkThrough(page, 7);

  await type(page, form.name, visitor.fullName);
  await type(page, form.email, 'priya@northgate');
  await press(page, form.submit);
  await expect(form.email).toBeFocused();
  await expectInSight(page);
  await expect(form.dialog.getByText('It needs an ending')).toBeInViewport();
  await form.email.fill('');
  await type(page, form.email, visitor.email);
  await press(page, form.submit);

  await onStripe(page);
  await page.getByLabel('Card number').fill(GOOD_CARD);
  await page.getByLabel('Cardholder name').fill(visitor.fullName);
  await page.keyboard.press('Enter');
  await expect(welcome(page)).toBeVisible();
  await walkThrough(page, 4);
  await press(page, page.getByRole('link', { name: 'Back to home' }));
  await expect(page).toHaveURL('/');
  await operator.untilLeadIs(visitor.email, 'sent');
});

test('at 400 % zoom a failure is shown in view', async ({ page, faults }) => {
  faults.expect(/^request failed: POST \/api\/(?:lead\/subscribe|checkout\/session)/);
  faults.expect(/^console error: /);
  await page.route('**/api/{lead,checkout}/**', (route) => route.abort());
  await page.goto('/');
  await press(page, subscribeButton(page, 'nav_sub'));
  const form = subscribeForm(page);
  await type(page, form.name, 'Priya Raman');
  await type(page, form.email, 'priya@northgate.example');
  await press(page, form.submit);

  await expect(
    page.getByText('Please try again or contact support.', { exact: true }),
  ).toBeInViewport({ ratio: 1 });
});

test('at 400 % zoom the header fits in every font', async ({ page }) => {
  // The widest fonts: the system's, for our name and a button.
  await page.route(/sans[^/]*\.woff2/i, () => undefined);
  // The load event waits for the fonts.
  await page.goto('/', { waitUntil: 'domcontentloaded' });
  const button = subscribeButton(page, 'nav_sub');
  await expect(button).toBeVisible();

  await button.focus();

  await expectInSight(page);
});

test('at 400 % zoom an operator can log in', async ({ page, system, faults }) => {
  faults.expect(/^answer 401: GET \/api\/admin\/me/);
  await page.goto('/admin-leads');
  await type(page, page.getByLabel('Username'), system.login.username);
  await type(page, page.getByLabel('Password'), system.login.password);
  await press(page, page.getByRole('button', { name: 'Log in' }));

  await expect(page.getByRole('heading', { name: 'Leads', exact: true })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});
