import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

import { postLead, rowOf, untilLive } from './console.ts';
import { addQuarantined, addSent } from './lead-steps.ts';
import { pauseTime } from './page-time.ts';
import { test } from './system.fixture.ts';
import { newVisitor } from './visitor.ts';

const dialogOf = (page: Page) => page.getByRole('dialog');

/** A visitor's lead in a list of its own, found by their company. */
function newCompany(): { company: string; search: string } {
  const company = `Access ${Date.now()} ${Math.random().toString(36).slice(2, 8)}`;
  return { company, search: `/admin-leads?search=${encodeURIComponent(company)}` };
}

test('whatever opens over the list gives the focus back to where it came from', async ({
  operatorPage: page,
  operator,
  request,
}) => {
  const { company, search } = newCompany();
  const { visitor, lead } = await addQuarantined({ operator, request }, { visitor: { ...newVisitor(), company } });
  await page.goto(search);
  const row = rowOf(page, visitor);
  await expect(row).toBeVisible();

  for (const width of [1440, 1100]) {
    await page.setViewportSize({ width, height: 900 });
    await page.keyboard.press('j');
    for (const key of ['Enter', '?']) {
      await page.keyboard.press(key);
      await expect(dialogOf(page).locator(':focus')).toHaveCount(1);
      await page.keyboard.press('Escape');
      await expect(dialogOf(page)).toBeHidden();
      await expect(row).toBeFocused();
    }
    await row.getByRole('link').press('Enter');
    await expect(dialogOf(page).getByRole('button', { name: 'Close' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(row.getByRole('link')).toBeFocused();
  }

  const many = page.getByRole('button', { name: 'Retry 1 failed…' });
  await many.press('Enter');
  await dialogOf(page).getByRole('button', { name: 'Cancel' }).press('Enter');
  await expect(many).toBeFocused();

  await page.goto(`${search}&lead=${lead.id}`);
  await expect(dialogOf(page).getByRole('heading', { name: 'Attempts' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(row).toBeFocused();
});

test('Escape closes the top layer alone, and beside the list the drawer lets the keyboard out', async ({
  operatorPage: page,
  operator,
  request,
}) => {
  const { company, search } = newCompany();
  const given = () => ({ visitor: { ...newVisitor(), company } });
  const { visitor: first } = await addQuarantined({ operator, request }, given());
  const { visitor: second } = await addQuarantined({ operator, request }, given());
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(search);
  await rowOf(page, first).getByRole('link').press('Enter');
  const drawer = page.getByRole('dialog', { name: first.fullName });
  await expect(drawer.getByRole('heading', { name: 'Attempts' })).toBeVisible();

  await page.getByRole('button', { name: 'Retry 2 failed…' }).press('Enter');
  await expect(dialogOf(page).filter({ hasText: '2 quarantined leads' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Retry 2 failed…' })).toBeFocused();
  await expect(drawer).toBeVisible();

  // Another lead is opened from the list: the drawer is where its subscriber then is.
  await rowOf(page, second).focus();
  await page.keyboard.press('Enter');
  await expect(dialogOf(page)).toContainText(second.email);
  await expect(dialogOf(page)).toBeFocused();
  await dialogOf(page).getByRole('button', { name: 'Close' }).focus();
  await page.keyboard.press('Shift+Tab');
  await expect(dialogOf(page).locator(':focus')).toHaveCount(0);
  await dialogOf(page).getByRole('button', { name: 'Close' }).press('Escape');
  await expect(rowOf(page, second)).toBeFocused();
});

test('the focus is never lost with what had it', async ({ operatorPage: page, operator, request, system, faults }) => {
  faults.expect(/^answer 401: /);
  const { company, search } = newCompany();
  const { visitor } = await addSent({ operator, request }, { visitor: { ...newVisitor(), company } });
  const list = page.getByRole('table', { name: 'Leads', exact: true });
  const heading = (name: string) => page.getByRole('main').getByRole('heading', { level: 1, name });
  await page.goto(`/admin-leads?search=nobody-${Date.now()}`);

  await page.getByRole('link', { name: 'Clear filters' }).press('Enter');
  await expect(list).toBeFocused();

  await page.goto(search);
  await untilLive(page);
  const other = { ...newVisitor(), company };
  await postLead(request, other);
  await page.getByRole('button', { name: 'Show 1 new lead' }).press('Enter');
  await expect(rowOf(page, other)).toBeVisible();
  await expect(list).toBeFocused();

  await rowOf(page, visitor).getByRole('link').press('Enter');
  await dialogOf(page).getByRole('button', { name: 'Export or erase…' }).press('Enter');
  await expect(heading('Privacy')).toBeFocused();

  await page.goto(search);
  await untilLive(page);
  await page.context().request.post('/api/admin/logout');
  await expect(page.getByRole('alert').filter({ hasText: 'Your session has ended.' })).toBeVisible();
  await expect(page.getByLabel('Username')).toBeFocused();
  await page.getByLabel('Username').fill(system.login.username);
  await page.getByLabel('Password').fill(system.login.password);
  await page.keyboard.press('Enter');
  await expect(heading('Leads')).toBeFocused();
});

test('what a filter leaves is said once it is there, and new leads are said once, however many come', async ({
  operatorPage: page,
  operator,
  request,
}) => {
  const { company, search } = newCompany();
  await addSent({ operator, request }, { visitor: { ...newVisitor(), company } });
  await page.clock.install();
  await page.goto(search);
  await untilLive(page);
  const said = (words: string | RegExp) => page.getByRole('status').filter({ hasText: words });
  await expect(said(`1 lead: All Forms, all dates, matching “${company}”`)).toHaveCount(1);

  await page.getByLabel('Form Type').selectOption('Pre-Sample');
  await page.getByRole('button', { name: 'Apply Filters' }).press('Enter');
  await expect(said('No leads: Pre-Sample')).toHaveCount(1);
  await page.goBack();
  await expect(said('1 lead: All Forms')).toHaveCount(1);

  await postLead(request, { ...newVisitor(), company });
  await expect(said(/^1 new lead$/)).toHaveCount(1);
  await pauseTime(page);
  for (const count of [2, 3]) {
    await postLead(request, { ...newVisitor(), company });
    await expect
      .poll(async () => {
        await page.clock.runFor(1_000);
        return page.getByRole('button', { name: `Show ${count} new leads` }).count();
      })
      .toBe(1);
    await expect(said(/^1 new lead$/)).toHaveCount(1);
  }
  await page.clock.runFor(30_000);
  await expect(said(/^3 new leads$/)).toHaveCount(1);
});

test('a list that is not refreshed any more is said once, and its rows stay', async ({
  operatorPage: page,
  operator,
  request,
  faults,
}) => {
  faults.expect(/^request failed: GET \/api\/admin\/(events|leads)/);
  faults.expect(/^console error: Could not load \/api\/admin\/leads/);
  const { visitor } = await addSent({ operator, request });
  await page.route('**/api/admin/events*', (route) => route.abort());
  await page.clock.install();
  await page.goto(`/admin-leads?search=${visitor.email}`);
  await expect(rowOf(page, visitor)).toBeVisible();
  await page.route('**/api/admin/leads?*', (route) => route.abort());

  await page.clock.runFor(6_000);

  await expect(page.getByText(/^Not updated since/)).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'The list is not being updated.' })).toHaveCount(1);
  await expect(rowOf(page, visitor)).toBeVisible();
});

test('the way past the head leads to the list, and single keys can be turned off', async ({
  operatorPage: page,
  operator,
  request,
}) => {
  const { company, search } = newCompany();
  const { visitor } = await addSent({ operator, request }, { visitor: { ...newVisitor(), company } });
  await page.goto(search);
  await expect(rowOf(page, visitor)).toBeVisible();

  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the list' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('table', { name: 'Leads', exact: true })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('checkbox', { name: 'Select all shown' })).toBeFocused();

  await page.getByRole('button', { name: '? all shortcuts' }).press('Enter');
  await dialogOf(page).getByRole('checkbox', { name: 'Use single-key shortcuts' }).uncheck();
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(rowOf(page, visitor)).toBeVisible();
  await page.keyboard.press('?');
  await page.keyboard.press('j');
  await expect(rowOf(page, visitor)).not.toBeFocused();
  await expect(dialogOf(page)).toBeHidden();

  await page.getByRole('button', { name: 'all shortcuts' }).press('Enter');
  await dialogOf(page).getByRole('checkbox', { name: 'Use single-key shortcuts' }).check();
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  await expect(rowOf(page, visitor)).toBeFocused();
});

test('each view is named by its title, its headings follow each other, and its tables have names', async ({
  operatorPage: page,
  operator,
  request,
}) => {
  const { visitor } = await addSent({ operator, request });
  for (const [view, title] of [
    [undefined, 'Leads'],
    ['figures', 'Figures'],
    ['money', 'Money'],
    ['runs', 'Retry runs'],
    ['people', 'Privacy'],
    ['activity', 'Activity'],
  ] as const) {
    await page.goto(view === undefined ? '/admin-leads' : `/admin-leads?view=${view}`);
    await expect(page).toHaveTitle(new RegExp(`^${title} \\|`));
    await untilLive(page);
    await expect(page.getByText(/^Loading/)).toHaveCount(0);
    const levels = await page
      .getByRole('heading')
      .evaluateAll((all) => all.map((heading) => Number(heading.tagName.slice(1))));
    expect(levels[0]).toBe(1);
    for (const [index, level] of levels.entries()) expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1);
    for (const table of await page.getByRole('table').all()) await expect(table).toHaveAccessibleName(/./);
  }
  await page.goto(`/admin-leads?search=${visitor.email}`);
  await expect(page.getByRole('rowheader', { name: visitor.email })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Status' }).getByRole('link', { name: 'Sent 1' })).toBeVisible();
});

test('the privacy view asks for an address before it erases, and says when it has erased', async ({
  operatorPage: page,
  operator,
  request,
}) => {
  const { visitor } = await addSent({ operator, request });
  await page.goto('/admin-leads?view=people');
  const address = page.getByLabel('Email address');

  await page.getByRole('button', { name: 'Erase…' }).press('Enter');
  await expect(address).toHaveAccessibleDescription('Enter an address first.');
  await expect(address).toBeFocused();

  await address.fill(visitor.email);
  await page.getByRole('button', { name: 'Erase…' }).press('Enter');
  await dialogOf(page).getByRole('button', { name: 'Erase permanently' }).press('Enter');
  await expect(page.getByRole('status').filter({ hasText: 'Erased here.' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Erase…' })).toBeFocused();
  await expect(page.getByRole('table', { name: 'Receipts' })).toBeVisible();
});
