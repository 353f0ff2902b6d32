// @module-tag long
import { act, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect } from 'vitest';
import { buildFailedLead, buildLead, buildSubscription } from '../../testing/build-console.ts';
import { buildRefund, buildRefundPreview } from '../../testing/build-people.ts';
import { setWidth } from '../../testing/component-test.tsx';
import { findRow, haveLeads, havePerson, showConsole, test } from '../../testing/console-test.tsx';

const dialogs = () => screen.queryAllByRole('dialog');
const expectFocused = async (find: () => Element | null) =>
  waitFor(() => expect(document.activeElement).toBe(find()));

async function press(user: UserEvent, element: HTMLElement, keys: string): Promise<void> {
  act(() => element.focus());
  await user.keyboard(keys);
}

for (const { place, width } of [
  { place: 'beside the list', width: 1440 },
  { place: 'over the list', width: 1100 },
]) {
  test(`what opens ${place} returns the focus to where it came from`, async ({ api, user }) => {
    setWidth(width);
    const lead = buildFailedLead({ beehiivReason: 'request-refused' });
    haveLeads(api, [lead]);
    showConsole('/admin-leads?status=failed');
    const row = await findRow(lead);

    await user.keyboard('j');
    await expectFocused(() => row);
    await user.keyboard('{Enter}');
    await waitFor(() => expect(dialogs()[0]?.contains(document.activeElement)).toBe(true));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(dialogs()).toEqual([]));
    await expectFocused(() => row);

    const link = within(row).getByRole('link');
    await press(user, link, '{Enter}');
    await expectFocused(() => dialogs()[0] ?? null);
    // Enter is held, or pressed again.
    await user.keyboard('{Enter}');
    expect(dialogs()).toHaveLength(1);
    await user.keyboard('{Escape}');
    await expectFocused(() => link);

    api.answer('POST /api/admin/leads/retry', {
      count: 1,
      invalid: 0,
      estimateMs: null,
    });
    const many = screen.getByRole('button', { name: 'Retry failed…' });
    await press(user, many, '{Enter}');
    await press(user, await screen.findByRole('button', { name: 'Cancel' }), '{Enter}');
    await expectFocused(() => many);
  });
}

test('Enter without a row opens nothing, and leaves the order alone', async ({ api, user }) => {
  const lead = buildLead();
  haveLeads(api, [lead]);
  showConsole('/admin-leads?status=sent');
  await findRow(lead);

  await press(user, document.getElementById('leads')!, '{Enter}');
  await press(user, document.body, '{Enter}');

  expect(window.location.search).toBe('?status=sent');
  expect(dialogs()).toEqual([]);
});

test('the question about a quarantined row returns the focus to its button', async ({
  api,
  user,
}) => {
  const lead = buildFailedLead({ quarantineReason: 'filled in a hidden field' });
  haveLeads(api, [lead]);
  showConsole('/admin-leads?status=quarantined');
  const button = within(await findRow(lead)).getByRole('button', { name: /^Send to Beehiiv/ });

  await press(user, button, '{Enter}');
  await press(user, await screen.findByRole('button', { name: 'Cancel' }), '{Escape}');

  await expectFocused(() => button);
});

test('a drawer that the URL opened returns the focus to the row of its lead', async ({
  api,
  user,
}) => {
  setWidth(1440);
  const lead = buildFailedLead();
  haveLeads(api, [lead]);
  showConsole(`/admin-leads?lead=${lead.id}`);
  await screen.findByRole('heading', { name: /^Timeline/ });

  await user.keyboard('{Escape}');

  const row = await findRow(lead);
  await expectFocused(() => row);
  expect(window.location.search).toBe('');
});

test('a drawer that went on to the next lead returns the focus to the row of that one', async ({
  api,
  user,
}) => {
  setWidth(1440);
  const leads = [
    buildFailedLead({ fullName: 'Priya Raman' }),
    buildFailedLead({ fullName: 'Tom Aldridge' }),
  ];
  haveLeads(api, leads);
  showConsole();
  await press(user, await findRow(leads[0]!), '{Enter}');
  await screen.findByRole('dialog', { name: 'Priya Raman' });

  await user.keyboard('j');
  await screen.findByRole('dialog', { name: 'Tom Aldridge' });
  await user.keyboard('{Escape}');

  const second = await findRow(leads[1]!);
  await expectFocused(() => second);
});

for (const width of [1440, 1100]) {
  test(`j and k move the drawer through the list at ${width} px, and one step back closes it`, async ({
    api,
    user,
  }) => {
    setWidth(width);
    const leads = ['Priya Raman', 'Tom Aldridge', 'Isla Drummond'].map((fullName) =>
      buildFailedLead({ fullName }),
    );
    haveLeads(api, leads);
    showConsole();
    await press(user, within(await findRow(leads[0]!)).getByRole('link'), '{Enter}');
    await screen.findByRole('dialog', { name: 'Priya Raman' });

    await user.keyboard('jj');
    await screen.findByRole('dialog', { name: 'Isla Drummond' });
    await user.keyboard('k');

    const drawer = await screen.findByRole('dialog', { name: 'Tom Aldridge' });
    expect(drawer.contains(document.activeElement)).toBe(true);
    act(() => window.history.back());
    await waitFor(() => expect(dialogs()).toEqual([]));
    expect(window.location.search).toBe('');
  });
}

test('Escape while an email is corrected closes that form and nothing else', async ({
  api,
  user,
}) => {
  const lead = buildFailedLead();
  haveLeads(api, [lead]);
  showConsole(`/admin-leads?lead=${lead.id}`);
  const [correct] = await screen.findAllByRole('button', { name: 'Correct the email…' });
  await user.click(correct!);
  const field = await screen.findByLabelText('Correct email');

  await press(user, field, 'j{Escape}');

  expect(screen.queryByLabelText('Correct email')).toBeNull();
  screen.getByRole('dialog', { name: 'Priya Raman' });
  await expectFocused(() => correct ?? null);
});

test('the skip link leads to the list', async ({ api, user }) => {
  haveLeads(api, [buildFailedLead()]);
  showConsole();
  await screen.findByRole('table', { name: 'Leads' });

  await user.tab();
  expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Skip to the list' }));
  await user.keyboard('{Enter}');

  expect(document.activeElement).toBe(screen.getByRole('table', { name: 'Leads' }));
  await user.tab();
  expect(document.activeElement).toBe(screen.getByRole('checkbox', { name: 'Select all shown' }));
});

test('after a refund in full the focus is on the view’s heading', async ({ api, user }) => {
  const { email } = buildSubscription();
  const lead = buildLead({ email });
  const [invoice] = buildSubscription().invoices;
  api.answer('GET /api/admin/subscriptions/:id/refund', buildRefundPreview());
  api.answer('POST /api/admin/subscriptions/:id/refund', { refund: buildRefund() });
  havePerson(api, lead, { subscriptions: [buildSubscription()] });
  showConsole(`/admin-leads?view=person&id=${lead.id}`);
  await user.click(await screen.findByRole('button', { name: 'Refund £239.00 of 3 Dec 2025…' }));
  const submit = await screen.findByRole('button', { name: 'Refund £239.00 of 3 Dec 2025' });

  const invoices = [{ ...invoice!, refundedPence: 23_900 }];
  havePerson(api, lead, { subscriptions: [buildSubscription({ invoices })] });
  await user.click(submit);

  await expectFocused(() => screen.getByRole('heading', { level: 1 }));
});
