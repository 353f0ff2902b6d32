import { readFile } from 'node:fs/promises';

import { expect } from '@playwright/test';

import { addSent } from './lead-steps.ts';
import { test } from './system.fixture.ts';

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
    .filter({ hasText: /1 lead\b/ })
    .first();
  await expect(receipt).toContainText(/Deleted at Beehiiv\. Checked again at (?:\d+ \w+, )?\d\d:\d\d/);
  expect(await operator.leadsOf(visitor.email)).toEqual([]);
  await page.getByRole('link', { name: 'Activity' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Erased a person' }).first()).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText(visitor.email);
});
