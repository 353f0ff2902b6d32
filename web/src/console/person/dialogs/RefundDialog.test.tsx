import { screen, waitFor, within } from '@testing-library/react';
import { problemType } from '@site/schema/problem';
import { beforeEach, expect, vi } from 'vitest';
import { buildLead, buildSubscription } from '../../../testing/build-console.ts';
import { buildPerson } from '../../../testing/build-people.ts';
import { haveLeads, showConsole, test } from '../../../testing/console-test.tsx';
import type { FakeApi } from '../../../testing/fake-api.ts';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const ID = 'sub_1';
const REFUND = 'Refund £239.00 of 3 Dec 2025…';
const REFUND_DIALOG = { name: /^Refund £[0-9.]+ of 3 Dec 2025 ?\?$/ };

beforeEach(() => void vi.setSystemTime('2025-12-20T12:00:00Z'));

/** Opens the person who pays for a subscription. */
async function openPerson(api: FakeApi, subscription = buildSubscription()): Promise<void> {
  const lead = buildLead({ email: subscription.email });
  haveLeads(api, [lead]);
  api.answer(
    'GET /api/admin/leads/:id/person',
    buildPerson(lead, { subscriptions: [subscription] }),
  );
  showConsole(`/admin-leads?view=person&id=${lead.id}`);
  await screen.findByRole('table', { name: 'Payments' });
}

const LEFT = {
  invoice: 'ABC-0002',
  paidPence: 23_900,
  paidAt: null,
  refundedPence: 0,
  left: 23_900,
  currency: 'gbp',
  dispute: null,
};

const STRIPE_AWAY = {
  type: problemType('stripe-unavailable'),
  detail: 'Stripe did not answer. Try again.',
};

test('a refund shows the rest, refuses more, and is sent once with a key', async ({
  api,
  user,
}) => {
  api.answer('GET /api/admin/subscriptions/:id/refund', {
    invoice: 'ABC-0002',
    paidPence: 23_900,
    paidAt: null,
    refundedPence: 900,
    left: 23_000,
    currency: 'gbp',
    dispute: null,
  });
  api.refuse('POST /api/admin/subscriptions/:id/refund', 503);
  await openPerson(api);

  await user.click(await screen.findByRole('button', { name: REFUND }));
  const dialog = within(await screen.findByRole('dialog', REFUND_DIALOG));
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
  api.answer('POST /api/admin/subscriptions/:id/refund', {
    refund: {
      id: 're_1',
      currency: 'gbp',
      status: 'succeeded',
      amountPence: 1_050,
      invoice: 'ABC-0002',
    },
  });
  await user.click(submit);

  await expect.poll(() => screen.queryByRole('dialog', REFUND_DIALOG)).toBeNull();
  await screen.findByText('£10.50 refunded');
  const calls = api.calls('POST /api/admin/subscriptions/:id/refund');
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
    const subscription = buildSubscription();
    const invoices = subscription.invoices.map((invoice) => ({ ...invoice, currency }));
    const left = {
      invoice: 'ABC-0002',
      paidPence: 23_900,
      paidAt: null,
      refundedPence: 900,
      left: 23_000,
    };
    api.answer('GET /api/admin/subscriptions/:id/refund', { ...left, currency, dispute: null });
    await openPerson(api, buildSubscription({ currency, invoices }));

    await user.click(await screen.findByRole('button', { name: /^Refund .* of 3 Dec 2025…/ }));
    const amount = await screen.findByLabelText<HTMLInputElement>(`Amount in ${named}`);

    expect(amount.value).toBe(typed);
    expect(screen.getByRole('button', { name: `Refund ${shown} of 3 Dec 2025` })).toBeTruthy();
  },
);

