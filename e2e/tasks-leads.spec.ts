import { readFile } from 'node:fs/promises';

import { expect } from '@playwright/test';
import { parse } from 'csv-parse/sync';

import {
  counterOf,
  dialogOf,
  entryOf,
  figure,
  logInBeside,
  londonDay,
  openFilters,
  openLive,
  postLead,
} from './support/console.ts';
import {
  addFailed,
  addQuarantined,
  addRefused,
  addSent,
  retryAtOnce,
} from './support/lead-steps.ts';
import { test } from './support/tasks.fixture.ts';
import { newVisitor } from './support/visitor.ts';

/** Builds visitors of one company, and the URL of the list that has only them. */
function newColleagues(count: number) {
  const company = `Company ${Date.now()}`;
  const visitors = Array.from({ length: count }, () => ({ ...newVisitor(), company }));
  return { visitors, address: `/admin-leads?search=${encodeURIComponent(company)}` };
}

test('task 1: see leads arrive live, as two operators', async ({
  browser,
  operator,
  operatorPage: page,
  sandbox,
  system,
  request,
  faults,
}) => {
  const { total, beehiivSent } = await operator.counts();
  const colleague = await logInBeside({ browser, system, faults });
  const tabs = [page, colleague.page];
  for (const tab of tabs) await openLive(tab, '/admin-leads');
  const visitors = [newVisitor(), newVisitor()];
  const emails = visitors.map(({ email }) => email);

  // They stay pending until an operator retries them.
  await sandbox.fault({ target: 'beehiiv', mode: 'status', status: 500 });
  for (const visitor of visitors) await postLead(request, visitor);

  for (const tab of tabs) {
    await tab.bringToFront();
    await expect(counterOf(tab, 'Total Leads')).toHaveText(figure(total + 2));
    // The list may load them while the button is pressed.
    const newLeads = tab.getByRole('button', { name: /new leads?$/ });
    const newest = entryOf(tab, emails[1]!);
    await tab.addLocatorHandler(newLeads, () => newLeads.dispatchEvent('click').catch(() => {}));
    await expect(newest).toBeVisible();
    for (const email of emails) await expect(entryOf(tab, email)).toContainText('Pending');
  }

  await sandbox.heal();
  await retryAtOnce(operator, emails);
  for (const tab of tabs) {
    await tab.bringToFront();
    for (const email of emails) await expect(entryOf(tab, email)).toContainText('Sent');
    await expect(counterOf(tab, 'Beehiiv Sent')).toHaveText(figure(beehiivSent + 2));
  }
  await colleague.close();
});

test('task 2: filter by form, dates, status and source, shared by URL', async ({
  operator,
  operatorPage: page,
  request,
  isMobile,
}) => {
  const [buyer, sampler] = [newVisitor(), newVisitor()];
  await postLead(request, buyer, { utmSource: 'nav_sub' });
  await postLead(request, sampler, { utmSource: 'top_sub', formType: 'pre_sample' });
  const { visitor: refused } = await addFailed(
    { operator, request },
    { more: { utmSource: 'nav_sub' } },
  );
  await page.goto('/admin-leads');
  for (const { email } of [buyer, refused, sampler])
    await expect(entryOf(page, email)).toBeVisible();

  // A phone has no charts, so its source comes from a shared URL.
  if (isMobile) await page.goto('/admin-leads?source=nav_sub');
  else await page.getByRole('link', { name: /^Menu bar/ }).click();
  await expect(page).toHaveURL('/admin-leads?source=nav_sub');
  await expect(entryOf(page, sampler.email)).toBeHidden();
  await expect(entryOf(page, buyer.email)).toBeVisible();

  await openFilters(page);
  await page.getByLabel('Form Type').selectOption('Pre-Buy');
  await page.getByLabel('Start Date').fill(londonDay());
  await page.getByLabel('End Date').fill(londonDay());
  await expect(page).toHaveURL('/admin-leads?source=nav_sub');
  await page.getByRole('button', { name: 'Apply Filters' }).click();
  await expect(page).toHaveURL(/formType=pre_buy/);
  await page.getByRole('link', { name: /^Failed/ }).click();
  await expect(page).toHaveURL(/status=failed/);
  await expect(entryOf(page, refused.email)).toBeVisible();
  await expect(entryOf(page, buyer.email)).toBeHidden();

  const shared = await page.context().newPage();
  await shared.goto(page.url());
  await expect(entryOf(shared, refused.email)).toBeVisible();
  await expect(entryOf(shared, buyer.email)).toBeHidden();
  expect(Object.fromEntries(new URL(shared.url()).searchParams)).toEqual({
    formType: 'pre_buy',
    startDate: londonDay(),
    endDate: londonDay(),
    source: 'nav_sub',
    status: 'failed',
  });
  await openFilters(shared);
  await expect(shared.getByLabel('Form Type')).toHaveValue('pre_buy');
  await shared.close();

  await page.goBack();
  await expect(entryOf(page, buyer.email)).toBeVisible();
  await openFilters(page);
  await page.getByLabel('Start Date').fill('2020-01-01');
  await page.getByLabel('End Date').fill('2020-01-02');
  await page.getByRole('button', { name: 'Apply Filters' }).click();
  await expect(page.getByText('No leads found')).toBeVisible();
});

