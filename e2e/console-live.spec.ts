import { expect } from '@playwright/test';

import { counter, logInBeside, postLead, rowOf, untilLive } from './console.ts';
import { addQuarantined, addSent } from './lead-steps.ts';
import { test } from './system.fixture.ts';
import { newVisitor } from './visitor.ts';

test('new leads announce themselves and move nothing until they are asked for', async ({
  operator,
  operatorPage: page,
  request,
}) => {
  const { visitor: first } = await addSent({ operator, request });
  const { total } = await operator.counts();
  await page.goto('/admin-leads');
  await untilLive(page);
  const top = page.getByRole('table', { name: 'Leads' }).getByRole('row').nth(1);
  await expect(top).toContainText(first.email);

  const others = [newVisitor(), newVisitor(), newVisitor()];
  for (const visitor of others) await postLead(request, visitor);

  await expect(page.getByRole('button', { name: 'Show 3 new leads' })).toBeVisible();
  await expect(counter(page, 'Total Leads')).toContainText((total + 3).toLocaleString('en-GB'));
  await expect(top).toContainText(first.email);

  await page.getByRole('button', { name: 'Show 3 new leads' }).click();

  await expect(top).toContainText(others[2]?.email ?? '');
  await expect(page.getByRole('button', { name: /new lead/ })).toBeHidden();
});

test('a status changes in its place, in two tabs and for two operators at once', async ({
  browser,
  operator,
  operatorPage: page,
  sandbox,
  system,
  request,
  faults,
}) => {
  const visitor = newVisitor();
  // It waits for its next try, however long the tabs take to open.
  await sandbox.fault({ target: 'beehiiv', mode: 'status', status: 500 });
  await postLead(request, visitor);
  const colleague = await logInBeside({ browser, system, faults });
  const tabs = [page, await page.context().newPage(), colleague.page];
  for (const tab of tabs) {
    // Status narrows the list alone; what is being read stays although it no longer fits.
    await tab.goto(`/admin-leads?status=pending&search=${visitor.email}`);
    await expect(rowOf(tab, visitor)).toContainText('Pending');
  }

  await sandbox.heal();
  const [lead] = await operator.leadsOf(visitor.email);
  await page.context().request.post('/api/admin/leads/retry', { data: { ids: [lead?.id] } });
  await operator.untilLeadIs(visitor.email, 'sent');

  for (const tab of tabs) {
    await tab.bringToFront();
    await expect(rowOf(tab, visitor)).toContainText('Sent');
    await expect(counter(tab, 'Beehiiv Sent')).toContainText('1');
  }
  await colleague.close();
});

test('what one operator does the other sees', async ({
  browser,
  operator,
  operatorPage: page,
  system,
  request,
  faults,
}) => {
  const { visitor } = await addQuarantined({ operator, request });
  const { page: other, close } = await logInBeside({ browser, system, faults });
  await other.goto(`/admin-leads?search=${visitor.email}`);
  await untilLive(other);
  await page.goto(`/admin-leads?search=${visitor.email}`);

  await page.getByRole('button', { name: `Send ${visitor.fullName} to Beehiiv` }).click();

  await expect(rowOf(other, visitor)).toContainText('Sent');
  await close();
});

test('a session that ends while the page only watches brings the login, and logging in goes on in the same place', async ({
  operatorPage: page,
  system,
  faults,
}) => {
  faults.expect(/^answer 401: GET \/api\/admin\//);
  await page.goto('/admin-leads?formType=pre_buy');
  await untilLive(page);

  await page.context().request.post('/api/admin/logout');

  await expect(page.getByRole('heading', { name: 'Log in' })).toBeVisible();
  await page.getByLabel('Username').fill(system.login.username);
  await page.getByLabel('Password').fill(system.login.password);
  await page.keyboard.press('Enter');
  await untilLive(page);
  await expect(page).toHaveURL('/admin-leads?formType=pre_buy');
});

test('the keys of the list do nothing where it is not shown', async ({ operator, operatorPage: page, request }) => {
  const { visitor } = await addQuarantined({ operator, request });
  await page.goto(`/admin-leads?search=${visitor.email}`);
  await expect(rowOf(page, visitor)).toBeVisible();
  await page.keyboard.press('j');
  await expect(rowOf(page, visitor)).toBeFocused();
  await page.getByRole('link', { name: 'Activity' }).click();
  await expect(page).toHaveURL('/admin-leads?view=activity');
  const asked: string[] = [];
  page.on('request', (of) => asked.push(new URL(of.url()).pathname));

  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press('r');
  await page.keyboard.press('Enter');
  await page.keyboard.press('?');

  await expect(page.getByRole('dialog')).toContainText('Next row');
  await expect(page).toHaveURL('/admin-leads?view=activity');
  expect(asked).not.toContain('/api/admin/leads/retry');
});
