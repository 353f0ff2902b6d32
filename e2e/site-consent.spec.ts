import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { OFFER } from '@site/schema/offer';

import { onStripe, payAndArrive, welcome } from './support/stripe-page.ts';
import { openSubscribeForm } from './support/subscribe-form.ts';
import { test, THIRD_PARTY } from './support/third-party.fixture.ts';
import { newVisitor } from './support/visitor.ts';

const banner = (page: Page) => page.getByRole('region', { name: 'Your choice.' });
const commands = (page: Page): Promise<unknown[][]> =>
  page.evaluate(() => {
    const { dataLayer = [] } = window as { dataLayer?: ArrayLike<unknown>[] };
    return dataLayer.map((entry) => Array.from(entry));
  });
const events = async (page: Page) =>
  (await commands(page))
    .filter(([command]) => command === 'event')
    .map(([, name, details]) => [name, details]);
const stored = (page: Page) =>
  page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)].sort());

test('nothing is loaded or stored before a choice, and a refusal changes by keyboard', async ({
  page,
  scripts,
}) => {
  const asked = scripts.asked().length;
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
  const { dialog } = await openSubscribeForm(page, 'top_sub');
  expect(await commands(page)).toEqual([]);
  expect(await stored(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  await decline.press('Enter');
  await expect(banner(page)).toBeHidden();
  await page.reload();
  const change = page.getByRole('button', { name: 'Change your cookie choice' });
  await expect(change).toBeVisible();
  await expect(banner(page)).toBeHidden();
  expect(await stored(page)).toEqual(['consent']);

  await change.press('Enter');
  await expect(banner(page)).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(decline).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(banner(page)).toBeHidden();
  await expect(change).toBeFocused();
  expect(scripts.asked()).toHaveLength(asked);
});

test('with consent both scripts run until it is withdrawn, which removes their storage', async ({
  page,
  scripts,
  faults,
}) => {
  faults.expect(THIRD_PARTY);
  await page.goto('/?utm_source=news&utm_campaign=first');
  await banner(page).getByRole('button', { name: 'Accept' }).click();

  await expect(page.locator('#chat')).toBeVisible();
  await expect(banner(page)).toBeHidden();
  await expect
    .poll(() =>
      page.evaluate(() => (window as { tagRan?: unknown[][] }).tagRan?.map(([command]) => command)),
    )
    .toEqual(['consent', 'js', 'set', 'config']);
  expect(scripts.asked()).toContain('/gtag/js?id=G-TEST');
  expect((await commands(page)).find(([command]) => command === 'set')).toEqual([
    'set',
    {
      page_location: new URL('/', page.url()).href,
      page_referrer: '',
      campaign_source: 'news',
      campaign_name: 'first',
    },
  ]);
  expect(await stored(page)).toEqual(['consent', 'firstVisit', 'visit']);

  const form = await openSubscribeForm(page, 'top_sub');
  await expect
    .poll(() => events(page))
    .toEqual([['Subscribe Modal Opened', { button: 'top_sub' }]]);
  await form.fill(newVisitor());
  await form.submit.click();
  await onStripe(page);
  await payAndArrive(page);
  await expect
    .poll(() => events(page))
    .toEqual([
      [
        'Purchase Completed',
        expect.objectContaining({
          transaction_id: expect.not.stringContaining('cs_'),
          product: `${OFFER.productName}_subscription`,
          value: 239,
          currency: 'GBP',
        }),
      ],
    ]);
  // A script of a third party can read the URL, so the checkout's id is not in it.
  await expect.poll(() => page.url()).not.toContain('?');
  const sessionId = await page.evaluate(() =>
    new URLSearchParams((history.state as { query: string }).query).get('session_id'),
  );
  const told = (await commands(page)).filter(([command]) => command === 'set');
  expect(told).toEqual([
    [
      'set',
      {
        page_location: new URL('/thank-you', page.url()).href,
        page_referrer: expect.not.stringContaining('?'),
      },
    ],
  ]);
  await page.reload();
  await expect(welcome(page)).toBeVisible();
  expect(await events(page)).toEqual([]);

  await page.goto('/');
  await expect(page.locator('#chat')).toBeVisible();
  await page.getByRole('button', { name: 'Change your cookie choice' }).click();
  await banner(page).getByRole('button', { name: 'Decline' }).click();
  await expect(page.locator('#chat')).toBeHidden();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  // The mark stays, so that agreeing again does not measure the purchase again.
  await expect.poll(() => stored(page)).toEqual(['consent', `purchaseRecorded:${sessionId}`]);
  expect(await page.evaluate(() => document.cookie)).toBe('');
  expect((await page.context().cookies()).map(({ name }) => name)).toEqual(['receipts']);
});

test(
  'the console loads no third-party script and stops those of other tabs',
  { tag: '@long' },
  async ({ operatorPage, scripts, faults }) => {
    faults.expect(THIRD_PARTY);
    const site = operatorPage;
    await site.goto('/');
    await banner(site).getByRole('button', { name: 'Accept' }).click();
    await expect(site.locator('#chat')).toBeVisible();
    const asked = scripts.asked().length;

    const console = await site.context().newPage();
    await console.goto('/admin-leads');

    const toSite = console.getByRole('link', { name: `${OFFER.productName}: open the site` });
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
    await expect(console.getByRole('button', { name: 'Change your cookie choice' })).toBeHidden();
    expect(scripts.asked()).toHaveLength(asked);
  },
);