test('a refund above the rest that another operator left is offered for the rest', async ({
  api,
  user,
}) => {
  const what = 'GET /api/admin/subscriptions/:id/refund';
  api.answer(what, LEFT);
  await openPerson(api);
  await user.click(await screen.findByRole('button', { name: REFUND }));
  const dialog = within(await screen.findByRole('dialog', REFUND_DIALOG));
  await dialog.findByLabelText('Amount in pounds');
  api.answer(what, { ...LEFT, refundedPence: LEFT.refundedPence + 200, left: LEFT.left - 200 });
  const detail = 'At most £237.00 is left to refund.';
  api.refuse('POST /api/admin/subscriptions/:id/refund', 422, { detail });

  await user.click(dialog.getByRole('button', { name: /^Refund £239\.00/ }));

  await dialog.findByRole('button', { name: /^Refund £237\.00/ });
  dialog.getByText(/£2\.00 refunded/);
  await dialog.findByText(/^At most £237\.00/);
});

test('a refund can be tried again after Stripe was unavailable', async ({ api, user, logged }) => {
  api.refuse('GET /api/admin/subscriptions/:id/refund', 503, STRIPE_AWAY);
  await openPerson(api);
  await user.click(await screen.findByRole('button', { name: REFUND }));
  const dialog = within(await screen.findByRole('dialog', REFUND_DIALOG));
  const again = await dialog.findByRole('button', { name: 'Try again' });
  api.answer('GET /api/admin/subscriptions/:id/refund', LEFT);

  await user.click(again);

  await dialog.findByLabelText('Amount in pounds');
  expect(dialog.queryByRole('alert')).toBeNull();
  expect(logged).toHaveBeenCalled();
});

test('a refund of nothing says only why, and can be closed', async ({ api, user, logged }) => {
  api.refuse('GET /api/admin/subscriptions/:id/refund', 409, {
    type: 'about:blank',
    title: 'Conflict',
    status: 409,
    detail: 'Nothing was paid yet for this subscription',
  });
  await openPerson(api);

  await user.click(await screen.findByRole('button', { name: REFUND }));
  const dialog = within(await screen.findByRole('dialog', REFUND_DIALOG));
  await dialog.findByText('Nothing was paid yet for this subscription.');
  expect(logged).toHaveBeenCalled();
  expect(dialog.queryByRole('button', { name: /^Refund/ })).toBeNull();
  const [close] = dialog.getAllByRole('button', { name: 'Close' });
  if (close) await user.click(close);
  await expect.poll(() => screen.queryByRole('dialog', REFUND_DIALOG)).toBeNull();
});

test('a refund that failed to cancel offers the same call again, and no second refund', async ({
  api,
  user,
}) => {
  api.answer('GET /api/admin/subscriptions/:id/refund', LEFT);
  await openPerson(api);
  await user.click(await screen.findByRole('button', { name: REFUND }));
  const dialog = within(await screen.findByRole('dialog', REFUND_DIALOG));
  await dialog.findByLabelText('Amount in pounds');
  const refund = {
    id: 're_1',
    currency: 'gbp',
    status: 'succeeded',
    amountPence: 23_900,
    invoice: 'ABC-0002',
  };
  api.answer('POST /api/admin/subscriptions/:id/refund', { refund, cancellation: 'failed' });
  await user.click(dialog.getByLabelText('Paid twice'));
  await user.click(dialog.getByLabelText('Cancel now'));
  await user.type(dialog.getByLabelText('Note (optional)'), 'Rang on Monday');
  await user.click(dialog.getByRole('button', { name: 'Refund £239.00 of 3 Dec 2025 and cancel' }));
  await dialog.findByText('Refunded, but the subscription was not cancelled.');
  expect(dialog.queryByRole('textbox')).toBeNull();
  api.answer('POST /api/admin/subscriptions/:id/refund', { refund, cancellation: 'done' });
  await user.click(dialog.getByRole('button', { name: 'Cancel the subscription' }));

  await screen.findByText('£239.00 refunded, subscription cancelled');
  const calls = api.calls('POST /api/admin/subscriptions/:id/refund');
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
