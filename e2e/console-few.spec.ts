import { readFile } from 'node:fs/promises';

import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { parse } from 'csv-parse/sync';

import { findBarriers } from './barriers.ts';
import { counter, postLead, rowOf, untilLive } from './console.ts';
import { test } from './system.fixture.ts';
import { newVisitor } from './visitor.ts';

// A system of its own, which begins without a lead.
test.use({ settings: { LOG_LEVEL: 'info' } });
test.describe.configure({ mode: 'serial' });

async function expectCounts(page: Page, counts: Record<string, number>): Promise<void> {
  for (const [label, count] of Object.entries(counts)) {
    await expect(counter(page, label).getByRole('link')).toHaveText(`${label}${count}`);
  }
}

test('without a lead every part of the console says so', async ({ operatorPage: page }) => {
  await page.goto('/admin-leads');
  await untilLive(page);

  await expect(page.getByText('No leads found')).toBeVisible();
  await expectCounts(page, { 'Total Leads': 0, 'Pre-Sample': 0, 'Pre-Buy': 0, 'Beehiiv Sent': 0 });
  await expect(page.getByRole('region', { name: 'Leads by day' })).toContainText('No leads to show.');
  await expect(page.getByRole('region', { name: 'By source' })).toContainText('No leads to show.');
  await expect(page.getByRole('region', { name: 'Sync to Beehiiv' })).toContainText('Queue empty');
  await expect(page.getByRole('button', { name: /^Retry/ })).toBeHidden();
  expect(await findBarriers(page)).toEqual([]);

  const downloading = page.context().waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const file = await readFile(await (await downloading).path());
  expect(parse(file, { bom: true })).toHaveLength(1);

  for (const [view, words] of [
    ['figures', 'No paid subscriptions yet.'],
    ['figures', 'Nothing is waiting.'],
    ['runs', 'No bulk retries yet.'],
  ] as const) {
    await page.goto(`/admin-leads?view=${view}`);
    await expect(page.getByRole('main')).toContainText(words);
  }
});

test('the first lead appears by itself, and everything counts one', async ({ operatorPage: page, request }) => {
  await page.goto('/admin-leads');
  await untilLive(page);
  await expect(page.getByText('No leads found')).toBeVisible();
  const visitor = newVisitor();

  await postLead(request, visitor, { utmSource: 'nav_sub' });

  await expect(rowOf(page, visitor)).toContainText('Sent');
  await expect(page.getByText('No leads found')).toBeHidden();
  await page.reload();
  await expectCounts(page, { 'Total Leads': 1, 'Pre-Sample': 0, 'Pre-Buy': 1, 'Beehiiv Sent': 1 });
  await expect(page.getByText('Rows 1 to 1 of 1')).toBeVisible();
  const day = page.getByRole('region', { name: 'Leads by day' }).getByRole('link');
  await expect(day).toHaveCount(1);
  await expect(day).toHaveAccessibleName(/: 1, 0 Pre-Sample and 1 Pre-Buy$/);
  await expect(page.getByRole('region', { name: 'By source' }).getByRole('link', { name: /nav_sub/ })).toBeVisible();

  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect(rowOf(page, visitor)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toContainText('Beehiiv accepted it');
});
