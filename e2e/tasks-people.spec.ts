import { readFile } from 'node:fs/promises';

import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { CONSENT_TEXTS, CURRENT_CONSENT_VERSION } from '@site/schema/consent';

import { findBarriers } from './support/barriers.ts';
import {
  dialogOf,
  entryOf,
  londonDay,
  openFilters,
  openLive,
  postLead,
} from './support/console.ts';
import { addPayer, addSent } from './support/lead-steps.ts';
import { test } from './support/tasks.fixture.ts';
import { newVisitor } from './support/visitor.ts';
import type { Visitor } from './support/visitor.ts';

/** Opens the page of a lead's person. */
async function openPerson(page: Page, leadId: string, { fullName }: Visitor): Promise<void> {
  await page.goto(`/admin-leads?view=person&id=${leadId}`);
  await expect(page.getByRole('heading', { name: fullName })).toBeVisible();
}

test('task 7: open a person: why it failed, timeline, consent, source, payments', async ({
  operator,
  operatorPage: page,
  sandbox,
  request,
}) => {
  const { visitor, leadId } = await addPayer(
    { operator, request, sandbox },
    {
      visitor: newVisitor({ tag: '422' }),
      more: { utmSource: 'top_sub', consentMarketing: true },
    },
  );
  await operator.untilLeadIs(visitor.email, 'failed');
  const address = `/admin-leads?search=${encodeURIComponent(visitor.email)}`;
  await page.goto(address);

  await entryOf(page, visitor.email).getByRole('link', { name: visitor.fullName }).click();

  await expect(page).toHaveURL(`${address}&lead=${leadId}`);
  const panel = dialogOf(page);
  await expect(panel.getByRole('heading', { name: visitor.fullName })).toBeVisible();
  await expect(panel).toContainText('Failed');
  await expect(panel).toContainText(/Beehiiv answered 422|email is invalid/i);
  await expect(panel.getByRole('heading', { name: 'Timeline' })).toBeVisible();
  await expect(panel).toContainText(CONSENT_TEXTS[CURRENT_CONSENT_VERSION]);
  await expect(panel).toContainText('Top of the page');
  const payment = /£239\.00.*paid|paid.*£239\.00/i;
  await expect(
    panel.getByRole('listitem').or(panel.getByRole('row')).filter({ hasText: payment }).first(),
  ).toBeVisible();
  await page.reload();
  await expect(panel.getByRole('heading', { name: visitor.fullName })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await page.goBack();
  await expect(panel).toBeVisible();

  await openPerson(page, leadId, visitor);
  await expect(page.getByRole('row').filter({ hasText: payment }).first()).toBeVisible();
});

test('task 9: correct an email, with the subscription that it pays for', async ({
  operator,
  operatorPage: page,
  sandbox,
  request,
}) => {
  const { visitor, leadId, subscription } = await addPayer(
    { operator, request, sandbox },
    { visitor: newVisitor({ tag: '422' }), more: { consentMarketing: true } },
  );
  await operator.untilLeadIs(visitor.email, 'failed');
  const right = newVisitor().email;
  await page.goto(`/admin-leads?lead=${leadId}`);

  await dialogOf(page)
    .getByRole('button', { name: /^Correct/ })
    .click();
  await page.getByRole('textbox', { name: /^Correct email/ }).fill(right);
  await page.getByRole('button', { name: /^Correct the email$/ }).click();

  await expect(dialogOf(page)).toContainText(right);
  await expect(dialogOf(page)).toContainText(`corrected the email from ${visitor.email}`);
  await expect(page).toHaveURL(`/admin-leads?lead=${leadId}`);
  expect(await operator.untilLeadIs(right, 'sent')).toMatchObject({
    id: leadId,
    consentMarketing: true,
  });
  const { email } = await sandbox.readStripe<{ email: string }>(
    `customers/${subscription.customerUrl.split('/').at(-1)}`,
  );
  expect(email).toBe(right);
  await expect
    .poll(async () => (await sandbox.subscriber(right))?.subscription_tier)
    .toBe('premium');
  await page.goto('/admin-leads?view=people');
  await page.getByRole('searchbox').fill(visitor.email);
  await expect(entryOf(page, right)).toContainText(`now ${right}`);
});

test('task 17: add a payer again who does not receive', async ({
  operator,
  operatorPage: page,
  sandbox,
  request,
}) => {
  const { visitor, leadId } = await addPayer({ operator, request, sandbox });
  const tier = async () => (await sandbox.subscriber(visitor.email))?.subscription_tier;
  await expect.poll(tier).toBe('premium');
  await sandbox.loseSubscriber(visitor.email);
  await page.request.post('/api/admin/differences/compare');
  const compared = async () => (await page.request.get('/api/admin/differences')).text();
  await expect.poll(compared, { intervals: [200] }).toContain(visitor.email);
  await page.goto('/admin-leads?view=overview');
  const payer = entryOf(page, visitor.email).filter({ hasText: '£239.00' });

  await payer.getByRole('link').last().click();
  await page.getByRole('button', { name: /^Add/ }).first().click();

  await expect.poll(tier, { intervals: [200] }).toBe('premium');
  await expect.poll(async () => (await operator.personOf(leadId)).notReceiving).toBeNull();
  await page.goto('/admin-leads?view=people');
  await page.getByRole('searchbox').fill(visitor.email);
  await expect(entryOf(page, visitor.email)).toContainText('Paying');
});

test('task 17: a payer who leaves Beehiiv is seen at once, and mailed', async ({
  operator,
  operatorPage: page,
  sandbox,
  request,
  system,
  context,
}) => {
  const presses = [
    {
      button: 'Unsubscribe',
      words: /unsubscribed/i,
      ...(await addPayer({ operator, request, sandbox })),
    },
    {
      button: 'Delete',
      words: /not at Beehiiv/i,
      ...(await addPayer({ operator, request, sandbox })),
    },
  ];
  const beehiiv = await context.newPage();
  for (const { button, visitor } of presses) {
    await expect
      .poll(async () => sandbox.subscriber(visitor.email), { intervals: [200] })
      .toMatchObject({ subscription_tier: 'premium', status: 'active' });
    await beehiiv.goto(system.sandboxUrl);
    const reader = beehiiv.getByRole('row').filter({ hasText: visitor.email }).first();

    await reader.getByRole('button', { name: button }).click();
  }

  const attention = async () => (await page.request.get('/api/admin/attention')).text();
  for (const { visitor } of presses)
    await expect.poll(attention, { intervals: [200] }).toContain(visitor.email);
  await page.goto('/admin-leads?view=overview');
  for (const { visitor, words } of presses)
    await expect(entryOf(page, visitor.email).filter({ hasText: '£239.00' })).toContainText(words);
  for (const { leadId } of presses)
    await expect
      .poll(async () => (await sandbox.mails()).join('\n'), { timeout: 60_000 })
      .toContain(leadId);
  await page.goto('/admin-leads?view=sync');
  const parts = page.getByRole('list', { name: 'System status' }).getByRole('listitem');
  await expect(parts.filter({ hasText: 'Changes at Beehiiv' })).toContainText('last event');
});

test('task 18: cancel a subscription, undo it, and refund a payment', async ({
  operator,
  operatorPage: page,
  sandbox,
  request,
}) => {
  const { visitor, leadId, subscription } = await addPayer({ operator, request, sandbox });
  const { stripeSubscriptionId: id } = subscription;
  const atStripe = async () =>
    sandbox.readStripe<{ status: string; cancel_at_period_end: boolean }>(`subscriptions/${id}`);
  await openPerson(page, leadId, visitor);
  const press = async (name: RegExp) => {
    await page.getByRole('button', { name }).first().click();
    const dialog = dialogOf(page);
    await expect(dialog).toContainText(visitor.email);
    await dialog.getByRole('button', { name }).click();
    await expect(dialog).toBeHidden();
  };

  await press(/^Cancel(?!$)/);
  expect(await atStripe()).toMatchObject({ status: 'active', cancel_at_period_end: true });
  await press(/^Undo/);
  expect(await atStripe()).toMatchObject({ status: 'active', cancel_at_period_end: false });
  await press(/^Refund/);
  const { data } = await sandbox.readStripe<{ data: { amount: number }[] }>('refunds?limit=1');
  expect(data).toMatchObject([{ amount: 23_900 }]);
  await expect(
    page
      .getByRole('row')
      .filter({ hasText: /refunded/i })
      .first(),
  ).toBeVisible();
});

test('task 32: sort, filter and export people, and see who is behind a figure', async ({
  operator,
  operatorPage: page,
  sandbox,
  request,
  isMobile,
}) => {
  const { visitor } = await addPayer({ operator, request, sandbox });
  const lead = newVisitor();
  await postLead(request, lead);
  await page.goto('/admin-leads?view=people');
  const payer = entryOf(page, visitor.email);
  await expect(payer).toContainText('Paying');
  await expect(payer).toContainText('£239.00 a month');
  await expect(payer).toContainText(/\d \w{3,4} \d{4}/);
  // A phone has no column heads, so its order comes from a shared URL.
  if (isMobile) await page.goto('/admin-leads?view=people&sort=most');
  else await page.getByRole('columnheader', { name: 'Paid, net' }).getByRole('link').click();
  await expect(page).toHaveURL(/sort=most/);
  await expect(page.getByRole('row').filter({ hasText: '@' }).first()).toContainText('£');

  await openFilters(page);
  await page.getByLabel('Plan', { exact: true }).selectOption('Monthly');
  await page.getByLabel('Start Date').fill(londonDay(-400));
  await page.getByRole('button', { name: 'Apply Filters' }).click();
  await expect(page).toHaveURL(/plan=monthly/);
  await expect(entryOf(page, lead.email)).toHaveCount(0);
  await expect(payer).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^people-.*\.csv$/);
  const csv = await readFile(await download.path(), 'utf8');
  expect(csv).toMatch(/^\uFEFFname,email,company,state,since,until,reason,plan,paidNet\r\n/);
  expect(csv).toContain(`"${visitor.email}"`);
  expect(csv).not.toContain(lead.email);

  await page.goto('/admin-leads?view=overview');
  await page.getByRole('link', { name: 'Payers with access' }).click();
  await expect(payer).toBeVisible();
  await expect(entryOf(page, lead.email)).toHaveCount(0);
  await page.goto('/admin-leads?view=overview');
  await page.getByRole('link', { name: /renewals?$/ }).click();
  await expect(page.getByText(/^Renewals in the next seven days/)).toBeVisible();
  await page.goto('/admin-leads?view=activity');
  await expect(entryOf(page, 'Exported people').first()).toContainText('monthly');
});

