import { expect } from '@playwright/test';

import { dialogOf, entryOf, openLive, postLead } from './support/console.ts';
import { addSent } from './support/lead-steps.ts';
import { test } from './support/tasks.fixture.ts';
import { newVisitor } from './support/visitor.ts';

test('task 11: see a pause, its remedy and its end', async ({
  operator,
  operatorPage: page,
  sandbox,
  request,
}) => {
  const strip = page.getByRole('region', { name: /^Sync/ });
  const paused = /paused|refuses the key/i;
  await openLive(page, '/admin-leads');
  // Beehiiv refuses the key.
  await sandbox.fault({ target: 'beehiiv', mode: 'status', status: 401 });
  const visitor = newVisitor();
  await postLead(request, visitor);
  await expect(strip).toContainText(paused);
  await operator.untilLeadIs(visitor.email, 'pending');

  await strip.getByRole('link').click();

  await expect(page).toHaveURL(/view=sync/);
  await expect(entryOf(page, /\bkey\b/i).first()).toBeVisible();
  await sandbox.heal();
  // Without the press the worker would try again a little later.
  const [probe] = await Promise.all([
    page.waitForResponse('**/api/admin/sync/probe'),
    page.getByRole('button', { name: /^Try/ }).click(),
  ]);
  expect(probe.ok()).toBe(true);
  await operator.untilLeadIs(visitor.email, 'sent');
  await expect(page.getByRole('button', { name: /^Try/ })).toBeHidden();
  await expect(strip).not.toContainText(paused);
  expect(await (await page.request.get('/api/admin/sync')).json()).toMatchObject({ pause: null });
});

test('task 12: compare with Beehiiv and fix all that is safe', async ({
  operator,
  operatorPage: page,
  sandbox,
  request,
}) => {
  const means = { operator, request };
  const sent = await Promise.all([addSent(means), addSent(means)]);
  const emails = sent.map(({ visitor }) => visitor.email);
  for (const email of emails) await sandbox.loseSubscriber(email);
  await page.goto('/admin-leads?view=money');

  await page.getByRole('button', { name: /^Compare/ }).click();
  const compared = async () => (await page.request.get('/api/admin/differences')).text();
  for (const email of emails) await expect.poll(compared, { intervals: [200] }).toContain(email);
  await page.reload();
  for (const email of emails) await expect(entryOf(page, email)).toBeVisible();
  const kind = page.getByRole('region').filter({ hasText: emails[0]! }).last();
  await kind.getByRole('button', { name: /\ball\b/ }).click();
  await dialogOf(page)
    .getByRole('button', { name: /^(?:Fix|Add)/ })
    .click();

  for (const email of emails)
    await expect.poll(async () => sandbox.subscriber(email), { intervals: [200] }).toBeDefined();
  for (const email of emails) await expect(entryOf(page, email)).toBeHidden();
});