test('task 3: read and press the four counters', async ({
  operator,
  operatorPage: page,
  request,
}) => {
  const means = { operator, request };
  const [{ visitor: buyer }, { visitor: sampler }, { visitor: refused }] = await Promise.all([
    addSent(means),
    addSent(means, { more: { formType: 'pre_sample' } }),
    addFailed(means),
  ]);
  const { total, preSample, preBuy, beehiivSent } = await operator.counts();
  await page.goto('/admin-leads');
  await expect(counterOf(page, 'Total Leads')).toHaveText(figure(total));
  await expect(counterOf(page, 'Pre-Sample')).toHaveText(figure(preSample));
  await expect(counterOf(page, 'Pre-Buy')).toHaveText(figure(preBuy));
  await expect(counterOf(page, 'Beehiiv Sent')).toHaveText(figure(beehiivSent));

  await counterOf(page, 'Pre-Sample').click();
  await expect(page).toHaveURL('/admin-leads?formType=pre_sample');
  await expect(entryOf(page, buyer.email)).toBeHidden();
  await expect(entryOf(page, sampler.email)).toBeVisible();
  await expect(counterOf(page, 'Total Leads')).toHaveText(figure(preSample));

  await page.goto('/admin-leads');
  await counterOf(page, 'Beehiiv Sent').click();
  await expect(page).toHaveURL('/admin-leads?status=sent');
  await expect(entryOf(page, refused.email)).toBeHidden();
  await expect(entryOf(page, buyer.email)).toBeVisible();

  await counterOf(page, 'Total Leads').click();
  await expect(page).toHaveURL('/admin-leads');
  await expect(entryOf(page, refused.email)).toBeVisible();
});

