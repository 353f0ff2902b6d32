import { createHmac } from 'node:crypto';

import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

import { dialogOf, entryOf, logInBeside, londonDay, openFilters } from './support/console.ts';
import { addSent } from './support/lead-steps.ts';
import { logIn } from './support/operator.ts';
import { test } from './support/tasks.fixture.ts';

const BASE_32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Returns an authenticator app's current code for a key (RFC 6238). */
function codeOf(key: string): string {
  const bits = Array.from(key.replaceAll(' ', ''), (letter) =>
    BASE_32.indexOf(letter).toString(2).padStart(5, '0'),
  );
  const bytes = (bits.join('').match(/.{8}/gu) ?? []).map((byte) => Number.parseInt(byte, 2));
  const period = Buffer.alloc(8);
  period.writeBigInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const hash = createHmac('sha1', Buffer.from(bytes)).update(period).digest();
  const at = hash.at(-1)! & 15;
  return String((hash.readUInt32BE(at) & 0x7fff_ffff) % 1_000_000).padStart(6, '0');
}

test('task 21: see the actions of operators, by action and day', async ({
  operator,
  operatorPage: page,
  request,
  system,
}) => {
  const { visitor, lead } = await addSent({ operator, request });
  const data = { text: 'Away in May' };
  await page.request.post(`/api/admin/leads/${lead.id}/notes`, { data });
  await page.goto('/admin-leads?view=activity');
  const note = entryOf(page, visitor.email).filter({ hasText: /wrote a note/i });
  await expect(note).toContainText(system.login.username);
  await expect(entryOf(page, 'Logged in').first()).toBeVisible();

  await openFilters(page);
  await page.getByLabel('Action', { exact: true }).selectOption('Wrote a note');
  await page.getByLabel('Start Date').fill(londonDay());
  await page.getByRole('button', { name: 'Apply Filters' }).click();

  await expect(page).toHaveURL(/action=note/);
  await expect(note).toBeVisible();
  await expect(entryOf(page, 'Logged in')).toHaveCount(0);
});

test('task 22: choose Overview as the view after the login', async ({
  browser,
  operatorPage: page,
  system,
}) => {
  await page.goto('/admin-leads?view=account');
  const overview = page.getByRole('radio', { name: 'Overview' });
  await overview.check();
  await page.reload();
  await expect(overview).toBeChecked();
  // The session keeps its place.
  await page.goto('/admin-leads');
  await expect(page.getByRole('heading', { level: 1, name: 'Leads' })).toBeVisible();

  const beside = await browser.newContext({ baseURL: system.siteUrl });
  const other = await beside.newPage();
  await other.goto('/admin-leads');
  await other.getByLabel('Username').fill(system.login.username);
  await other.getByLabel('Password').fill(system.login.password);
  await other.getByRole('button', { name: 'Log in' }).click();
  await expect(other).toHaveURL(/view=overview/);
  await expect(other.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
  await beside.close();
  await page.request.post('/api/admin/account/opening-view', { data: { view: 'leads' } });
});

test('task 22: change the password, and end other sessions', async ({
  browser,
  operatorPage: page,
  request,
  system,
  faults,
}) => {
  const { username, password } = system.login;
  const newPassword = 'A sentence of my own, for a while';
  const tryLogin = async (data: { password: string }) =>
    (await request.post('/api/admin/login', { data: { username, ...data } })).status();
  await page.goto('/admin-leads?view=account');
  await page.getByLabel('Current password').fill(password);
  await page.getByLabel('New password', { exact: true }).fill(newPassword);
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByLabel('Current password')).toHaveValue('');
  expect(await tryLogin({ password })).toBe(401);
  expect(await tryLogin({ password: newPassword })).toBe(200);
  const back = { currentPassword: newPassword, newPassword: password };
  await page.request.post('/api/admin/account/password', { data: back });

  const other = await logInBeside({ browser, system, faults });
  await page.reload();
  const sessions = page.getByRole('table', { name: 'Sessions' }).getByRole('row');
  await expect(sessions.filter({ hasText: 'this one' })).toHaveCount(1);
  await expect(sessions.getByRole('button', { name: /^Log out/ })).not.toHaveCount(0);
  await page.getByRole('button', { name: /^Log out the others/ }).click();
  await expect(sessions.getByRole('button', { name: /^Log out/ })).toHaveCount(0);
  expect((await other.page.request.get('/api/admin/me')).status()).toBe(401);
  expect((await page.request.get('/api/admin/me')).status()).toBe(200);
  await other.close();
});

