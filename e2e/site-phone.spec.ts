import { expect } from '@playwright/test';
import type { Locator } from '@playwright/test';

import { onStripe, payAndArrive } from './support/stripe-page.ts';
import { openSubscribeForm, subscribeButton } from './support/subscribe-form.ts';
import { test } from './support/system.fixture.ts';
import { newVisitor } from './support/visitor.ts';

const PHONE = { width: 390, height: 664 };
test.use({ viewport: PHONE, hasTouch: true });

// At the narrowest width the title takes two lines. The last size is the window above a small
// phone's keyboard.
const SIZES = [
  PHONE,
  { width: 360, height: 640 },
  { width: 320, height: 640 },
  { width: 360, height: 320 },
];

const edgesOf = (part: Locator) =>
  part.evaluate((element) => {
    const { top, bottom, left, right } = element.getBoundingClientRect();
    return { top, bottom, left, right };
  });

test('on a phone the dialog scrolls to its button, and the visitor can pay', async ({ page }) => {
  const visitor = newVisitor();
  await page.goto('/');
  const form = await openSubscribeForm(page, 'top_sub');

  // The whole form is visible without scrolling.
  await expect(form.submit).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 360, height: 640 });
  await expect(form.submit).toBeInViewport({ ratio: 1 });
  for (const size of SIZES) {
    await page.setViewportSize(size);
    // The press at the previous size may still scroll the form.
    await expect(async () => {
      await form.submit.scrollIntoViewIfNeeded();
      await expect(form.submit).toBeInViewport({ ratio: 0.99, timeout: 100 });
      await expect(form.dialog.getByRole('button', { name: 'Close' })).toBeInViewport({
        ratio: 1,
        timeout: 100,
      });
      const panel = await edgesOf(form.dialog);
      const steps = await edgesOf(form.dialog.getByRole('region', { name: 'What happens next' }));
      expect(panel).toMatchObject({ left: 0, right: size.width });
      expect((await edgesOf(form.submit)).bottom).toBeLessThan(steps.top);
      expect(steps.bottom).toBeLessThanOrEqual(panel.bottom);
    }).toPass();

    await form.submit.tap();
    await expect(form.name).toBeFocused();
    await expect(form.name).toBeInViewport({ ratio: 0.99 });
    const head = form.dialog.getByRole('heading', { name: /^Subscribe to/ }).locator('..');
    const label = form.dialog.getByText('Full Name', { exact: true });
    await expect
      .poll(async () => (await edgesOf(label)).top - (await edgesOf(head)).bottom)
      .toBeGreaterThanOrEqual(0);
  }

  await page.setViewportSize(PHONE);
  await form.fill(visitor);
  await form.submit.tap();
  await onStripe(page);
  await page.getByRole('link', { name: /Cancel and go back/ }).tap();
  // The message, the button and the nearest fields are on one screen.
  await expect(form.dialog.getByText('You came back from Stripe without paying.')).toBeInViewport({
    ratio: 1,
  });
  await expect(form.dialog.getByRole('link', { name: 'Contact support' })).toBeInViewport({
    ratio: 1,
  });
  await expect(form.submit).toBeInViewport({ ratio: 1 });
  for (const label of ['Company (Optional)', 'Phone (Optional)'])
    await expect(form.dialog.getByLabel(label)).toBeInViewport({ ratio: 1 });
  await form.submit.tap();
  await onStripe(page);
  await payAndArrive(page);
});

test('Back closes the footer’s dialog on the same page, and Forward opens it as it was', async ({
  page,
}) => {
  await page.goto('/');
  const address = page.url();
  await page.getByRole('contentinfo').getByRole('button', { name: 'Subscribe Now' }).tap();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Full Name').fill('Priya Raman');

  await page.goBack();
  await expect(dialog).toBeHidden();
  expect(page.url()).toBe(address);
  await page.goForward();
  await expect(dialog.getByLabel('Full Name')).toHaveValue('Priya Raman');
  await dialog.getByRole('button', { name: 'Close' }).tap();
  await expect(dialog).toBeHidden();
  expect(page.url()).toBe(address);
});

const DIALOG_CODE = /SubscribeDialog-.*\.js/;

test('the form’s code is there before the tap', async ({ page }) => {
  const code = page.waitForEvent('requestfinished', (each) => DIALOG_CODE.test(each.url()));
  await page.goto('/');
  await code;
  await page.waitForLoadState('networkidle');

  // Nothing more can be loaded from now on.
  await page.context().setOffline(true);
  await subscribeButton(page, 'nav_sub').tap();
  await expect(page.getByRole('dialog')).toBeVisible();
});

test('a touch loads the form’s code while the page still loads', async ({ page }) => {
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  // The page's load event never comes.
  await page.route(/\.woff2/, () => undefined);
  await page.goto('/', { waitUntil: 'domcontentloaded' });
  // A tap before the page's script runs has no effect.
  await expect(async () => {
    await page.getByRole('heading', { level: 1 }).tap();
    expect(requested.some((url) => DIALOG_CODE.test(url))).toBe(true);
  }).toPass();
  expect(await page.evaluate(() => document.readyState)).toBe('interactive');
});

test(
  'on a slow network a tap is answered at once, and the form follows',
  { tag: '@long' },
  async ({ page }) => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(DIALOG_CODE, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto('/');

    await page
      .getByRole('banner')
      .getByRole('button', { name: /Subscribe/ })
      .first()
      .tap();
    await expect(page.getByText('Opening the form…')).toBeVisible();
    release();
    await expect(page.getByRole('dialog')).toBeVisible();
  },
);

test('the sample’s rows open in place, and close', async ({ page }) => {
  await page.goto('/');
  const toggle = page.locator('#sample-issue summary');
  await toggle.scrollIntoViewIfNeeded();
  const scrollY = () => page.evaluate(() => window.scrollY);
  const before = await scrollY();
  await toggle.tap();
  await expect(page.locator('#sample-issue tbody tr').last()).toBeVisible();
  expect(Math.abs((await scrollY()) - before)).toBeLessThan(5);

  await toggle.tap();
  await expect(page.locator('#sample-issue tbody tr').last()).toBeHidden();
});