test('task 4: export the CSV of the filter', async ({ operator, operatorPage: page, request }) => {
  const { visitors, address } = newColleagues(3);
  const [sampler, other, buyer] = visitors;
  const formula = { ...sampler!, fullName: '=cmd("calc")' };
  const means = { operator, request };
  await Promise.all([
    addSent(means, { visitor: formula, more: { formType: 'pre_sample' } }),
    addSent(means, { visitor: other!, more: { formType: 'pre_sample' } }),
    addSent(means, { visitor: buyer! }),
  ]);
  await page.goto(`${address}&formType=pre_sample`);
  await expect(entryOf(page, formula.email)).toBeVisible();

  const [tab, download] = await Promise.all([
    page.context().waitForEvent('page'),
    page.context().waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^leads-pre_sample.*\.csv$/);
  const file = await readFile(await download.path());
  await tab.close();

  expect(file.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
  const rows: Record<string, string>[] = parse(file, { bom: true, columns: true });
  expect(rows).toHaveLength(2);
  expect(rows.map((row) => row['email'])).toContain(other!.email);
  expect(rows.find((row) => row['email'] === formula.email)).toMatchObject({
    fullName: `'${formula.fullName}`,
    phone: formula.phone,
    formType: 'pre_sample',
    beehiivStatus: 'sent',
  });
});

test('task 5: search leads and people', async ({ operatorPage: page, request }) => {
  const sought = { ...newVisitor(), company: `Sought ${Date.now()}` };
  const other = newVisitor();
  for (const visitor of [sought, other]) await postLead(request, visitor);
  await page.goto('/admin-leads');
  await expect(entryOf(page, other.email)).toBeVisible();
  const search = page.getByRole('searchbox');
  await search.click();
  await page.keyboard.type(sought.company.toLowerCase());
  await expect(entryOf(page, other.email)).toBeHidden();
  await expect(entryOf(page, sought.email)).toBeVisible();
  expect(new URL(page.url()).searchParams.get('search')).toBe(sought.company.toLowerCase());

  await page.goto('/admin-leads?view=people');
  await search.fill(sought.company);
  await expect(entryOf(page, sought.email)).toBeVisible();
  await expect(entryOf(page, other.email)).toBeHidden();
  expect(page.url()).not.toContain(sought.company.replace(' ', '+'));
  await entryOf(page, sought.email).getByRole('link', { name: sought.fullName }).click();
  await expect(page.getByRole('heading', { name: sought.fullName })).toBeVisible();
});

test('task 6: sort leads by date', async ({ operatorPage: page, request, isMobile }) => {
  const { visitors, address } = newColleagues(2);
  for (const visitor of visitors) await postLead(request, visitor);
  const [older, newer] = visitors.map(({ email }) => email);
  await page.goto(address);
  const rows = entryOf(page, '@northgate.example');
  await expect(rows).toContainText([newer!, older!]);

  // A phone has no column heads, so its order comes from a shared URL.
  if (isMobile) await page.goto(`${address}&sort=oldest`);
  else await page.getByRole('columnheader', { name: 'Date' }).getByRole('link').click();

  await expect(page).toHaveURL(/sort=oldest/);
  await expect(rows).toContainText([older!, newer!]);
});

test('task 8: retry one, selected and all matching leads, with progress and stop', async ({
  operator,
  operatorPage: page,
  sandbox,
  request,
}) => {
  const { visitors, address } = newColleagues(5);
  const [one, second, third, ...others] = visitors.map(({ email }) => email);
  await addRefused({ operator, request, sandbox }, visitors);
  await page.goto(address);

  await entryOf(page, one!)
    .getByRole('button', { name: /^Retry/ })
    .click();
  await expect(entryOf(page, one!)).toContainText('Sent');

  for (const email of [second, third]) await entryOf(page, email!).getByRole('checkbox').check();
  await page.getByRole('button', { name: /^Retry 2/ }).click();
  await dialogOf(page)
    .getByRole('button', { name: /^Retry 2/ })
    .click();
  for (const email of [second, third]) await expect(entryOf(page, email!)).toContainText('Sent');

  // The others stay pending, so that there is something to stop.
  await sandbox.fault({ target: 'beehiiv', mode: 'status', status: 500 });
  await page.goto(`${address}&status=failed`);
  await page.getByRole('button', { name: /^Retry (?:failed|all)/ }).click();
  await dialogOf(page)
    .getByRole('button', { name: /^Retry 2/ })
    .click();
  await expect(page.getByRole('progressbar')).toBeVisible();
  await page.getByRole('button', { name: /^Stop/ }).click();
  await expect(page.getByRole('button', { name: /^Stop/ })).toBeHidden();
  const { bulkRetries } = await (await page.request.get('/api/admin/bulk-retries')).json();
  expect(bulkRetries[0]).toMatchObject({ total: 2, stoppedAt: expect.any(String) });

  await sandbox.heal();
  await retryAtOnce(operator, others);
  for (const email of others) await operator.untilLeadIs(email, 'sent');
  await expect(page.getByRole('progressbar')).toBeHidden();
});

test('task 10: send or delete quarantined leads, one or many', async ({
  operator,
  operatorPage: page,
  sandbox,
  request,
}) => {
  const { visitors, address } = newColleagues(6);
  const [sent, deleted, ...rest] = visitors.map(({ email }) => email);
  const [many, others] = [rest.slice(0, 2), rest.slice(2)];
  await Promise.all(visitors.map((visitor) => addQuarantined({ operator, request }, { visitor })));
  for (const { email } of visitors) expect(await sandbox.subscriber(email)).toBeUndefined();
  await page.goto(`${address}&status=quarantined`);
  const confirm = async (name: RegExp) => dialogOf(page).getByRole('button', { name }).click();
  const untilGone = async (email: string) =>
    expect.poll(async () => operator.leadsOf(email)).toEqual([]);

  await entryOf(page, sent!).getByRole('button', { name: /^Send/ }).click();
  await confirm(/^Send/);
  await operator.untilLeadIs(sent!, 'sent');

  for (const email of many) await entryOf(page, email).getByRole('checkbox').check();
  await page.getByRole('button', { name: /^Send 2/ }).click();
  await confirm(/^Send 2/);
  for (const email of many) await operator.untilLeadIs(email, 'sent');
  expect(await sandbox.subscriber(many[0]!)).toBeDefined();

  await entryOf(page, deleted!).getByRole('checkbox').check();
  await page.getByRole('button', { name: /^Delete 1/ }).click();
  await confirm(/^Delete 1/);
  await untilGone(deleted!);

  await page.getByRole('button', { name: /^Delete all/ }).click();
  await confirm(/^Delete 2/);
  for (const email of others) await untilGone(email);
  for (const email of others) await expect(entryOf(page, email)).toBeHidden();
  expect(await sandbox.subscriber(deleted!)).toBeUndefined();
});

test('tasks 2, 7 and 8 by keyboard: filter by a day, open a person, retry in a dialog', async ({
  operator,
  operatorPage: page,
  sandbox,
  request,
}) => {
  const { visitors, address } = newColleagues(2);
  const [older, newer] = visitors.map(({ email }) => email);
  await addRefused({ operator, request, sandbox }, visitors);
  await page.goto(address);
  await expect(entryOf(page, older!)).toBeVisible();

  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await expect(entryOf(page, newer!)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialogOf(page)).toContainText(newer!);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(entryOf(page, newer!)).toBeFocused();

  await entryOf(page, newer!)
    .getByRole('button', { name: /^Retry/ })
    .press('Enter');
  await expect(entryOf(page, newer!)).toContainText('Sent');

  await entryOf(page, older!).getByRole('checkbox').press('Space');
  await page.getByRole('button', { name: /^Retry 1/ }).press('Enter');
  await dialogOf(page)
    .getByRole('button', { name: /^Retry 1/ })
    .press('Enter');
  await expect(entryOf(page, older!)).toContainText('Sent');
  await expect(page.getByRole('dialog')).toBeHidden();

  const chart = page.getByRole('region', { name: 'Leads by day' });
  await chart.getByRole('link').last().press('Enter');
  await expect(page).toHaveURL(new RegExp(`startDate=${londonDay()}&endDate=${londonDay()}`));
});
