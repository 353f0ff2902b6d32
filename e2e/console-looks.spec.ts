import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

import { findBarriers } from './support/barriers.ts';
import { blockCalls } from './support/blocked-calls.ts';
import { aFortnight } from './support/console-figures.ts';
import { chooseInAccountMenu, entryOf, postLead, untilLive } from './support/console.ts';
import { addSent } from './support/lead-steps.ts';
import { takePictures } from './support/pictures.ts';
import type { Picture } from './support/pictures.ts';
import { test } from './support/system.fixture.ts';
import { newVisitor } from './support/visitor.ts';

/** The dates of the figures. */
const FORTNIGHT = 'startDate=2025-11-20&endDate=2025-12-03';

/** Takes pictures at every width, and checks for barriers. */
async function look(page: Page, name: string, picture?: Picture): Promise<void> {
  await takePictures(page, name, picture);
  expect(await findBarriers(page), name).toEqual([]);
}

test('the console with leads of every kind, its drawer, and its other views', async ({
  operator,
  operatorPage: page,
  request,
}) => {
  // Ten views in two themes at every width.
  test.setTimeout(300_000);
  const names = [
    'Amelia Thornton',
    'Friedrich-Wilhelm von Hohenlohe-Schillingsfürst',
    'محمد عبد الرحمن الشمري',
    'N'.repeat(200),
    'Kenji Watanabe',
  ];
  for (const fullName of names)
    await postLead(request, newVisitor({ fullName }), { utmSource: 'nav_sub' });
  await postLead(request, newVisitor(), { formType: 'pre_sample', utmSource: 'sample_site' });
  const quarantined = newVisitor();
  await postLead(request, quarantined, { website: 'https://buy.example' });
  const visitor = newVisitor({ fullName: 'Oliver Haddow', tag: '422' });
  await postLead(request, visitor, { consentMarketing: true, utmSource: 'top_sub' });
  const lead = await operator.untilLeadIs(visitor.email, 'failed');
  // A retry may help this lead.
  const refused = newVisitor({ tag: '400' });
  await postLead(request, refused);
  await operator.untilLeadIs(refused.email, 'failed');

  await page.goto('/admin-leads');
  await untilLive(page);
  await expect(page.getByRole('region', { name: 'Leads by day' })).toBeVisible();
  await look(page, 'console-full');
  await chooseInAccountMenu(page, 'Dark theme');
  await look(page, 'console-full-dark');

  await page.goto(`/admin-leads?lead=${lead.id}`);
  await expect(page.getByRole('dialog')).toContainText('Email is invalid');
  await look(page, 'console-drawer-dark', { phoneHeight: 1_400 });
  await page.evaluate(() => localStorage.setItem('consoleTheme', 'light'));
  await page.reload();
  await expect(page.getByRole('dialog')).toContainText('Email is invalid');
  await look(page, 'console-drawer', { phoneHeight: 1_400 });

  await page.goto('/admin-leads?status=failed');
  await page.getByRole('button', { name: 'Retry failed…' }).click();
  await expect(page.getByRole('dialog')).toContainText('1 of 2 failed leads.');
  await look(page, 'console-retry', { phoneHeight: 800 });

  for (const view of [
    'overview',
    'money',
    'money&people=money-in',
    'people',
    'sync',
    'activity',
    'account',
  ]) {
    await page.goto(`/admin-leads?view=${view}`);
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText(/^Loading/)).toHaveCount(0);
    await look(page, `console-${view.replace('&', '-')}`);
    await chooseInAccountMenu(page, 'Dark theme');
    await look(page, `console-${view.replace('&', '-')}-dark`);
    await chooseInAccountMenu(page, 'Light theme');
  }
});

test('charts of two weeks in both themes', async ({ operatorPage: page, operator, request }) => {
  test.setTimeout(120_000);
  // Without a lead, the overview has no funnel.
  await addSent({ operator, request });
  await page.route('**/api/admin/charts*', (route) => route.fulfill({ json: aFortnight() }));
  for (const theme of ['light', 'dark']) {
    await page.goto('/admin-leads');
    await page.evaluate((wanted) => localStorage.setItem('consoleTheme', wanted), theme);
    await page.goto(`/admin-leads?${FORTNIGHT}`);
    const day = page.getByRole('region', { name: 'Leads by day' });
    await expect(day.locator('li [data-tone]').first()).toBeVisible();
    await look(page, `console-charts-${theme}`);
    await page.goto('/admin-leads?view=overview');
    await expect(page.getByRole('heading', { name: 'From visitor to payer' })).toBeVisible();
    await look(page, `console-overview-${theme}`);
  }
});

const byDay = (page: Page) => page.getByRole('region', { name: 'Leads by day' });