test('task 27: add a colleague, who chooses a password, and remove them', async ({
  operatorPage: page,
  browser,
  system,
  faults,
}) => {
  faults.expect(/^answer 401: GET \/api\/admin\//);
  const username = `ana ${Date.now()}`;
  await page.goto('/admin-leads?view=account');
  await page.getByLabel('Username of a colleague').fill(username);
  await page.getByRole('button', { name: 'Add an operator' }).click();
  const password = (await dialogOf(page).locator('code').textContent()) ?? '';
  await dialogOf(page).getByRole('button', { name: 'Close' }).last().click();
  const operators = page.getByRole('table', { name: 'Operators' }).getByRole('row');
  await expect(operators.filter({ hasText: username })).toContainText('One-time password until');

  const context = await browser.newContext({ baseURL: system.siteUrl });
  faults.over(context);
  const theirs = await context.newPage();
  await theirs.goto('/admin-leads');
  await theirs.getByLabel('Username').fill(username);
  await theirs.getByLabel('Password').fill(password);
  await theirs.getByRole('button', { name: 'Log in' }).click();
  await expect(theirs.getByRole('heading', { name: 'Choose a password' })).toBeVisible();
  await theirs.getByLabel('Current password').fill(password);
  await theirs.getByLabel('New password', { exact: true }).fill('Rhubarb under a green umbrella');
  await theirs.getByRole('button', { name: 'Change password' }).click();
  await expect(theirs.getByRole('heading', { name: 'Leads', exact: true })).toBeVisible();

  await page.getByRole('button', { name: `Remove ${username}` }).click();
  await expect(dialogOf(page)).toContainText(username);
  await dialogOf(page).getByRole('button', { name: 'Remove' }).click();
  // The dialog hides the table until the operator is removed.
  await expect(dialogOf(page)).toBeHidden();
  await expect(operators.filter({ hasText: username })).toHaveCount(0);
  expect((await theirs.request.get('/api/admin/me')).status()).toBe(401);
  await context.close();
  await page.goto('/admin-leads?view=activity');
  await expect(entryOf(page, username).filter({ hasText: 'Removed the operator' })).toBeVisible();
});

/** The names of buttons and links that change something or export somebody. */
const CHANGES = new RegExp(
  '^(?:Retry|Send|Export|Accountant|Give|Payment link|Correct|Erase|Save note|Delete|Remove|' +
    'Mark|Undo|Compare now|Fix|Try now|Stop|Add an|New password)',
);

test('task 34: a viewer looks and changes nothing, and gets a new password', async ({
  operator,
  operatorPage: page,
  browser,
  request,
  system,
  faults,
  viewport,
}) => {
  const { lead } = await addSent({ operator, request });
  const username = `vera ${Date.now()}`;
  const views = ['', '?view=overview', '?view=money', '?view=people', '?view=sync'];
  const addresses = [...views, `?view=person&id=${lead.id}`, '?view=account', '?view=activity'];
  const countChanges = async (shown: Page) => {
    const counts: Record<string, number> = {};
    for (const address of addresses) {
      await shown.goto(`/admin-leads${address}`);
      await expect(shown.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(shown.getByText(/^Loading/)).toHaveCount(0);
      const named = (role: 'button' | 'link') =>
        shown.getByRole('main').getByRole(role, { name: CHANGES }).count();
      counts[address] = (await named('button')) + (await named('link'));
    }
    return counts;
  };

  await page.goto('/admin-leads?view=account');
  await page.getByLabel('Username of a colleague').fill(username);
  await page.getByLabel('Can look, not change').check();
  await page.getByRole('button', { name: 'Add an operator' }).click();
  const password = (await dialogOf(page).locator('code').textContent()) ?? '';
  await dialogOf(page).getByRole('button', { name: 'Close' }).last().click();
  const context = await browser.newContext({ baseURL: system.siteUrl, viewport });
  faults.over(context);
  const chosen = { currentPassword: password, newPassword: 'Rhubarb under a green umbrella' };
  const { page: theirs } = await logIn(context, { username, password });
  await context.request.post('/api/admin/account/password', { data: chosen });

  const [ours, seen] = await Promise.all([countChanges(page), countChanges(theirs)]);
  for (const address of ['', '?view=money', '?view=people', '?view=account', addresses[5]!])
    expect([address, ours[address]]).not.toEqual([address, 0]);
  expect(seen).toEqual(Object.fromEntries(addresses.map((address) => [address, 0])));
  const note = { data: { text: 'Not theirs to write' } };
  const refused = await context.request.post(`/api/admin/leads/${lead.id}/notes`, note);
  expect(refused.status()).toBe(403);

  await theirs.close();
  await page.goto('/admin-leads?view=account');
  await page.getByRole('button', { name: `New password for ${username}` }).click();
  await dialogOf(page).getByRole('button', { name: 'Give a new password' }).click();
  const code = dialogOf(page).locator('code');
  await expect(code).not.toHaveText(password);
  const renewed = (await code.textContent()) ?? '';
  expect((await context.request.get('/api/admin/me')).status()).toBe(401);
  const { page: again } = await logIn(context, { username, password: renewed });
  await again.goto('/admin-leads');
  await expect(again.getByRole('heading', { name: 'Choose a password' })).toBeVisible();
  await context.close();
  await page.goto('/admin-leads?view=activity');
  await expect(entryOf(page, username).filter({ hasText: 'new one-time' })).toBeVisible();
});

test('task 22: turn two-step login on, log in with it, and turn it off', async ({
  page: otherPage,
  operatorPage: page,
  system,
  faults,
}) => {
  // A signed-out operator enters the password first, and then the code.
  faults.expect(/^answer 401: GET \/api\/admin\//);
  faults.expect(/^answer 401: POST \/api\/admin\/login/);
  const { username, password } = system.login;
  await page.goto('/admin-leads?view=account');
  await page.getByRole('button', { name: /^Set up an authenticator app/ }).click();
  await page.getByLabel('Your password').fill(password);
  await page.getByRole('button', { name: 'Continue' }).click();
  const key = page.getByText(/^(?:[A-Z2-7]{4} ){3,}[A-Z2-7]{1,4}$/);
  await page.getByLabel('Code', { exact: true }).fill(codeOf((await key.textContent()) ?? ''));
  await page.getByRole('button', { name: 'Turn on' }).click();
  await expect(page.getByRole('heading', { name: /recovery codes/i })).toBeVisible();
  const code = page.getByRole('main').getByRole('listitem').first();
  const recoveryCode = (await code.textContent()) ?? '';
  await page.getByRole('button', { name: /kept them/i }).click();

  await otherPage.goto('/admin-leads');
  await otherPage.getByLabel('Username').fill(username);
  await otherPage.getByLabel('Password').fill(password);
  await otherPage.getByRole('button', { name: 'Log in' }).click();
  await otherPage.getByLabel('Code').fill(recoveryCode);
  await otherPage.getByRole('button', { name: 'Log in' }).click();
  await expect(otherPage.getByRole('heading', { name: 'Leads', exact: true })).toBeVisible();

  await page.getByRole('button', { name: /^Turn off/ }).click();
  await dialogOf(page)
    .getByLabel(/password/i)
    .fill(password);
  await dialogOf(page)
    .getByRole('button', { name: /^Turn off/ })
    .click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('button', { name: /^Set up an authenticator app/ })).toBeVisible();
});
