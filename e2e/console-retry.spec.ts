import { expect } from '@playwright/test';

import { logInBeside, postLead } from './console.ts';
import { test } from './system.fixture.ts';
import { newVisitor } from './visitor.ts';

// One request every five seconds: a run of twelve lasts a minute, and a browser has all the time to stop it.
const PER_MINUTE = 12;
const LEADS = 12;
test.use({ settings: { BEEHIIV_REQUESTS_PER_MINUTE: String(PER_MINUTE) } });

test('a retry of many tells its size and time, is followed by two operators, and Stop gives back what was not tried', async ({
  operator,
  operatorPage: page,
  browser,
  system,
  faults,
  request,
}) => {
  test.setTimeout(90_000);
  const robots = Array.from({ length: LEADS }, () => newVisitor());
  for (const robot of robots) await postLead(request, robot, { website: 'https://buy.example' });
  const colleague = await logInBeside({ browser, system, faults });
  await colleague.page.goto('/admin-leads');
  await page.goto('/admin-leads?status=failed');

  await page.getByRole('button', { name: `Retry ${LEADS} failed…` }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('No failed leads to retry.');
  await dialog.getByRole('checkbox', { name: `Include ${LEADS} quarantined leads` }).check();
  await expect(dialog).toContainText(`${LEADS} failed leads, about 1 min at the current rate.`);
  expect((await operator.counts()).beehiivSent).toBe(0);
  await dialog.getByRole('button', { name: `Retry ${LEADS}` }).click();

  const strips = [page, colleague.page].map((tab) => tab.getByRole('region', { name: `Retry of ${LEADS} by admin` }));
  for (const strip of strips) {
    await expect(strip).toContainText(/[1-9]\d? of 12 done: [1-9]\d? sent, \d+ in progress/);
    await expect(strip.getByRole('progressbar', { name: 'Progress' })).toHaveAttribute('value', /[1-9]/);
  }
  await page
    .getByRole('region', { name: /^Retry of/ })
    .getByRole('button', { name: 'Stop' })
    .click();

  for (const strip of strips) await expect(strip).toBeHidden();
  await page.getByRole('link', { name: 'Retry runs' }).click();
  const run = page.getByRole('row').filter({ hasText: 'including quarantined' });
  await expect(run).toContainText(/12 of 12 done: [1-9]\d? sent, [1-9]\d? not retried.*Stopped/);
  const { total, beehiivSent } = await operator.counts();
  await expect(run).toContainText(`${beehiivSent} sent, ${total - beehiivSent} not retried`);

  // They stand where they stood, with the reason that they had.
  await page.goto('/admin-leads?status=failed');
  const returned = page.getByRole('table', { name: 'Leads' }).locator('tbody tr');
  await expect(returned).toHaveCount(total - beehiivSent);
  for (const row of await returned.all()) await expect(row).toContainText('Quarantined: looks automated');
  await colleague.close();
});