test('nothing moves when the charts load, at any width', async ({
  operatorPage: page,
  operator,
  request,
}) => {
  await addSent({ operator, request });
  for (const width of [768, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const json = aFortnight();
    const release = await blockCalls(page, '**/api/admin/charts*', (route) =>
      route.fulfill({ json }),
    );
    // With a filter, the set-up steps are not above the table.
    await page.goto('/admin-leads?formType=pre_buy');
    const table = page.getByRole('table', { name: 'Leads' });
    await expect(table.getByRole('rowheader').first()).toBeVisible();
    const before = await table.boundingBox();

    release();

    await expect(page.getByRole('region', { name: 'By source' })).toContainText('268');
    expect((await table.boundingBox())?.y, `at ${width}`).toBe(before?.y);
    await page.unroute('**/api/admin/charts*');
  }
});

test('on a phone the highest figure of a chart stays in the page', async ({
  operator,
  operatorPage: page,
  request,
}) => {
  await addSent({ operator, request });
  const delivery = await (await page.request.get('/api/admin/sync/delivery')).json();
  // The last column is at the edge. Its figure adds up both, and other tests' leads may have failed.
  Object.assign(delivery.days.at(-1), { sent: 12_345_678, failed: 0 });
  await page.route('**/api/admin/sync/delivery', (route) => route.fulfill({ json: delivery }));
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/admin-leads?view=sync');
  const chart = page.getByRole('region', { name: 'Sent and failed by day' });
  const figure = chart.getByText('12,345,678', { exact: true });
  await expect(figure).toBeVisible();

  const right = await figure.evaluate((element) => {
    const words = document.createRange();
    words.selectNodeContents(element);
    return words.getBoundingClientRect().right;
  });
  expect(right).toBeLessThanOrEqual(390 - 15);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

test('charts use the dark theme’s colours and do not animate', async ({ operatorPage: page }) => {
  await page.route('**/api/admin/charts*', (route) => route.fulfill({ json: aFortnight() }));
  await page.goto(`/admin-leads?${FORTNIGHT}`);
  const bar = byDay(page).locator('li [data-tone="buy"]').first();
  const colour = async () => bar.evaluate((drawn) => getComputedStyle(drawn).backgroundColor);
  const light = await colour();

  await chooseInAccountMenu(page, 'Dark theme');

  expect(await colour()).not.toBe(light);
  expect(await byDay(page).evaluate((chart) => chart.getAnimations({ subtree: true }).length)).toBe(
    0,
  );
});

test('on the smallest phone buttons are in reach and texts are whole', async ({
  operator,
  operatorPage: page,
  request,
}) => {
  const visitor = newVisitor({ tag: '400' });
  await postLead(request, visitor);
  const lead = await operator.untilLeadIs(visitor.email, 'failed');
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto('/admin-leads?view=money&people=money-in');
  const back = page.getByRole('link', { name: 'Back to all figures' });
  expect.soft((await back.boundingBox())?.height).toBeGreaterThanOrEqual(24);

  const health = await (await page.request.get('/api/admin/sync')).json();
  const since = new Date().toISOString();
  const text = 'Beehiiv is failing. 12,345 leads wait, nothing is lost.';
  const conditions = [{ kind: 'outage', since, text, strip: 'pending' }];
  await page.route('**/api/admin/sync', (route) =>
    route.fulfill({ json: { ...health, pending: 12_345, state: 'outage', conditions } }),
  );
  await page.goto('/admin-leads?status=failed');
  const strip = page.getByRole('region', { name: 'Sync to Beehiiv' });
  await expect(strip).toContainText('12,345 leads wait');
  // Two lines.
  expect.soft((await strip.boundingBox())?.height).toBeLessThan(60);
  await expect(page.getByRole('button', { name: 'Retry failed…' })).toBeVisible();
  const room = await page.getByRole('searchbox').evaluate((input: HTMLInputElement) => {
    const [of, hint] = [getComputedStyle(input), getComputedStyle(input, '::placeholder')];
    const pen = document.createElement('canvas').getContext('2d');
    if (!pen) throw new Error('No canvas');
    pen.font = `${hint.fontSize} ${hint.fontFamily}`;
    const inside = input.clientWidth - parseFloat(of.paddingLeft) - parseFloat(of.paddingRight);
    return inside - pen.measureText(input.placeholder).width;
  });
  // The browser reserves this much of the field for the cross that empties it.
  expect.soft(room).toBeGreaterThanOrEqual(20);

  await page.goto(`/admin-leads?lead=${lead.id}`);
  await expect(page.getByRole('button', { name: 'Close' })).toBeInViewport({ ratio: 1 });
});

test('a right-to-left name is above its email, in a row and on a phone', async ({
  operatorPage: page,
  request,
}) => {
  const company = `Company ${Date.now()}`;
  const visitor = { ...newVisitor({ fullName: 'مريم عبد الرحمن' }), company };
  await postLead(request, visitor);
  await page.setViewportSize({ width: 768, height: 900 });
  await page.goto(`/admin-leads?search=${encodeURIComponent(company)}`);
  // The name on one line, the whole email on two, and the matching company.
  await expect(entryOf(page, visitor.email)).toBeVisible();
  expect((await entryOf(page, visitor.email).boundingBox())?.height).toBeLessThan(85);
  await page.setViewportSize({ width: 390, height: 844 });
  const texts = entryOf(page, visitor.email).locator('bdi');
  const [name, email] = await texts.evaluateAll((all) =>
    all.map((text) => {
      const words = document.createRange();
      words.selectNodeContents(text);
      return words.getBoundingClientRect();
    }),
  );
  // Its letters are as high as the font makes them.
  expect(name?.left).toBeCloseTo(email?.left ?? 0, 0);
  expect(name?.height).toBeGreaterThanOrEqual(email?.height ?? 0);
});
