import { expect } from '@playwright/test';

import { counter, logInBeside, postLead, rowOf, untilLive } from './console.ts';
import { addQuarantined, addSent } from './lead-steps.ts';
import { test } from './system.fixture.ts';
import { newVisitor } from './visitor.ts';

test('new leads are counted and shown on request, and each status changes in its place, in two tabs and for two operators', async ({
  browser,
  operator,
  operatorPage: page,
  sandbox,
  system,
  request,
  faults,
}) => {
  const { visitor: first } = await addSent({ operator, request });
  const { total, beehiivSent } = await operator.counts();
  const colleague = await logInBeside({ browser, system, faults });
  const tabs = [page, await page.context().newPage(), colleague.page];
  for (const tab of tabs) {
    await tab.goto('/admin-leads');
    await untilLive(tab);
  }
  await page.bringToFront();
  const top = page.getByRole('table', { name: 'Leads' }).getByRole('row').nth(1);
  await expect(top).toContainText(first.email);

  // They stay pending until an operator retries them.
  await sandbox.fault({ target: 'beehiiv', mode: 'status', status: 500 });
  const others = [newVisitor(), newVisitor(), newVisitor()];
  // Nothing moves under an operator who is in the list.
  for (const tab of tabs) await tab.getByRole('table', { name: 'Leads' }).focus();
  for (const visitor of others) await postLead(request, visitor);

  for (const tab of tabs) {
    await tab.bringToFront();
    await expect(tab.getByRole('button', { name: 'Show 3 new leads' })).toBeVisible();
    await expect(counter(tab, 'Total Leads')).toContainText((total + 3).toLocaleString('en-GB'));
  }
  await page.bringToFront();
  await expect(top).toContainText(first.email);
  for (const tab of tabs) {
    await tab.bringToFront();
    await tab.getByRole('button', { name: 'Show 3 new leads' }).click();
    await expect(rowOf(tab, others[2]!)).toContainText('Pending');
    await expect(tab.getByRole('button', { name: /new lead/ })).toBeHidden();
  }

  await sandbox.heal();
  const found = await Promise.all(others.map(({ email }) => operator.leadsOf(email)));
  const ids = found.flatMap((leads) => leads.map(({ id }) => id));
  await page.context().request.post('/api/admin/leads/retry', { data: { ids } });

  for (const tab of tabs) {
    await tab.bringToFront();
    for (const visitor of others) await expect(rowOf(tab, visitor)).toContainText('Sent');
    await expect(counter(tab, 'Beehiiv Sent')).toContainText(
      (beehiivSent + 3).toLocaleString('en-GB'),
    );
  }
  await colleague.close();
});

test(
  'quarantined leads stay here until one operator sends them together, and another operator sees them go',
  { tag: '@long' },
  async ({ browser, operator, operatorPage: page, sandbox, system, request, faults }) => {
    const company = `Quarantine ${Date.now()}`;
    const visitors = Array.from({ length: 3 }, () => ({
      ...newVisitor({ fullName: 'مريم عبد الرحمن' }),
      company,
    }));
    for (const visitor of visitors) {
      const { lead } = await addQuarantined({ operator, request }, { visitor });
      expect(lead.beehiivResponse).toMatch(/^quarantined: /);
      expect(await sandbox.subscriber(visitor.email)).toBeUndefined();
    }
    const address = `/admin-leads?search=${encodeURIComponent(company)}`;
    const colleague = await logInBeside({ browser, system, faults });
    await colleague.page.goto(address);
    await untilLive(colleague.page);
    await page.goto(address);
    await expect(rowOf(page, visitors[0]!)).toContainText('Looks automated');
    const size = page.viewportSize()!;
    await page.setViewportSize({ width: 768, height: 900 });
    // The name on one line, the whole address on two, and the company that was found.
    expect((await rowOf(page, visitors[0]!).boundingBox())?.height).toBeLessThan(85);
    await page.setViewportSize({ width: 390, height: 844 });
    const card = page.getByRole('list', { name: 'Leads' }).getByRole('listitem').first();
    const [name, email] = await card.locator('bdi').evaluateAll((texts) =>
      texts.map((text) => {
        const words = document.createRange();
        words.selectNodeContents(text);
        return words.getBoundingClientRect();
      }),
    );
    // A right-to-left name is above its address, and its letters are as high as the font makes them.
    expect(name?.left).toBeCloseTo(email?.left ?? 0, 0);
    expect(name?.height).toBeGreaterThanOrEqual(email?.height ?? 0);
    await page.setViewportSize(size);

    await page.getByRole('link', { name: 'Failed 0' }).click();
    await expect(page.getByText('No leads found')).toBeVisible();
    await page.getByRole('link', { name: 'Quarantined 3' }).click();
    await page.getByRole('button', { name: 'Send all…' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText(/3 quarantined leads to send\./);
    await dialog.getByRole('button', { name: 'Send 3' }).click();

    for (const tab of [page, colleague.page]) {
      await tab.bringToFront();
      for (const visitor of visitors) await expect(rowOf(tab, visitor)).toContainText('Sent');
    }
    expect(await sandbox.subscriber(visitors[0]!.email)).toBeDefined();
    await page.bringToFront();
    await page
      .getByRole('navigation', { name: 'Console' })
      .getByRole('link', { name: 'Sync' })
      .click();
    const run = page
      .getByRole('table', { name: 'Bulk retries' })
      .getByRole('row')
      .filter({ hasText: company });
    await expect(run).toContainText(/quarantined.*33–Finished in /);
    await colleague.close();
  },
);
