import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { CONSENT_TEXTS, CURRENT_CONSENT_VERSION } from '@site/schema/consent';

import { rowOf } from './console.ts';
import { addFailed, addRefused, addSent } from './lead-steps.ts';
import { test } from './system.fixture.ts';
import { newVisitor } from './visitor.ts';

const drawerOf = (page: Page) => page.getByRole('dialog');

test('the drawer says why a lead failed, what its person agreed to, and is in the address', async ({
  operator,
  operatorPage: page,
  sandbox,
  request,
}) => {
  const { visitor, lead } = await addRefused({ operator, request, sandbox }, { more: { consentMarketing: true } });
  await page.goto(`/admin-leads?search=${visitor.email}`);

  await rowOf(page, visitor).getByRole('link', { name: visitor.fullName }).click();

  await expect(page).toHaveURL(`/admin-leads?search=${encodeURIComponent(visitor.email)}&lead=${lead.id}`);
  const drawer = drawerOf(page);
  await expect(drawer.getByRole('heading', { name: visitor.fullName })).toBeVisible();
  await expect(drawer).toContainText(/Beehiiv answered 422.*; will not retry\./);
  await expect(drawer).toContainText('It will not be retried automatically.');
  await expect(drawer).toContainText(CONSENT_TEXTS[CURRENT_CONSENT_VERSION]);
  await expect(drawer.getByRole('heading', { name: 'Source', exact: true })).toBeVisible();
  await drawer.getByRole('button', { name: /^Show all \d+ fields$/ }).click();
  await expect(drawer).toContainText(lead.id);

  await page.reload();
  await expect(drawer).toContainText('will not retry');
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await page.goBack();
  await expect(drawer).toBeVisible();

  await drawer.getByRole('button', { name: 'Retry now' }).click();
  await expect(drawer).toContainText('Beehiiv accepted it');
  await expect(drawer.getByRole('button', { name: 'Retry now' })).toBeHidden();
  await expect(rowOf(page, visitor)).toContainText('Sent');
});

test('a lead is copied as text', async ({ operator, operatorPage: page, request }) => {
  const { visitor, lead } = await addSent({ operator, request });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`/admin-leads?search=${visitor.email}&lead=${lead.id}`);

  await drawerOf(page).getByRole('button', { name: 'Copy as text' }).click();

  await expect(page.getByText('Copied', { exact: true })).toBeVisible();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  expect(text).toContain(`Lead ${lead.id}, sent`);
  expect(text).toContain('Beehiiv accepted it');
  expect(text).toContain(`Address: ${visitor.email}`);
});

test('a mistyped address becomes a new lead, linked to the old one', async ({
  operator,
  operatorPage: page,
  request,
  faults,
}) => {
  faults.expect(/^answer 422: POST \/api\/admin\/leads\//);
  const { visitor, lead } = await addFailed({ operator, request });
  const right = newVisitor().email;
  await page.goto(`/admin-leads?lead=${lead.id}`);
  const drawer = drawerOf(page);

  await drawer.getByRole('button', { name: 'Correct the address…' }).click();
  await drawer.getByLabel('Correct address').fill('not one');
  await drawer.getByRole('button', { name: 'Send with this address' }).click();
  await expect(drawer.getByLabel('Correct address')).toHaveAccessibleDescription(/address/);
  await drawer.getByLabel('Correct address').fill(right);
  await drawer.getByRole('button', { name: 'Send with this address' }).click();

  await expect(drawer).toContainText(right);
  await operator.untilLeadIs(right, 'sent');
  await expect(drawer).toContainText('Beehiiv accepted it');
  await drawer.getByRole('button', { name: new RegExp(visitor.email.replace(/[+.]/g, '\\$&')) }).click();
  await expect(drawer).toContainText('Corrected to');
  await expect(drawer.getByRole('button', { name: 'Correct the address…' })).toBeHidden();
});

test('the whole way by keyboard: row, drawer, retry, back', async ({
  operator,
  operatorPage: page,
  sandbox,
  request,
}) => {
  const { visitor } = await addRefused({ operator, request, sandbox });
  await page.goto(`/admin-leads?search=${visitor.email}`);
  await expect(rowOf(page, visitor)).toBeVisible();

  await page.keyboard.press('j');
  await expect(rowOf(page, visitor)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(drawerOf(page)).toContainText('will not retry');
  await page.keyboard.press('Escape');
  await expect(drawerOf(page)).toBeHidden();
  await page.keyboard.press('j');
  await page.keyboard.press('r');

  await expect(rowOf(page, visitor)).toContainText('Sent');
});
