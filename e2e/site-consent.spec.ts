import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { OFFER } from '@site/schema/offer';

import { findBarriers } from './barriers.ts';
import { takePictures } from './pictures.ts';
import { onStripe, payAndArrive, welcome } from './stripe-page.ts';
import { openSubscribeForm } from './subscribe-form.ts';
import { test, THIRD_PARTY } from './third-party.fixture.ts';
import { newVisitor } from './visitor.ts';

const banner = (page: Page) => page.getByRole('region', { name: 'Your choice.' });
const commands = (page: Page): Promise<unknown[][]> =>
  page.evaluate(() => {
    const { dataLayer = [] } = window as { dataLayer?: ArrayLike<unknown>[] };
    return dataLayer.map((entry) => Array.from(entry));
  });
const events = async (page: Page) =>
  (await commands(page)).filter(([command]) => command === 'event').map(([, name, details]) => [name, details]);
const kept = (page: Page) => page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)].sort());

test('before a choice nothing is loaded, measured or kept, and both choices are as easy', async ({ page, scripts }) => {
  await page.goto('/?utm_source=news');
  const accept = banner(page).getByRole('button', { name: 'Accept', exact: true });
  const decline = banner(page).getByRole('button', { name: 'Decline', exact: true });
  await expect(accept).toBeVisible();

  const look = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    const { color, backgroundColor, borderColor, fontWeight, fontSize } = getComputedStyle(element);
    return { width, height, color, backgroundColor, borderColor, fontWeight, fontSize };
  };
  expect(await decline.evaluate(look)).toEqual(await accept.evaluate(look));
  expect(await findBarriers(page)).toEqual([]);
  await takePictures(page, 'consent', { phoneHeight: 800 });

  await openSubscribeForm(page, 'top_sub');
  expect(await commands(page)).toEqual([]);
  expect(await kept(page)).toEqual([]);
  expect(scripts.asked()).toEqual([]);
});

test('a refusal is remembered, asks no more, and loads nothing', async ({ page, scripts }) => {
  const before = scripts.asked().length;
  await page.goto('/?utm_source=news');
  await banner(page).getByRole('button', { name: 'Decline' }).click();
  await expect(banner(page)).toBeHidden();

  await page.reload();

  await expect(page.getByRole('button', { name: 'Change your cookie choice' })).toBeVisible();
  await expect(banner(page)).toBeHidden();
  expect(await kept(page)).toEqual(['consent']);
  expect(scripts.asked()).toHaveLength(before);
});

test('by keyboard a choice that is changed is led to, and back to where that was asked for', async ({ page }) => {
  await page.goto('/');
  await banner(page).getByRole('button', { name: 'Decline' }).press('Enter');
  const change = page.getByRole('button', { name: 'Change your cookie choice' });

  await change.press('Enter');
  await expect(banner(page)).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(banner(page).getByRole('button', { name: 'Decline' })).toBeFocused();
  await page.keyboard.press('Enter');

  await expect(banner(page)).toBeHidden();
  await expect(change).toBeFocused();
});

test('with consent both scripts run, and the lead tells the first visit, this visit and the tag’s id apart', async ({
  page,
  scripts,
  operator,
  faults,
}) => {
  faults.expect(THIRD_PARTY);
  const visitor = newVisitor();
  await page.goto('/?utm_source=news&utm_campaign=first');
  await banner(page).getByRole('button', { name: 'Accept' }).click();

  await expect(page.locator('#chat')).toBeVisible();
  await expect(banner(page)).toBeHidden();
  await expect
    .poll(() => page.evaluate(() => (window as { tagRan?: unknown[][] }).tagRan?.map(([command]) => command)))
    .toEqual(['consent', 'js', 'set', 'config']);
  expect(scripts.asked()).toContain('/gtag/js?id=G-STANDIN');
  expect((await commands(page)).find(([command]) => command === 'set')).toEqual([
    'set',
    {
      page_location: new URL('/', page.url()).href,
      page_referrer: '',
      campaign_source: 'news',
      campaign_name: 'first',
    },
  ]);

  await page.evaluate(() => sessionStorage.clear());
  await page.goto('/?utm_source=advert&utm_campaign=second&gclid=click-2');
  await expect(banner(page)).toBeHidden();
  const form = await openSubscribeForm(page, 'top_sub');
  await form.fill(visitor);
  await form.takeTime();
  await form.submit.click();
  await onStripe(page);

  const lead = await operator.untilLeadIs(visitor.email, 'sent');
  expect(lead).toMatchObject({
    utmSource: 'top_sub',
    visitUtmSource: 'advert',
    visitUtmCampaign: 'second',
    firstUtmSource: 'news',
    firstUtmCampaign: 'first',
    gclid: 'click-2',
    gaClientId: '123456789.1700000000',
  });
  expect(lead.firstPage).toMatch(/utm_campaign=first$/);
  expect(lead.landingPage).toMatch(/utm_campaign=second&gclid=click-2$/);
});

