import { readFile } from 'node:fs/promises';

import { expect } from '@playwright/test';

import { postLead, rowOf } from './console.ts';
import { addSent } from './lead-steps.ts';
import { test } from './system.fixture.ts';
import { newVisitor } from './visitor.ts';

test('failed leads are retried together: counted first, followed while they go', async ({
  operator,
  operatorPage: page,
  sandbox,
  request,
}) => {
  const company = `Retry ${Date.now()}`;
  const visitors = [
    { ...newVisitor(), company },
    { ...newVisitor(), company },
    { ...newVisitor(), company },
  ];
  await sandbox.fault({ target: 'beehiiv', mode: 'status', status: 422 });
  for (const visitor of visitors) {
    await postLead(request, visitor);
    await operator.untilLeadIs(visitor.email, 'failed');
  }
  await sandbox.heal();
  await page.goto(`/admin-leads?search=${encodeURIComponent(company)}`);

  for (const visitor of visitors.slice(0, 2)) await rowOf(page, visitor).getByRole('checkbox').check();
  await expect(page.getByRole('button', { name: 'Retry 2 selected…' })).toBeVisible();
  for (const visitor of visitors.slice(0, 2)) await rowOf(page, visitor).getByRole('checkbox').uncheck();
  await page.getByRole('button', { name: 'Retry 3 failed…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(/3 failed leads, about \d+ s at the current rate\./);
  await dialog.getByRole('button', { name: 'Retry 3' }).click();

  for (const visitor of visitors) {
    await expect(rowOf(page, visitor)).toContainText('Sent');
  }
  await page.getByRole('link', { name: 'Retry runs' }).click();
  await expect(page.getByRole('row').filter({ hasText: company })).toContainText(/3 of 3 done: 3 sent.*Done/);
});

test('a person is exported, erased with a receipt, and gone at Beehiiv too', async ({
  operator,
  operatorPage: page,
  sandbox,
  request,
}) => {
  const { visitor, lead } = await addSent({ operator, request }, { more: { consentMarketing: true } });
  expect(await sandbox.subscriber(visitor.email)).toBeDefined();
  await page.goto(`/admin-leads?lead=${lead.id}`);
  await page.getByRole('dialog').getByRole('button', { name: 'Export or erase…' }).click();
  await expect(page.getByLabel('Email address')).toHaveValue(visitor.email);

  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export as JSON' }).click();
  const file = JSON.parse(await readFile(await (await downloading).path(), 'utf8')) as {
    tables: { leads: { id: string }[] };
    consent: { wording: string }[];
  };
  expect(file.tables.leads.map(({ id }) => id)).toEqual([lead.id]);
  expect(file.consent[0]?.wording).toContain('Every email has an unsubscribe link.');

  await page.getByRole('button', { name: 'Erase…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Erase permanently' }).click();

  await expect.poll(() => sandbox.subscriber(visitor.email), { timeout: 20_000 }).toBeUndefined();
  const receipt = page
    .getByRole('row')
    .filter({ hasText: /1 leads/ })
    .first();
  await expect(receipt).toContainText('the address is no longer stored');
  expect(await operator.leadsOf(visitor.email)).toEqual([]);
  await page.getByRole('link', { name: 'Activity' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Erased a person' }).first()).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText(visitor.email);
});

test('charts link to their rows and have their figures as tables', async ({
  operator,
  operatorPage: page,
  request,
}) => {
  const { visitor } = await addSent({ operator, request }, { more: { utmSource: 'nav_sub' } });
  await page.goto('/admin-leads');

  await page
    .getByRole('region', { name: 'By source' })
    .getByRole('link', { name: /nav_sub/ })
    .click();
  await expect(page).toHaveURL('/admin-leads?source=nav_sub');
  await expect(rowOf(page, visitor)).toBeVisible();

  await page.getByRole('link', { name: 'All figures as tables' }).click();
  await page.getByText('Leads by source, as a table').click();
  await expect(page.getByRole('table', { name: 'Leads by source, as a table' })).toContainText('nav_sub');
  await page.getByText('Beehiiv’s answers in the last 24 hours, as a table').click();
  await expect(page.getByRole('table', { name: /answers in the last 24 hours/ }).getByRole('row')).toHaveCount(25);
});
