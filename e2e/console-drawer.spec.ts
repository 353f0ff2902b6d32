import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { CONSENT_TEXTS, CURRENT_CONSENT_VERSION } from '@site/schema/consent';

import { findBarriers } from './barriers.ts';
import { rowOf } from './console.ts';
import { addFailed, addRefused } from './lead-steps.ts';
import { test } from './system.fixture.ts';
import { newVisitor } from './visitor.ts';

const drawerOf = (page: Page) => page.getByRole('dialog');

test('the drawer says why a lead failed, a retry fails again, and with a correct address a new lead is sent', async ({
  operator,
  operatorPage: page,
  request,
}) => {
  const { visitor, lead } = await addFailed(
    { operator, request },
    { more: { consentMarketing: true } },
  );
  const search = encodeURIComponent(visitor.email);
  await page.goto(`/admin-leads?search=${search}`);
  await expect(rowOf(page, visitor)).toContainText(/Failed.*Email is invalid/);

  await rowOf(page, visitor).getByRole('link', { name: visitor.fullName }).click();
  await expect(page).toHaveURL(`/admin-leads?search=${search}&lead=${lead.id}`);
  const drawer = drawerOf(page);
  await expect(drawer.getByRole('heading', { name: visitor.fullName })).toBeVisible();
  await expect(drawer).toContainText(/Beehiiv answered 422.*; will not retry\./);
  await expect(drawer).toContainText('It will not be retried automatically.');
  await expect(drawer).toContainText(CONSENT_TEXTS[CURRENT_CONSENT_VERSION]);
  await page.reload();
  await expect(drawer).toContainText('will not retry');
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await page.goBack();
  await expect(drawer).toBeVisible();

  await drawer.getByRole('button', { name: 'Retry now' }).click();
  await expect(drawer).toContainText('After a retry');
  await expect
    .poll(async () =>
      (await operator.leadsOf(visitor.email)).map((now) => [
        now.beehiivStatus,
        now.updatedAt > lead.updatedAt,
      ]),
    )
    .toEqual([['failed', true]]);

  const right = newVisitor().email;
  await drawer.getByRole('button', { name: 'Correct the address…' }).click();
  await drawer.getByLabel('Correct address').fill(right);
  await drawer.getByRole('button', { name: 'Correct the address', exact: true }).click();
  await expect(drawer).toContainText(right);
  await expect(drawer).toContainText('Beehiiv accepted it');
  expect(await operator.untilLeadIs(right, 'sent')).toMatchObject({ consentMarketing: true });
  await page.goto(`/admin-leads?lead=${lead.id}`);
  await expect(drawer).toContainText(`, to ${right}`);
  await expect(drawer.getByRole('button', { name: 'Correct the address…' })).toBeHidden();
});

test(
  'an operator goes from the list to the drawer and back, and to the correction, by keyboard alone',
  { tag: '@long' },
  async ({ operator, operatorPage: page, sandbox, request }) => {
    const { visitor } = await addRefused({ operator, request, sandbox });
    await page.goto(`/admin-leads?search=${visitor.email}`);
    await expect(rowOf(page, visitor)).toBeVisible();

    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Skip to the list' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('table', { name: 'Leads', exact: true })).toBeFocused();
    await page.keyboard.press('j');
    await expect(rowOf(page, visitor)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(drawerOf(page)).toContainText('will not retry');
    expect(await findBarriers(page)).toEqual([]);
    await expect(
      drawerOf(page).getByRole('button', { name: 'Correct the address…' }),
    ).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(drawerOf(page)).toBeHidden();
    await expect(rowOf(page, visitor)).toBeFocused();

    // It would be refused again.
    await page.keyboard.press('r');
    await expect(drawerOf(page).getByRole('textbox')).toBeFocused();
  },
);