test('task 31: search from any view, and invite an email that nobody has', async ({
  operatorPage: page,
  request,
  isMobile,
}) => {
  const visitor = newVisitor();
  await postLead(request, visitor);
  const field = page.getByRole('combobox', { name: 'Search people, views and actions' });
  const openWith = async (key: string) => {
    if (isMobile) await page.getByRole('button', { name: 'Search', exact: true }).click();
    else await page.keyboard.press(key);
    await expect(field).toBeFocused();
  };
  await openLive(page, '/admin-leads?view=sync');
  await openWith('/');
  await expect(page.getByRole('option').first()).toContainText(visitor.fullName);
  expect(await findBarriers(page)).toEqual([]);
  await page.keyboard.type(visitor.email);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: visitor.fullName })).toBeVisible();

  await openWith('Control+k');
  await page.keyboard.type('activ');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Activity', level: 1 })).toBeVisible();

  const unknown = newVisitor();
  await openWith('Control+k');
  await page.keyboard.type(unknown.email);
  await expect(page.getByRole('option')).toHaveText([/^Payment link…/, /^Give access…/]);
  await page.keyboard.press('Enter');
  await dialogOf(page).getByRole('button', { name: 'Make the link' }).click();
  await expect(dialogOf(page)).toContainText('The link works until');
  await dialogOf(page).getByRole('button', { name: 'Close' }).last().click();
});

