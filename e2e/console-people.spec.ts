import { readFile } from 'node:fs/promises';

import { expect } from '@playwright/test';

import { findBarriers } from './barriers.ts';
import { addSent } from './lead-steps.ts';
import { test } from './system.fixture.ts';

test(
  'a person is exported, erased with a receipt, and gone at Beehiiv too',
  { tag: '@long' },
  async ({ operator, operatorPage: page, sandbox, request }) => {
    const { visitor, lead } = await addSent(
      { operator, request },
      { more: { consentMarketing: true } },
    );
    expect(await sandbox.subscriber(visitor.email)).toBeDefined();
    await page.goto(`/admin-leads?lead=${lead.id}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Open person' }).click();
    await expect(page.getByRole('heading', { level: 1, name: visitor.fullName })).toBeVisible();
    expect(page.url()).not.toContain(encodeURIComponent(visitor.email));
    expect(await findBarriers(page)).toEqual([]);
    await page.getByText('Notes', { exact: true }).click();
    await page.getByLabel('New note').fill('Away in May');
    await page.getByRole('button', { name: 'Save note' }).click();
    await expect(page.getByRole('listitem').filter({ hasText: 'Away in May' })).toBeVisible();

    await page.getByRole('button', { name: 'Export…' }).click();
    await expect(page.getByRole('dialog')).toContainText(/1 lead\b.*1 note\b/);
    const downloading = page.waitForEvent('download');
    await page.getByRole('dialog').getByRole('button', { name: 'Export', exact: true }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toContain(visitor.fullName.split(' ')[0]);
    const html = await readFile(await download.path(), 'utf8');
    const file = JSON.parse(
      /<script type="application\/json" id="data">(.*?)<\/script>/su.exec(html)?.[1] ?? '',
    ) as {
      tables: { leads: { id: string }[]; notes: { text: string }[] };
      consent: { wording: string }[];
    };
    expect(file.tables.leads.map(({ id }) => id)).toEqual([lead.id]);
    expect(file.tables.notes.map(({ text }) => text)).toEqual(['Away in May']);
    expect(file.consent[0]?.wording).toContain('Every email has an unsubscribe link.');

    await page.getByRole('button', { name: 'Erase…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Erase permanently' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Activity' })).toBeVisible();

    await expect.poll(() => sandbox.subscriber(visitor.email)).toBeUndefined();
    const receipt = page
      .getByRole('row')
      .filter({ hasText: /1 lead\b/ })
      .first();
    await expect(receipt).toContainText(
      /Deleted at Beehiiv\. Will be checked again at (?:\d+ \w+, )?\d\d:\d\d/,
    );
    expect(await operator.leadsOf(visitor.email)).toEqual([]);
    await expect(
      page.getByRole('row').filter({ hasText: 'Erased a person' }).first(),
    ).toBeVisible();
    await expect(page.getByRole('main')).not.toContainText(visitor.email);
  },
);

test(
  'keys lead into the search for people, to a person and back',
  { tag: '@long' },
  async ({ operator, operatorPage: page, request }) => {
    const { visitor } = await addSent({ operator, request });
    await page.goto('/admin-leads?view=sync');
    await expect(page.getByRole('heading', { level: 1, name: 'Sync' })).toBeVisible();
    await page.keyboard.press('/');
    await expect(page.getByRole('searchbox', { name: 'Search people' })).toBeFocused();
    await page.keyboard.type(visitor.email);
    const row = page.getByRole('row').filter({ hasText: visitor.email });
    await expect(row).toContainText(/Address.*Awaiting confirmation/s);
    expect(await findBarriers(page)).toEqual([]);

    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');

    await expect(page.getByRole('heading', { level: 1, name: visitor.fullName })).toBeVisible();
    await expect(page.getByText('1 of 1')).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('searchbox', { name: 'Search people' })).toHaveValue(visitor.email);
  },
);
