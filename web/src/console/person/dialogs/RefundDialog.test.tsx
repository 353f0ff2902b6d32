import { screen, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { problemType } from '@site/schema/problem';
import { beforeEach, expect, vi } from 'vitest';
import { buildLead, buildSubscription } from '../../../testing/build-console.ts';
import { buildRefund, buildRefundPreview } from '../../../testing/build-people.ts';
import { findWithin, havePerson, showConsole, test } from '../../../testing/console-test.tsx';
import type { FakeApi } from '../../../testing/fake-api.ts';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const ID = 'sub_1';
const DIALOG = /^Refund \S+ of 3 Dec 2025 ?\?$/;
const PREVIEW = 'GET /api/admin/subscriptions/:id/refund';
const CALL = 'POST /api/admin/subscriptions/:id/refund';

beforeEach(() => void vi.setSystemTime('2025-12-20T12:00:00Z'));

/** Opens the dialog about the payment of a subscription, and returns the queries within it. */
async function openDialog(api: FakeApi, user: UserEvent, subscription = buildSubscription()) {
  const lead = buildLead({ email: subscription.email });
  havePerson(api, lead, { subscriptions: [subscription] });
  showConsole(`/admin-leads?view=person&id=${lead.id}`);
  await user.click(await screen.findByRole('button', { name: /^Refund \S+ of 3 Dec 2025…$/ }));
  return findWithin('dialog', DIALOG);
}

test('a refund shows the rest, refuses more, and is sent once with a key', async ({
  api,
  user,
}) => {
  api.answer(PREVIEW, buildRefundPreview({ refundedPence: 900, left: 23_000 }));
  api.refuse(CALL, 503);

  const dialog = await openDialog(api, user);
  dialog.getByText(buildSubscription().email);
  const amount = await dialog.findByLabelText<HTMLInputElement>('Amount in pounds');
  expect(amount.value).toBe('230.00');
  expect(dialog.getByText(/£239.00 paid, £9.00 refunded/)).toBeTruthy();

  // A second Enter, on the button that opened the dialog, refunds nothing.
  expect(document.activeElement).toBe(dialog.getByRole('button', { name: 'Back' }));
  await user.clear(amount);
  await user.type(amount, '230.01');
  await user.click(dialog.getByRole('button', { name: 'Refund' }));
  await dialog.findByText('Enter an amount up to £230.00, as in 12.50.');
  await waitFor(() => expect(document.activeElement).toBe(amount));
  await user.clear(amount);
  await waitFor(() =>
    expect(dialog.queryByText('Enter an amount up to £230.00, as in 12.50.')).toBeNull(),
  );
  // Ambiguous: pence, or a thousand and a half.
  await user.type(amount, '1,50');
  await user.click(dialog.getByRole('button', { name: 'Refund' }));
  await dialog.findByText('Enter an amount up to £230.00, as in 12.50.');
  await user.clear(amount);
  await user.type(amount, '£10.50');
  const submit = dialog.getByRole('button', { name: 'Refund £10.50 of 3 Dec 2025' });
  await user.click(submit);
  await dialog.findByText(/503/);
  api.answer(CALL, { refund: buildRefund({ amountPence: 1_050 }) });
  await user.click(submit);

  await expect.poll(() => screen.queryByRole('dialog', { name: DIALOG })).toBeNull();
  await screen.findByText('£10.50 refunded');
  const calls = api.calls(CALL);
  const sent = [`/api/admin/subscriptions/${ID}/refund`, { amountPence: 1_050, invoiceId: 'in_1' }];
  expect(calls.map(({ url, body }) => [url.pathname, body])).toEqual([sent, sent]);
  const [first, repeated] = calls.map(({ headers }) => headers.get('Idempotency-Key'));
  expect(first).toMatch(UUID);
  expect(repeated).toBe(first);
});

test.for([
  ['usd', 'USD', '230.00', 'US$230.00'],
  ['jpy', 'JPY', '23000', 'JP¥23,000'],
] as const)(
  'a refund of a payment in %s is in its currency',
  async ([currency, named, typed, shown], { api, user }) => {
    const [invoice] = buildSubscription().invoices;
    api.answer(PREVIEW, buildRefundPreview({ refundedPence: 900, left: 23_000, currency }));

    const invoices = [{ ...invoice!, currency }];
    const dialog = await openDialog(api, user, buildSubscription({ currency, invoices }));

    const amount = await dialog.findByLabelText<HTMLInputElement>(`Amount in ${named}`);
    expect(amount.value).toBe(typed);
    dialog.getByRole('button', { name: `Refund ${shown} of 3 Dec 2025` });
  },
);

test('a refund above the rest that another operator left is offered for the rest', async ({
  api,
  user,
}) => {
  api.answer(PREVIEW, buildRefundPreview());
  const dialog = await openDialog(api, user);
  await dialog.findByLabelText('Amount in pounds');
  api.answer(PREVIEW, buildRefundPreview({ refundedPence: 200, left: 23_700 }));
  const detail = 'At most £237.00 is left to refund.';
  api.refuse(CALL, 422, { detail });

  await user.click(dialog.getByRole('button', { name: /^Refund £239\.00/ }));

  await dialog.findByRole('button', { name: /^Refund £237\.00/ });
  dialog.getByText(/£2\.00 refunded/);
  await dialog.findByText(/^At most £237\.00/);
});

test('a refund can be tried again after Stripe was unavailable', async ({ api, user, logged }) => {
  api.refuse(PREVIEW, 503, {
    type: problemType('stripe-unavailable'),
    detail: 'Stripe did not answer. Try again.',
  });
  const dialog = await openDialog(api, user);
  const again = await dialog.findByRole('button', { name: 'Try again' });
  api.answer(PREVIEW, buildRefundPreview());

  await user.click(again);

  await dialog.findByLabelText('Amount in pounds');
  expect(dialog.queryByRole('alert')).toBeNull();
  expect(logged).toHaveBeenCalled();
});

test('a refund of nothing says only why, and can be closed', async ({ api, user, logged }) => {
  api.refuse(PREVIEW, 409, { detail: 'Nothing was paid yet for this subscription' });

  const dialog = await openDialog(api, user);

  await dialog.findByText('Nothing was paid yet for this subscription.');
  expect(logged).toHaveBeenCalled();
  expect(dialog.queryByRole('button', { name: /^Refund/ })).toBeNull();
  await user.click(dialog.getAllByRole('button', { name: 'Close' })[0]!);
  await expect.poll(() => screen.queryByRole('dialog', { name: DIALOG })).toBeNull();
});

test('a refund that failed to cancel offers the same call again, and no second refund', async ({
  api,
  user,
}) => {
  api.answer(PREVIEW, buildRefundPreview());
  const dialog = await openDialog(api, user);
  await dialog.findByLabelText('Amount in pounds');
  const refund = buildRefund();
  api.answer(CALL, { refund, cancellation: 'failed' });
  await user.click(dialog.getByLabelText('Paid twice'));
  await user.click(dialog.getByLabelText('Cancel now'));
  await user.type(dialog.getByLabelText('Note (optional)'), 'Rang on Monday');
  await user.click(dialog.getByRole('button', { name: 'Refund £239.00 of 3 Dec 2025 and cancel' }));
  await dialog.findByText('Refunded, but the subscription was not cancelled.');
  expect(dialog.queryByRole('textbox')).toBeNull();
  api.answer(CALL, { refund, cancellation: 'done' });
  await user.click(dialog.getByRole('button', { name: 'Cancel the subscription' }));

  await screen.findByText('£239.00 refunded, subscription cancelled');
  const calls = api.calls(CALL);
  const body = {
    invoiceId: 'in_1',
    amountPence: 23_900,
    reason: 'duplicate',
    note: 'Rang on Monday',
    cancel: 'now',
  };
  expect(calls.map((call) => call.body)).toEqual([body, body]);
  const [first, repeated] = calls.map(({ headers }) => headers.get('Idempotency-Key'));
  expect(repeated).toBe(first);
});
