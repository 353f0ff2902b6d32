import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

import { findBarriers } from './support/barriers.ts';
import { counterOf, entryOf, postLead, untilLive } from './support/console.ts';
import { blockCalls } from './support/blocked-calls.ts';
import { addSent } from './support/lead-steps.ts';
import { test } from './support/system.fixture.ts';
import { newVisitor } from './support/visitor.ts';

// A separate system without leads. 500 leads would take minutes at Beehiiv's rate, ours or the
// sandbox's.
test.use({ settings: { BEEHIIV_REQUESTS_PER_MINUTE: '0', SANDBOX_REQUESTS_PER_MINUTE: '0' } });
test.describe.configure({ mode: 'serial' });

async function expectNoBarriers(page: Page): Promise<void> {
  expect(await findBarriers(page)).toEqual([]);
}

test('an empty list has a notice, and the first lead appears without a reload', async ({
  operatorPage: page,
  request,
}) => {
  // Five views in two themes.
  test.setTimeout(120_000);
  await page.goto('/admin-leads');
  await expect(page.getByText('No leads found')).toBeVisible();
  await expect(counterOf(page, 'Total Leads')).toContainText('0');
  await untilLive(page);
  for (const theme of ['dark', 'light']) {
    await page.evaluate((wanted) => localStorage.setItem('consoleTheme', wanted), theme);
    for (const view of ['overview', 'people', 'sync', 'activity', 'account']) {
      await page.goto(`/admin-leads?view=${view}`);
      await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByText(/^Loading/)).toHaveCount(0);
      await expectNoBarriers(page);
    }
  }
  await page.goto('/admin-leads');
  await untilLive(page);
  await expectNoBarriers(page);

  const visitor = newVisitor();
  await postLead(request, visitor);

  await expect(entryOf(page, visitor.email)).toContainText('Sent');
  await expect(counterOf(page, 'Total Leads')).toContainText('1');

  // A source's row fits however narrow its chart is.
  const chart = page.getByRole('region', { name: 'By source' });
  await chart.evaluate((section) => (section.style.width = '60px'));
  const { right } = await chart.evaluate((section) => section.getBoundingClientRect());
  const count = chart.getByRole('listitem').locator('strong');
  expect(await count.evaluate((part) => part.getBoundingClientRect().right)).toBeLessThanOrEqual(
    right,
  );
});

test('500 leads load page by page without a gap, and j moves through them', async ({
  operatorPage: page,
  operator,
  request,
}) => {
  test.setTimeout(300_000);
  for (let n = 0; n < 50; n++)
    await Promise.all(Array.from({ length: 10 }, () => postLead(request, newVisitor())));
  await expect.poll(async () => (await operator.counts()).total).toBe(501);
  await page.goto('/admin-leads');
  const rows = page.getByRole('table', { name: 'Leads' }).locator('tbody tr');
  await expect(rows).toHaveCount(50);

  for (let n = 2; n <= 11; n++) {
    await page.getByRole('button', { name: 'Load more' }).click();
    await expect(rows).toHaveCount(Math.min(501, n * 50));
  }

  const addresses = await rows.evaluateAll((all) => all.map((row) => row.id));
  expect(new Set(addresses).size).toBe(501);
  await expect(page.getByText(/^Rows 1 to 501/)).toBeVisible();
  for (let n = 0; n < 3; n++) await page.keyboard.press('j');
  await expect(rows.nth(2)).toBeFocused();
  await expectNoBarriers(page);
  // All leads are sent before the test ends, so that the next test's leads do not wait behind them.
  await expect
    .poll(async () => (await operator.counts()).beehiivSent, { timeout: 60_000 })
    .toBe(501);
});

test('on a slow network list and drawer show that they are loading', async ({
  operatorPage: page,
  operator,
  request,
}) => {
  const { lead } = await addSent({ operator, request });
  const letGoList = await blockCalls(page, '**/api/admin/leads**');
  // A lead's answer has its own URL below the list's.
  const letGoLead = await blockCalls(page, '**/api/admin/leads/**');
  await page.goto(`/admin-leads?lead=${lead.id}`);

  await expect(page.getByText('Loading leads...')).toBeVisible();
  await expect(page.getByText('Loading person...')).toBeVisible();
  letGoList();
  letGoLead();
  await expect(page.getByRole('dialog').getByRole('heading', { name: /^Timeline/ })).toBeVisible();
});

test('on a phone rows are stacks that open at a tap anywhere, and views are in a menu', async ({
  operatorPage: page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/admin-leads?view=activity');
  await expect(page.getByRole('link', { name: 'Leads', exact: true })).toBeHidden();
  await page.getByRole('button', { name: /^Menu/ }).click();
  await page.getByRole('link', { name: 'Leads', exact: true }).click();
  await expect(page.getByRole('link', { name: 'Money' })).toBeHidden();
  const card = page.getByRole('table', { name: 'Leads' }).locator('tbody tr').first();
  // The first lead is on the first screen, even below the notice that the offer's date has passed.
  await expect(page.getByRole('region', { name: 'Sync to Beehiiv' })).toBeVisible();
  await expect(card).toBeVisible();
  expect((await card.boundingBox())?.y).toBeLessThan(480);
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  await expect(page.getByLabel('Start Date')).toBeVisible();
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  await expect(page.getByLabel('Start Date')).toBeHidden();
  await card.click({ position: { x: 300, y: 50 } });
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByRole('heading', { name: 'Consent' })).toBeVisible();
  expect((await drawer.boundingBox())?.width).toBeCloseTo(390, 1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(
    true,
  );
  await expectNoBarriers(page);
});

test('figures above ten million keep their places and move nothing else', async ({
  operatorPage: page,
}) => {
  // The figures alone are made up, because filling that many rows takes too long, and the stream
  // would replace them.
  await blockCalls(page, '**/api/admin/events');
  await page.route(
    ({ pathname }) => pathname === '/api/admin/leads',
    async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      const many = (counts: Record<string, number>) =>
        Object.fromEntries(Object.keys(counts).map((name) => [name, 12_345_678]));
      await route.fulfill({
        response,
        json: { ...body, counts: many(body.counts), statusCounts: many(body.statusCounts) },
      });
    },
  );
  await page.goto('/admin-leads');
  const counters = page.getByRole('navigation', { name: 'Counters' });
  await expect(counterOf(page, 'Total Leads')).toContainText('12,345,678');

  for (const width of [320, 360, 768, 1024, 1200, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await expect(counters.getByText('12,345,678')).toHaveCount(4);
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
      `at ${width}`,
    ).toBe(0);
    const crossing = await counters.locator('li').evaluateAll((items) =>
      items
        .filter((item) => {
          const figure = item.querySelector('span > span:last-child, a > span:last-child');
          const words = document.createRange();
          if (figure) words.selectNodeContents(figure);
          return (
            !figure || words.getBoundingClientRect().right > item.getBoundingClientRect().right
          );
        })
        .map((item) => item.textContent),
    );
    expect(crossing, `at ${width}`).toEqual([]);
    await page.screenshot({ path: `screenshots/console-millions-${width}.png` });
  }
});
