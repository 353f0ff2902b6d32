import { expect } from '@playwright/test';

import { counter, postLead } from './console.ts';
import { test } from './system.fixture.ts';
import { newVisitor } from './visitor.ts';

const REFUSED = 20;
test.use({ settings: { BEEHIIV_REQUESTS_PER_MINUTE: '0' } });

test('twenty refusals in a row pause the sync, the strip says why, and all of them are sent once it is put right', async ({
  operator,
  operatorPage: page,
  sandbox,
  request,
}) => {
  // While paused, Beehiiv is asked again every fifteen seconds.
  test.setTimeout(90_000);
  await page.goto('/admin-leads');
  const strip = page.getByRole('region', { name: 'Sync to Beehiiv' });
  await expect(strip).toContainText('Sync running');
  await sandbox.fault({ target: 'beehiiv', mode: 'status', status: 422 });
  for (let n = 0; n < REFUSED; n++) await postLead(request, newVisitor());

  await expect(strip).toContainText(/Paused since \d\d:\d\d/);
  await expect(strip).toContainText('Setting BEEHIIV_* settings');
  await expect(strip).toContainText(/Reason 20 refusals in a row\. The last: .*422/);
  const later = newVisitor();
  await postLead(request, later);
  await expect(strip).toContainText(/Waiting [1-9]\d*, nothing lost/);
  await expect(strip).toContainText(/Next probe (in|now)/);
  expect((await operator.counts()).beehiivSent).toBe(0);

  await sandbox.heal();

  await expect(strip).toContainText('Sync running', { timeout: 30_000 });
  await operator.untilLeadIs(later.email, 'sent');
  const all = strip.getByRole('button', { name: /^Retry these \d+…$/ });
  const refused = Number(/\d+/.exec((await all.textContent()) ?? '')?.[0]);
  expect(refused).toBeGreaterThan(0);
  expect(refused).toBeLessThanOrEqual(REFUSED);
  await all.click();
  const dialog = page.getByRole('dialog', { name: 'Retry leads rejected in a row' });
  await expect(dialog).toContainText(`${refused} failed leads, as fast as Beehiiv answers.`);
  await dialog.getByRole('button', { name: `Retry ${refused}` }).click();

  await expect(counter(page, 'Beehiiv Sent')).toContainText(String(REFUSED + 1), { timeout: 20_000 });
  await expect(all).toBeHidden();
  await page.goto('/admin-leads?status=failed');
  await expect(page.getByText('No leads found')).toBeVisible();
});
