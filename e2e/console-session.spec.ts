import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

import { chooseInAccountMenu, untilLive } from './support/console.ts';
import { test } from './support/system.fixture.ts';

const ADDRESS = '/admin-leads?formType=pre_buy';
const leads = (page: Page) => page.getByRole('heading', { name: 'Leads', exact: true });
const login = (page: Page) => page.getByRole('heading', { name: 'Log in' });

test(
  'an operator logs in at the requested URL and after the session, and logs out',
  { tag: '@long' },
  async ({ page, playwright, baseURL, system, faults }) => {
    faults.expect(/^answer 401: GET \/api\/admin\//);
    faults.expect(/^answer 401: POST \/api\/admin\/login/);
    const { username, password } = system.login;
    await page.goto(ADDRESS);
    await expect(login(page)).toBeVisible();
    await page.getByLabel('Username').fill(username);
    await page.getByLabel('Password').fill('not the password');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toContainText('Wrong username or password.');
    await page.keyboard.type(password);
    await page.getByRole('button', { name: 'Log in' }).click();

    await expect(leads(page)).toBeVisible();
    await expect(page).toHaveURL(ADDRESS);
    await page.reload();
    await untilLive(page);
    // The page's shared styles are loaded once, and its own styles after them.
    const styles = await page.evaluate(() => Array.from(document.styleSheets, ({ href }) => href));
    expect(new Set(styles).size).toBe(styles.length);
    await expect(page.getByRole('button', { name: /^Menu/ })).toBeHidden();

    // The session ends while the page only watches.
    await page.context().request.post('/api/admin/logout');
    await expect(page.getByText('Your session has ended.')).toBeVisible();
    await expect(page.getByLabel('Username')).toBeFocused();
    await page.keyboard.type(username);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await untilLive(page);
    await expect(page).toHaveURL(ADDRESS);

    await chooseInAccountMenu(page, 'Log out');
    await expect(login(page)).toBeVisible();
    await expect(page.getByText('Your session has ended.')).toBeHidden();
    await page.reload();
    await expect(login(page)).toBeVisible();
    // A new connection, because the server may be closing an idle one.
    const again = await playwright.request.newContext({
      ...(baseURL && { baseURL }),
      storageState: await page.context().storageState(),
    });
    expect((await again.get('/api/admin/leads')).status()).toBe(401);
    await again.dispose();
  },
);