test('the dialog, the way to checkout and the purchase are measured, the purchase once', async ({ page, faults }) => {
  faults.expect(THIRD_PARTY);
  const visitor = newVisitor();
  await page.goto('/');
  await banner(page).getByRole('button', { name: 'Accept' }).click();
  const form = await openSubscribeForm(page, 'top_sub');
  await expect.poll(() => events(page)).toEqual([['Subscribe Modal Opened', { button: 'top_sub' }]]);

  await form.fill(visitor);
  await form.takeTime();
  await form.submit.click();
  await onStripe(page);
  await payAndArrive(page);

  const sessionId = new URL(page.url()).searchParams.get('session_id') ?? '';
  await expect
    .poll(() => events(page))
    .toEqual([
      [
        'Purchase Completed',
        expect.objectContaining({
          transaction_id: sessionId,
          product: `${OFFER.productName}_subscription`,
          value: 239,
          currency: 'GBP',
        }),
      ],
    ]);
  const told = (await commands(page)).filter(([command]) => command === 'set');
  expect(told).toEqual([
    ['set', { page_location: new URL('/thank-you', page.url()).href, page_referrer: expect.not.stringContaining('?') }],
  ]);

  await page.reload();
  await expect(welcome(page)).toBeVisible();
  expect(await events(page)).toEqual([]);
});

test('both offers of the sample page are measured', async ({ page, faults }) => {
  faults.expect(THIRD_PARTY);
  faults.expect(/^answer 503: POST \/api\/checkout\/upsell/);
  faults.expect(/^console error: The upsell checkout could not be opened/);
  await page.route('**/api/checkout/upsell', (route) => route.fulfill({ status: 503, body: 'no' }));
  await page.goto('/sample-sent');
  await banner(page).getByRole('button', { name: 'Accept' }).click();

  await page.getByRole('button', { name: 'Get 15% Off – Monthly' }).click();
  await expect(page.getByText('The payment page did not open.')).toBeVisible();
  await page.getByRole('button', { name: 'Go Annual – Save 25%' }).click();

  await expect
    .poll(() => events(page))
    .toEqual([
      ['cta-monthly-15', { page: 'sample-sent' }],
      ['cta-annual-25', { page: 'sample-sent' }],
    ]);
});

test('consent is taken back where it was given, and everything kept with it goes', async ({ page, faults }) => {
  faults.expect(THIRD_PARTY);
  await page.goto('/?utm_source=news');
  await banner(page).getByRole('button', { name: 'Accept' }).click();
  await expect(page.locator('#chat')).toBeVisible();
  expect(await kept(page)).toEqual(['consent', 'firstVisit', 'visit']);

  await page.getByRole('button', { name: 'Change your cookie choice' }).click();
  await banner(page).getByRole('button', { name: 'Decline' }).click();

  await expect(page.locator('#chat')).toBeHidden();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await kept(page)).toEqual(['consent']);
  expect(await page.evaluate(() => document.cookie)).not.toContain('_ga');
});

test('the console loads no third-party script, whatever was chosen on the site, and ends those of other tabs', async ({
  operatorPage,
  scripts,
  faults,
}) => {
  faults.expect(THIRD_PARTY);
  const site = operatorPage;
  await site.goto('/');
  await banner(site).getByRole('button', { name: 'Accept' }).click();
  await expect(site.locator('#chat')).toBeVisible();
  const asked = scripts.asked().length;

  const console = await site.context().newPage();
  await console.goto('/admin-leads');

  const toSite = console.getByRole('link', { name: `${OFFER.productName}, to the site` });
  await expect(toSite).toBeVisible();
  await expect(banner(console)).toBeHidden();
  const origins = await console.evaluate(() =>
    [...document.scripts].map(({ src }) => new URL(src || '/', origin).origin),
  );
  expect(new Set(origins)).toEqual(new Set([new URL(console.url()).origin]));
  await expect(site.locator('#chat')).toBeHidden();
  expect(scripts.asked()).toHaveLength(asked);

  await console.evaluate(() => Object.assign(window, { isConsole: true }));
  await toSite.click();
  await expect(console.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await console.evaluate(() => 'isConsole' in window)).toBe(false);
  await expect(banner(console)).toBeHidden();
  expect(scripts.asked()).toHaveLength(asked);
});
