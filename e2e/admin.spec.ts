import { readFile } from 'node:fs/promises';

import { expect } from '@playwright/test';
import { parse } from 'csv-parse/sync';

import { counter, postLead, rowOf } from './console.ts';
import { blockCalls } from './blocked-calls.ts';
import { addFailed, addQuarantined, addRefused, addSent } from './lead-steps.ts';
import { pauseTime } from './page-time.ts';
import { test } from './system.fixture.ts';
import { newVisitor } from './visitor.ts';

const today = () => new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London' }).format(new Date());

test('the login stands at the page’s own address, refuses a wrong password and takes the right one', async ({
  page,
  system,
  faults,
}) => {
  faults.expect(/^answer 401: GET \/api\/admin\/me/);
  faults.expect(/^answer 401: POST \/api\/admin\/login/);
  const address = '/admin-leads?formType=pre_buy';
  await page.goto(address);
  await expect(page.getByRole('heading', { name: 'Log in' })).toBeVisible();
  await expect(page.getByLabel('Username')).toBeFocused();
  await expect(page).toHaveURL(address);

  await page.getByLabel('Username').fill(system.login.username);
  await page.getByLabel('Password').fill('not the password');
  await page.keyboard.press('Enter');

  await expect(page.getByRole('alert')).toContainText('Wrong username or password.');
  await expect(page.getByLabel('Username')).toHaveValue(system.login.username);
  await expect(page.getByLabel('Password')).toHaveValue('');
  await expect(page.getByLabel('Password')).toBeFocused();

  await page.keyboard.type(system.login.password);
  await page.getByRole('button', { name: 'Log in' }).click();

  await expect(page.getByRole('heading', { name: 'Leads', exact: true })).toBeVisible();
  await expect(page).toHaveURL(address);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Leads', exact: true })).toBeVisible();
});

