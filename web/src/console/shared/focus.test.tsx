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

test('what opens over the list returns the focus to where it came from', async ({ api, user }) => {
  setWidth(1100);
  const lead = buildFailedLead({ beehiivReason: 'request-refused' });
  haveLeads(api, [lead]);
  showConsole('/admin-leads?status=failed');
  const link = within(await findRow(lead)).getByRole('link');

  await press(user, link, '{Enter}');
  await expectFocused(() => dialogs()[0] ?? null);
  // Enter is held, or pressed again.
  await user.keyboard('{Enter}');
  expect(dialogs()).toHaveLength(1);
  await user.keyboard('{Escape}');
  await expectFocused(() => link);

  api.answer('POST /api/admin/leads/retry', { count: 1, invalid: 0, estimateMs: null });
  const many = screen.getByRole('button', { name: 'Retry failed…' });
  await press(user, many, '{Enter}');
  await press(user, await screen.findByRole('button', { name: 'Cancel' }), '{Enter}');
  await expectFocused(() => many);
});

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

test('j and k move the drawer and the focus through the list, and Back closes it', async ({
  api,
  user,
}) => {
  setWidth(1440);
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
  const second = await findRow(leads[1]!);
  await expectFocused(() => second);
});

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
