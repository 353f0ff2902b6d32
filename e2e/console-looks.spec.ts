import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

import { findBarriers } from './support/barriers.ts';
import { blockCalls } from './support/blocked-calls.ts';
import { aFortnight } from './support/console-figures.ts';
import { chooseInAccountMenu, postLead, untilLive } from './support/console.ts';
import { addPayer } from './support/lead-steps.ts';
import { takePictures } from './support/pictures.ts';
import type { Picture } from './support/pictures.ts';
import { test } from './support/system.fixture.ts';
import { newVisitor } from './support/visitor.ts';

// A separate system, without leads at first.
test.use({ settings: { SUPPORT_EMAIL: 'looks@liquidationledger.example' } });
test.describe.configure({ mode: 'serial' });

/** The dates of the figures. */
const FORTNIGHT = 'startDate=2025-11-20&endDate=2025-12-03';
const VIEWS = ['overview', 'money', 'people', 'sync', 'activity', 'account'];

async function openView(page: Page, address: string): Promise<void> {
  await page.goto(`/admin-leads${address}`);
  await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText(/^Loading/)).toHaveCount(0);
}

/** Takes pictures at every width in both themes, and checks for barriers. */
async function look(page: Page, name: string, picture?: Picture): Promise<void> {
  for (const theme of ['dark', 'light']) {
    await page.evaluate((value) => (document.documentElement.dataset['theme'] = value), theme);
    await takePictures(page, `console-${name}-${theme}`, picture);
    expect(await findBarriers(page), `${name}, ${theme}`).toEqual([]);
  }
}

test('axe finds nothing in the views of an empty console', async ({ operatorPage: page }) => {
  for (const theme of ['Dark theme', 'Light theme']) {
    await openView(page, '');
    await chooseInAccountMenu(page, theme);
    for (const view of VIEWS) {
      await openView(page, `?view=${view}`);
      expect(await findBarriers(page), `${view}, ${theme}`).toEqual([]);
    }
  }
});

test('the list with leads of every kind, the drawer, and the question of a bulk retry', async ({
  operator,
  operatorPage: page,
  request,
  sandbox,
}) => {
  // Pictures in two themes at every width.
  test.setTimeout(300_000);
  for (const fullName of [
    'Friedrich-Wilhelm von Hohenlohe-Schillingsfürst',
    'محمد عبد الرحمن الشمري',
    'N'.repeat(200),
  ])
    await postLead(request, newVisitor({ fullName }), { utmSource: 'u'.repeat(200) });
  await postLead(request, newVisitor(), { formType: 'pre_sample', utmSource: 'sample_site' });
  await postLead(request, newVisitor(), { website: 'https://buy.example' });
  await postLead(request, newVisitor({ tag: '500' }));
  const visitor = newVisitor({ fullName: 'Oliver Haddow', tag: '422' });
  await postLead(request, visitor, { consentMarketing: true, utmSource: 'top_sub' });
  const lead = await operator.untilLeadIs(visitor.email, 'failed');
  // A retry may help this lead.
  const refused = newVisitor({ tag: '400' });
  await postLead(request, refused);
  await operator.untilLeadIs(refused.email, 'failed');
  await addPayer({ operator, request, sandbox });
  const undecided = newVisitor();
  const data = { email: undecided.email, leadId: await postLead(request, undecided) };
  await request.post('/api/checkout/session', { data });

  await openView(page, '');
  await untilLive(page);
  await expect(page.getByText(/^Next attempt in/).first()).toBeVisible();
  await look(page, 'full');
  await page.goto(`/admin-leads?lead=${lead.id}`);
  await expect(page.getByRole('dialog')).toContainText('Email is invalid');
  await look(page, 'drawer', { phoneHeight: 1_400 });
  await page.goto('/admin-leads?status=failed');
  await page.getByRole('button', { name: 'Retry failed…' }).click();
  await expect(page.getByRole('dialog')).toContainText('1 of 2 failed leads.');
  await look(page, 'retry', { phoneHeight: 800 });
});

test('the other views, and the list with charts, empty, and without an API', async ({
  operatorPage: page,
  faults,
}) => {
  test.setTimeout(300_000);
  faults.expect(/^request failed: GET \/api\/admin\/leads/);
  faults.expect(/^console error: Could not load \/api\/admin\/leads/);
  for (const view of [...VIEWS, 'money&people=money-in']) {
    await openView(page, `?view=${view}`);
    await look(page, view.replace('&', '-'));
  }
  await page.route('**/api/admin/charts*', (route) => route.fulfill({ json: aFortnight() }));
  await openView(page, `?${FORTNIGHT}`);
  await expect(page.getByText('No leads found')).toBeVisible();
  await look(page, 'charts');
  await page.route('**/api/admin/leads', (route) => route.abort());
  await page.goto('/admin-leads');
  await expect(page.getByRole('alert')).toBeVisible();
  await look(page, 'unreachable');
});

test('nothing moves when the charts load, at any width', async ({ operatorPage: page }) => {
  for (const width of [768, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const json = aFortnight();
    const release = await blockCalls(page, '**/api/admin/charts*', (route) =>
      route.fulfill({ json }),
    );
    // With a filter, the set-up steps are not above the table.
    await page.goto('/admin-leads?formType=pre_buy');
    const table = page.getByRole('table', { name: 'Leads' });
    await expect(table.getByRole('rowheader').first()).toBeVisible();
    const before = await table.boundingBox();

    release();

    await expect(page.getByRole('region', { name: 'By source' })).toContainText('268');
    expect((await table.boundingBox())?.y, `at ${width}`).toBe(before?.y);
    await page.unroute('**/api/admin/charts*');
  }
});

test('on a phone a row opens at a tap anywhere, and the views are in a menu', async ({
  operatorPage: page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openView(page, '?view=activity');
  await expect(page.getByRole('link', { name: 'Leads', exact: true })).toBeHidden();
  await page.getByRole('button', { name: /^Menu/ }).click();
  await page.getByRole('link', { name: 'Leads', exact: true }).click();
  await expect(page.getByRole('link', { name: 'Money' })).toBeHidden();
  const card = page.getByRole('table', { name: 'Leads' }).locator('tbody tr').first();
  await expect(card).toBeInViewport();
  await card.click({ position: { x: 300, y: 50 } });
  await expect(page.getByRole('dialog').getByRole('heading', { name: 'Consent' })).toBeVisible();
});
