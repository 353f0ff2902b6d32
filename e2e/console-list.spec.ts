import { readFile } from 'node:fs/promises';

import { expect } from '@playwright/test';
import { parse } from 'csv-parse/sync';

import { blockCalls } from './blocked-calls.ts';
import { counter, rowOf, untilLive } from './console.ts';
import { addSent } from './lead-steps.ts';
import { test } from './system.fixture.ts';
import { newVisitor } from './visitor.ts';

const today = () =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London' }).format(new Date());

test(
  'filters hold for the list, the counters, the address and the CSV, and the Back button undoes them',
  { tag: '@long' },
  async ({ operator, operatorPage: page, request }) => {
    const means = { operator, request };
    const [{ visitor: buyer }, { visitor: sampler }] = await Promise.all([
      addSent(means, { more: { utmSource: 'nav_sub', utmCampaign: 'navigation_subscription' } }),
      addSent(means, {
        visitor: newVisitor({ fullName: '=cmd("calc")' }),
        more: { formType: 'pre_sample' },
      }),
    ]);
    const counts = await operator.counts();
    await page.goto('/admin-leads');
    await expect(counter(page, 'Total Leads')).toContainText(String(counts.total));
    await expect(counter(page, 'Pre-Sample')).toContainText(String(counts.preSample));
    await expect(counter(page, 'Pre-Buy')).toContainText(String(counts.preBuy));
    await expect(counter(page, 'Beehiiv Sent')).toContainText(String(counts.beehiivSent));
    await expect(rowOf(page, buyer)).toContainText('Priya Raman');
    await expect(rowOf(page, buyer)).toContainText('Menu bar');
    await expect(rowOf(page, sampler)).toContainText(/Pre-Sample.*Sent/);

    const topOf = async (name: string) =>
      (await page.getByRole('button', { name }).boundingBox())?.y;
    expect(await topOf('Export CSV'), 'the filters and the export are one line').toBe(
      await topOf('Apply Filters'),
    );
    await page.getByLabel('Form Type').selectOption('Pre-Sample');
    await page.getByLabel('Start Date').fill(today());
    await page.getByLabel('End Date').fill(today());
    await expect(rowOf(page, buyer)).toBeVisible();
    await page.getByRole('button', { name: 'Apply Filters' }).click();
    await expect(page).toHaveURL(
      `/admin-leads?formType=pre_sample&startDate=${today()}&endDate=${today()}`,
    );
    await expect(rowOf(page, sampler)).toBeVisible();
    await expect(rowOf(page, buyer)).toBeHidden();
    await expect(counter(page, 'Total Leads')).toContainText(String(counts.preSample));

    const downloading = page.context().waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe(
      `leads-pre_sample-from-${today()}-to-${today()}-${today()}.csv`,
    );
    const file = await readFile(await download.path());
    expect(file.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    const rows: Record<string, string>[] = parse(file, { bom: true, columns: true });
    expect(rows).toHaveLength(counts.preSample);
    expect(new Set(rows.map((row) => row['formType']))).toEqual(new Set(['pre_sample']));
    expect(rows.find((row) => row['email'] === sampler.email)).toMatchObject({
      fullName: `'${sampler.fullName}`,
      phone: sampler.phone,
      beehiivStatus: 'sent',
    });

    await page.goBack();
    await expect(page).toHaveURL('/admin-leads');
    await expect(page.getByLabel('Form Type')).toHaveValue('');
    await expect(page.getByLabel('Start Date')).toHaveValue('');
    await expect(rowOf(page, buyer)).toBeVisible();
    await page.goForward();
    await page.reload();
    await expect(page.getByLabel('Form Type')).toHaveValue('pre_sample');
    await expect(rowOf(page, buyer)).toBeHidden();

    await page.getByLabel('Start Date').fill('2020-01-01');
    await page.getByLabel('End Date').fill('2020-01-02');
    await page.getByRole('button', { name: 'Apply Filters' }).click();
    await expect(page.getByText('No leads found')).toBeVisible();
    await expect(counter(page, 'Total Leads')).toContainText('0');
  },
);

test('the list is asked for while the code that shows it is on its way, and shown from that answer', async ({
  operator,
  operatorPage: page,
  request,
}) => {
  await addSent({ operator, request });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const letGoCode = await blockCalls(page, '**/assets/index-*.js');
  const answer = page.waitForResponse('**/api/admin/leads');
  await page.goto('/admin-leads', { waitUntil: 'commit' });

  await answer;
  letGoCode();
  await untilLive(page);
  await expect(page.locator('tbody tr').first()).toBeVisible();
  expect(asked.filter((path) => path === '/api/admin/leads')).toHaveLength(1);
});