test('signing out brings the login back and ends the session', async ({ operatorPage: page, faults }) => {
  faults.expect(/^answer 401: GET \/api\/admin\//);
  await page.goto('/admin-leads');
  await page.getByRole('button', { name: 'Log out' }).click();

  await expect(page.getByRole('heading', { name: 'Log in' })).toBeVisible();
  await expect(page.getByText('Your session has ended.')).toBeHidden();
  await expect(page).toHaveURL('/admin-leads');
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Log in' })).toBeVisible();
  expect((await page.context().request.get('/api/admin/leads')).status()).toBe(401);
});

test('filters hold for list, counters and address, and the back button undoes them', async ({
  operator,
  operatorPage: page,
  request,
}) => {
  const { visitor: buyer } = await addSent(
    { operator, request },
    { more: { utmSource: 'nav_sub', utmCampaign: 'navigation_subscription' } },
  );
  const { visitor: sampler } = await addSent(
    { operator, request },
    { visitor: newVisitor({ fullName: 'Tom Aldridge' }), more: { formType: 'pre_sample' } },
  );
  const counts = await operator.counts();
  await page.goto('/admin-leads');

  for (const column of ['Contact', 'Form Type', 'Source', 'Location', 'Beehiiv', 'Date']) {
    await expect(page.getByRole('columnheader', { name: column })).toBeVisible();
  }
  await expect(page.getByLabel('Form Type').getByRole('option')).toHaveText(['All Forms', 'Pre-Sample', 'Pre-Buy']);
  await expect(counter(page, 'Total Leads')).toContainText(String(counts.total));
  await expect(counter(page, 'Pre-Sample')).toContainText(String(counts.preSample));
  await expect(counter(page, 'Pre-Buy')).toContainText(String(counts.preBuy));
  await expect(counter(page, 'Beehiiv Sent')).toContainText(String(counts.beehiivSent));
  await expect(rowOf(page, buyer)).toContainText('Priya Raman');
  await expect(rowOf(page, buyer)).toContainText('nav_sub');
  await expect(rowOf(page, sampler)).toContainText(/Pre-Sample.*Sent/);

  await page.getByLabel('Form Type').selectOption('Pre-Sample');
  await page.getByLabel('Start Date').fill(today());
  await page.getByLabel('End Date').fill(today());
  await expect(rowOf(page, buyer)).toBeVisible();
  await page.getByRole('button', { name: 'Apply Filters' }).click();

  await expect(page).toHaveURL(`/admin-leads?formType=pre_sample&startDate=${today()}&endDate=${today()}`);
  await expect(rowOf(page, sampler)).toBeVisible();
  await expect(rowOf(page, buyer)).toBeHidden();
  await expect(counter(page, 'Total Leads')).toContainText(String(counts.preSample));

  await page.goBack();

  await expect(page).toHaveURL('/admin-leads');
  await expect(page.getByLabel('Form Type')).toHaveValue('');
  await expect(page.getByLabel('Start Date')).toHaveValue('');
  await expect(rowOf(page, buyer)).toBeVisible();

  await page.goForward();
  await page.reload();

  await expect(page.getByLabel('Form Type')).toHaveValue('pre_sample');
  await expect(rowOf(page, buyer)).toBeHidden();
});

test('dates without leads say that there are none, and crossed dates are refused beside their field', async ({
  operatorPage: page,
}) => {
  await page.goto('/admin-leads');
  await page.getByLabel('Start Date').fill('2020-01-02');
  await page.getByLabel('End Date').fill('2020-01-01');
  await page.getByRole('button', { name: 'Apply Filters' }).click();
  await expect(page.getByLabel('End Date')).toHaveAccessibleDescription('The end date is before the start date');
  await expect(page).toHaveURL('/admin-leads');

  await page.getByLabel('End Date').fill('2020-01-03');
  await page.getByRole('button', { name: 'Apply Filters' }).click();

  await expect(page.getByText('No leads found')).toBeVisible();
  await expect(counter(page, 'Total Leads')).toContainText('0');
});

test('a slow list says that it loads', async ({ operatorPage: page }) => {
  const releaseRun = await blockCalls(page, '**/api/admin/leads');
  await page.goto('/admin-leads');

  await expect(page.getByText('Loading leads...')).toBeVisible();

  releaseRun();
  await expect(page.getByText('Loading leads...')).toBeHidden();
  await expect(page.getByRole('table', { name: 'Leads' }).getByRole('row').nth(1)).toBeVisible();
});

test('a list that cannot be fetched is logged and empty, says so, and comes back on request', async ({
  operatorPage: page,
  faults,
}) => {
  faults.expect(/^request failed: GET \/api\/admin\/leads/);
  faults.expect(/^console error: Could not load \/api\/admin\/leads/);
  // Nothing comes by itself, neither over the stream nor in time: what the button brings is seen.
  await page.route('**/api/admin/events*', () => undefined);
  await page.clock.install();
  await page.route('**/api/admin/leads', (route) => route.abort());
  await page.goto('/admin-leads');

  await expect(page.getByRole('alert')).toContainText('The list could not be loaded');
  await expect(page.getByRole('alert')).toContainText('The server could not be reached.');
  await expect(page.getByText('No leads found')).toBeHidden();

  await pauseTime(page);
  await page.unroute('**/api/admin/leads');
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();

  await expect(page.getByRole('alert')).toBeHidden();
  await expect(page.getByRole('table', { name: 'Leads' }).getByRole('row').nth(1)).toBeVisible();
});

test('Export CSV downloads exactly the rows of the applied filter', async ({
  operator,
  operatorPage: page,
  request,
}) => {
  const { visitor: sampler } = await addSent(
    { operator, request },
    { visitor: newVisitor({ fullName: '=cmd("calc")' }), more: { formType: 'pre_sample' } },
  );
  await addSent({ operator, request });
  const { preSample } = await operator.counts();
  await page.goto('/admin-leads?formType=pre_sample');

  const downloading = page.context().waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const download = await downloading;

  expect(download.suggestedFilename()).toBe(`leads-pre_sample-${today()}.csv`);
  const file = await readFile(await download.path());
  expect(file.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
  const rows: Record<string, string>[] = parse(file, { bom: true, columns: true });
  expect(rows).toHaveLength(preSample);
  expect(new Set(rows.map((row) => row['formType']))).toEqual(new Set(['pre_sample']));
  expect(rows.find((row) => row['email'] === sampler.email)).toMatchObject({
    fullName: `'${sampler.fullName}`,
    phone: sampler.phone,
    beehiivStatus: 'sent',
  });
  expect(new URL(download.url()).search).toBe('?formType=pre_sample');
});

test('a lead that Beehiiv refused is sent by Retry', async ({ operator, operatorPage: page, sandbox, request }) => {
  const { visitor, lead: refused } = await addRefused({ operator, request, sandbox });
  expect(refused.beehiivResponse).toContain('422');
  await page.goto('/admin-leads?status=failed');
  await expect(rowOf(page, visitor)).toContainText(/Failed.*Email is invalid/);

  await page.goto(`/admin-leads?search=${visitor.email}`);
  await page.getByRole('button', { name: `Retry ${visitor.fullName}` }).click();

  await expect(rowOf(page, visitor)).toContainText('Sent');
  await expect(page.getByRole('button', { name: `Retry ${visitor.fullName}` })).toBeHidden();
  expect(await operator.untilLeadIs(visitor.email, 'sent')).toMatchObject({ beehiivSentAt: expect.any(String) });
});

test('a lead that Beehiiv will never take fails again after Retry', async ({
  operator,
  operatorPage: page,
  request,
}) => {
  const {
    visitor,
    lead: { updatedAt },
  } = await addFailed({ operator, request });
  await page.goto(`/admin-leads?search=${encodeURIComponent(visitor.email)}`);

  await page.getByRole('button', { name: `Retry ${visitor.fullName}` }).click();

  await expect
    .poll(async () =>
      (await operator.leadsOf(visitor.email)).map((lead) => [lead.beehiivStatus, lead.updatedAt > updatedAt]),
    )
    .toEqual([['failed', true]]);
  await expect(rowOf(page, visitor)).toContainText('Email is invalid');
});

test('what looks like a robot’s is kept back until the operator sends it', async ({
  operator,
  operatorPage: page,
  sandbox,
  request,
}) => {
  const { visitor, lead } = await addQuarantined({ operator, request }, { more: { consentMarketing: true } });
  expect(lead.beehiivResponse).toMatch(/^quarantined: /);
  expect(await sandbox.subscriber(visitor.email)).toBeUndefined();
  await page.goto(`/admin-leads?search=${visitor.email}`);
  await expect(rowOf(page, visitor)).toContainText('Quarantined: looks automated');

  await page.getByRole('button', { name: `Send ${visitor.fullName} to Beehiiv` }).click();

  await expect(rowOf(page, visitor)).toContainText('Sent');
  await operator.untilLeadIs(visitor.email, 'sent');
  expect(await sandbox.subscriber(visitor.email)).toBeDefined();
});

test('a lead that is on its way becomes sent before the operator’s eyes', async ({
  operator,
  operatorPage: page,
  sandbox,
  request,
}) => {
  const visitor = newVisitor();
  await sandbox.fault({ target: 'beehiiv', mode: 'slow', delayMs: 5_000 });
  await postLead(request, visitor);
  await page.goto(`/admin-leads?search=${visitor.email}`);
  await expect(rowOf(page, visitor)).toContainText('Pending');

  await sandbox.heal();
  await expect(rowOf(page, visitor)).toContainText('Sent');
  await operator.untilLeadIs(visitor.email, 'sent');
});

test('a call that meets an ended session brings the login, at the address the operator asked for', async ({
  operatorPage: page,
  system,
  faults,
}) => {
  faults.expect(/^answer 401: GET \/api\/admin\//);
  // What is asked by itself goes unanswered, so that it is the call which finds the session gone.
  await page.route(/\/api\/admin\/(events|sync|charts|money|retry-runs)/, () => undefined);
  await page.goto('/admin-leads');
  await expect(counter(page, 'Total Leads')).toContainText(/\d/);

  await page.context().request.post('/api/admin/logout');
  await page.getByLabel('Form Type').selectOption('Pre-Sample');
  await page.getByRole('button', { name: 'Apply Filters' }).click();

  await expect(page.getByRole('heading', { name: 'Log in' })).toBeVisible();
  await expect(page).toHaveURL('/admin-leads?formType=pre_sample');

  await page.getByLabel('Username').fill(system.login.username);
  await page.getByLabel('Password').fill(system.login.password);
  await page.keyboard.press('Enter');

  await expect(page.getByLabel('Form Type')).toHaveValue('pre_sample');
  await expect(counter(page, 'Total Leads')).toContainText(/\d/);
});
