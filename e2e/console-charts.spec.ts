import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import type { ChartsAnswer } from '@site/schema/console';

import { findBarriers } from './barriers.ts';
import { aFortnight } from './console-figures.ts';
import { blockCalls } from './blocked-calls.ts';
import { test } from './system.fixture.ts';

const byDay = (page: Page) => page.getByRole('region', { name: 'Leads by day' });

/** Leads come today and no other day, so what two weeks would look like is answered in the service's place. */
async function answerFigures(page: Page, figures: ChartsAnswer): Promise<void> {
  await page.route('**/api/admin/charts*', (route) => route.fulfill({ json: figures }));
}

test('every column is a link with its figures, by keyboard and by pointer, and leads to its rows', async ({
  operatorPage: page,
}) => {
  await answerFigures(page, aFortnight());
  await page.goto('/admin-leads?formType=pre_buy');
  const columns = byDay(page).getByRole('listitem');

  // The day that nobody came on has its place too.
  await expect(columns).toHaveCount(14);
  const day = byDay(page).getByRole('link', { name: '25 Nov: 60, 37 Pre-Sample and 23 Pre-Buy' });
  await day.hover();
  await expect(byDay(page)).toContainText('25 NovPre-Sample 37Pre-Buy 23');
  await page.mouse.move(0, 0);
  await expect(byDay(page)).not.toContainText('Pre-Sample 37');
  await byDay(page)
    .getByRole('link', { name: /^24 Nov/ })
    .focus();
  await page.keyboard.press('Tab');
  await expect(day).toBeFocused();
  await expect(byDay(page)).toContainText('25 NovPre-Sample 37Pre-Buy 23');
  expect(await findBarriers(page)).toEqual([]);

  await page.keyboard.press('Enter');

  await expect(page).toHaveURL('/admin-leads?formType=pre_buy&startDate=2025-11-25&endDate=2025-11-25');
});

test('columns and their axis tell the same: heights in proportion, lines at whole figures', async ({
  operatorPage: page,
}) => {
  await answerFigures(page, aFortnight());
  await page.goto('/admin-leads?view=figures');
  const drawing = byDay(page).locator('svg');

  await expect(drawing.locator('text')).toContainText(['20', '40', '60', '20', '21']);
  const heights = await drawing.locator('rect[data-tone="buy"]').evaluateAll((bars) => {
    return bars.map((bar) => Number(bar.getAttribute('height')));
  });
  const [first = 0, , , , , sixth = 0] = heights;
  expect(sixth / first).toBeCloseTo(23 / 9, 1);
  await page.getByText('Leads by day, as a table').click();
  await expect(page.getByRole('row', { name: '25 Nov 2025 37 23' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Revenue by source' })).toContainText('£597.00');
});

test('the charts’ place is held while they load, at every width', async ({ operatorPage: page }) => {
  for (const width of [768, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const releaseRun = await blockCalls(page, '**/api/admin/charts*', (route) => route.fulfill({ json: aFortnight() }));
    await page.goto('/admin-leads');
    const table = page.getByRole('table', { name: 'Leads' });
    await expect(table.getByRole('row').nth(1)).toBeVisible();
    const before = await table.boundingBox();

    releaseRun();

    await expect(byDay(page).getByRole('link')).toHaveCount(14);
    expect((await table.boundingBox())?.y, `at ${width}`).toBe(before?.y);
    await page.unroute('**/api/admin/charts*');
  }
});

test('in the dark the drawing takes the theme’s colours, and nothing of it moves', async ({ operatorPage: page }) => {
  await answerFigures(page, aFortnight());
  await page.goto('/admin-leads');
  const bar = byDay(page).locator('rect[data-tone="buy"]').first();
  const colours = async () => ({
    drawn: await bar.evaluate((rect) => getComputedStyle(rect).fill),
    line: await byDay(page)
      .locator('line')
      .first()
      .evaluate((line) => getComputedStyle(line).stroke),
  });
  const light = await colours();

  await page.getByRole('button', { name: 'Dark theme' }).click();

  const dark = await colours();
  expect(dark.drawn).not.toBe(light.drawn);
  expect(dark.line).not.toBe(light.line);
  const moving = await byDay(page).evaluate((chart) => chart.getAnimations({ subtree: true }).length);
  expect(moving).toBe(0);
});