test('task 25: make a payment link for one person', async ({
  operator,
  operatorPage: page,
  sandbox,
  request,
}) => {
  const { visitor, lead } = await addSent({ operator, request });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await openPerson(page, lead.id, visitor);

  await page.getByRole('button', { name: 'Payment link…' }).click();
  const dialog = dialogOf(page);
  await dialog.getByLabel('Monthly less 15%').check();
  await dialog.getByRole('button', { name: 'Make the link' }).click();
  await expect(dialog).toContainText(/works until \d+ \w+, \d\d:\d\d/);
  await expect(dialog.getByRole('link', { name: 'Open as an email' })).toHaveAttribute(
    'href',
    /^mailto:.*body=Hello/,
  );
  await dialog.getByRole('button', { name: 'Copy link' }).click();
  await expect
    .poll(async () => page.evaluate(async () => navigator.clipboard.readText()))
    .toMatch(/cs_/);
  const link = await page.evaluate(async () => navigator.clipboard.readText());
  await dialog.getByRole('button', { name: 'Close' }).last().click();

  await sandbox.pay(link, visitor);
  await expect
    .poll(async () => (await operator.personOf(lead.id)).subscriptions)
    .toMatchObject([{ stage: 'trial', amountPence: 20_315 }]);
  await page.reload();
  await expect(page.getByRole('listitem').filter({ hasText: 'made a payment link' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Payment link…' })).toHaveCount(0);
});

test('task 26: refund and cancel in one step, with the reason', async ({
  operator,
  operatorPage: page,
  sandbox,
  request,
}) => {
  const { visitor, leadId, subscription } = await addPayer({ operator, request, sandbox });
  await openPerson(page, leadId, visitor);

  await page
    .getByRole('button', { name: /^Refund/ })
    .first()
    .click();
  const dialog = dialogOf(page);
  await dialog.getByLabel('Paid twice').check();
  await dialog.getByLabel('Cancel now').check();
  await dialog.getByLabel('Note (optional)').fill('Rang on Monday');
  await dialog.getByRole('button', { name: /and cancel$/ }).click();
  await expect(dialog).toBeHidden();

  const { data } = await sandbox.readStripe<{ data: object[] }>('refunds?limit=1');
  expect(data).toMatchObject([{ amount: 23_900, reason: 'duplicate' }]);
  expect(
    await sandbox.readStripe(`subscriptions/${subscription.stripeSubscriptionId}`),
  ).toMatchObject({ status: 'canceled' });
  await expect(page.getByText('Rang on Monday')).toBeVisible();
});

test('task 18: give free access, and end it', async ({
  operator,
  operatorPage: page,
  sandbox,
  request,
}) => {
  const { visitor, lead } = await addSent({ operator, request });
  const tier = async () => (await sandbox.subscriber(visitor.email))?.subscription_tier;
  await openPerson(page, lead.id, visitor);

  await page.getByRole('button', { name: /^Give.*access/ }).click();
  await dialogOf(page)
    .getByLabel(/^Until/)
    .fill(londonDay(30));
  await dialogOf(page).getByLabel('Name (optional)').fill('Pru of the press');
  await dialogOf(page).getByLabel('Reason (optional)').fill('Reviews us');
  await dialogOf(page)
    .getByRole('button', { name: /^Give.*access/ })
    .click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect.poll(tier).toBe('premium');
  await expect(page.getByText(/given by \S+: Reviews us/).first()).toBeVisible();
  await page.goto('/admin-leads?view=people&state=free-access');
  await expect(entryOf(page, visitor.email)).toContainText('Reviews us');
  await openPerson(page, lead.id, visitor);

  await page.getByRole('button', { name: /^End.*access/ }).click();
  await dialogOf(page)
    .getByRole('button', { name: /^End.*access/ })
    .click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect.poll(tier).toBe('free');
});

test('task 19: export and erase a person, with a receipt', async ({
  operator,
  operatorPage: page,
  sandbox,
  request,
}) => {
  const { visitor, lead } = await addSent(
    { operator, request },
    { more: { consentMarketing: true } },
  );
  await openPerson(page, lead.id, visitor);
  expect(page.url()).not.toContain(encodeURIComponent(visitor.email));

  await page.getByRole('button', { name: /^Export/ }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialogOf(page)
      .getByRole('button', { name: /^Export/ })
      .click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^Priya-Raman \d{4}-\d\d-\d\d\.html$/);
  await expect(page.getByText('Exported', { exact: true })).toBeVisible();
  const html = await readFile(await download.path(), 'utf8');
  const json = /<script type="application\/json" id="data">(.*?)<\/script>/su.exec(html)?.[1] ?? '';
  expect(JSON.parse(json)).toMatchObject({
    tables: { leads: [{ id: lead.id, email: visitor.email }] },
    consent: [{ wording: CONSENT_TEXTS[CURRENT_CONSENT_VERSION] }],
  });

  await page.getByRole('button', { name: /^Erase/ }).click();
  await dialogOf(page)
    .getByRole('button', { name: /^Erase/ })
    .click();

  await expect(page).toHaveURL(/view=activity&action=erase-person/);
  await expect.poll(async () => sandbox.subscriber(visitor.email)).toBeUndefined();
  await page.reload();
  const receipts = page.getByRole('table', { name: /receipts/i }).getByRole('row');
  await expect(receipts.filter({ hasText: '1 lead' }).first()).toContainText('Deleted at Beehiiv');
  expect(await operator.leadsOf(visitor.email)).toEqual([]);
  await expect(page.getByRole('main')).not.toContainText(visitor.email);
});

test('task 24: write and delete a note', async ({ operator, operatorPage: page, request }) => {
  const { visitor, lead } = await addSent({ operator, request });
  const text = `Away in May ${Date.now()}`;
  await openPerson(page, lead.id, visitor);
  const field = page.getByLabel('New note');
  if (!(await field.isVisible())) await page.getByText('Notes', { exact: true }).click();

  await field.fill(text);
  await page.getByRole('button', { name: 'Save note' }).click();
  await expect(entryOf(page, text)).toBeVisible();
  await page.reload();
  await expect(entryOf(page, text)).toBeVisible();

  await entryOf(page, text)
    .getByRole('button', { name: /^Delete/ })
    .click();
  await dialogOf(page)
    .getByRole('button', { name: /^Delete/ })
    .click();
  await expect(entryOf(page, text)).toBeHidden();
  const answer = await page.request.get(`/api/admin/leads/${lead.id}/notes`);
  expect(await answer.json()).toMatchObject({ notes: [] });
});
