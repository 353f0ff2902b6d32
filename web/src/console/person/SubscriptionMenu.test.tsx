// @module-tag long
import { problemType } from '@site/schema/problem';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, vi } from 'vitest';
import type { UserEvent } from '@testing-library/user-event';
import { buildSubscription } from '../../testing/build-console.ts';
import { show } from '../../testing/component-test.tsx';
import { test } from '../../testing/console-test.tsx';
import type { FakeApi } from '../../testing/fake-api.ts';
import { DataLoading } from '../api/DataLoading.tsx';
import { LiveUpdates } from '../api/live.tsx';
import { SessionGate } from '../session/session.tsx';
import { SubscriptionMenu } from './SubscriptionMenu.tsx';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

beforeEach(() => void vi.setSystemTime('2025-12-20T12:00:00Z'));

const ID = 'sub_1';
const REFUND = 'Refund £239.00 of 3 Dec 2025…';
const REFUND_DIALOG = { name: /^Refund £[0-9.]+ of 3 Dec 2025 ?\?$/ };

/** Opens what can be done about a subscription. */
async function openMenu(
  api: FakeApi,
  user: UserEvent,
  subscription = buildSubscription(),
): Promise<void> {
  const { stripeSubscriptionId } = subscription;
  api.answer('GET /api/admin/subscriptions/:id', subscription);
  show(
    <DataLoading>
      <SessionGate title="Person">
        <LiveUpdates askSession={async () => undefined}>
          <SubscriptionMenu id={stripeSubscriptionId} of="of theirs" onDone={() => undefined} />
        </LiveUpdates>
      </SessionGate>
    </DataLoading>,
    '/admin-leads',
  );
  await user.click(await screen.findByRole('button', { name: 'Manage subscription of theirs' }));
}

const DISPUTE = {
  amountPence: 23_900,
  status: 'needs_response',
  evidenceDueAt: null,
  dashboardUrl: 'https://dashboard.stripe.com/test/disputes/dp_1',
};

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

test('a refund shows what is left, refuses more, and is sent once with a key', async ({
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
  await openMenu(api, user);

  await user.click(await screen.findByRole('button', { name: REFUND }));
  const dialog = within(await screen.findByRole('dialog', REFUND_DIALOG));
  dialog.getByText(buildSubscription().email);
  const amount = await dialog.findByLabelText<HTMLInputElement>('Amount in pounds');
  expect(amount.value).toBe('230.00');
  expect(dialog.getByText(/£239.00 paid, £9.00 refunded/)).toBeTruthy();

  // A second Enter, on what opened it, refunds nothing.
  expect(document.activeElement).toBe(dialog.getByRole('button', { name: 'Cancel' }));
  await user.clear(amount);
  await user.type(amount, '230.01');
  await user.click(dialog.getByRole('button', { name: 'Refund' }));
  await dialog.findByText('Enter an amount up to £230.00, as in 12.50.');
  await waitFor(() => expect(document.activeElement).toBe(amount));
  await user.clear(amount);
  await waitFor(() =>
    expect(dialog.queryByText('Enter an amount up to £230.00, as in 12.50.')).toBeNull(),
  );
  // Pence, or a thousand and half?
  await user.type(amount, '1,50');
  await user.click(dialog.getByRole('button', { name: 'Refund' }));
  await dialog.findByText('Enter an amount up to £230.00, as in 12.50.');
  await user.clear(amount);
  await user.type(amount, '£10.50');
  const submit = dialog.getByRole('button', { name: 'Refund £10.50 of 3 Dec 2025' });
  await user.click(submit);
  await dialog.findByText(/503/);
  api.answer('POST /api/admin/subscriptions/:id/refund', {
    id: 're_1',
    currency: 'gbp',
    status: 'succeeded',
    amountPence: 1_050,
    invoice: 'ABC-0002',
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
    await openMenu(api, user, buildSubscription({ currency, invoices }));

    await user.click(await screen.findByRole('button', { name: /^Refund .* of 3 Dec 2025…/ }));
    const amount = await screen.findByLabelText<HTMLInputElement>(`Amount in ${named}`);

    expect(amount.value).toBe(typed);
    expect(screen.getByRole('button', { name: `Refund ${shown} of 3 Dec 2025` })).toBeTruthy();
  },
);

test('an amount that was typed stays while what is left cannot be read again', async ({
  api,
  user,
  logged,
}) => {
  api.answer('GET /api/admin/subscriptions/:id/refund', LEFT);
  await openMenu(api, user);
  const open = async () => {
    await user.click(await screen.findByRole('button', { name: REFUND }));
    return within(await screen.findByRole('dialog', REFUND_DIALOG));
  };
  const first = await open();
  await first.findByLabelText('Amount in pounds');
  await user.keyboard('{Escape}');

  let fail = () => undefined as void;
  const held = new Promise<void>((resolve) => (fail = resolve));
  const answer = api.fetch;
  api.refuse('GET /api/admin/subscriptions/:id/refund', 503);
  vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
    if (input.includes('/refund?')) await held;
    return answer(input, init);
  });
  const dialog = await open();
  const amount = await dialog.findByLabelText<HTMLInputElement>('Amount in pounds');
  await user.clear(amount);
  await user.type(amount, '10.50');
  fail();

  await waitFor(() => expect(logged).toHaveBeenCalled());
  expect(dialog.getByLabelText<HTMLInputElement>('Amount in pounds').value).toBe('10.50');
});

test('a refund that is more than somebody else left is offered again with what is left', async ({
  api,
  user,
}) => {
  const what = 'GET /api/admin/subscriptions/:id/refund';
  api.answer(what, LEFT);
  await openMenu(api, user);
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
  await openMenu(api, user);
  await user.click(await screen.findByRole('button', { name: REFUND }));
  const dialog = within(await screen.findByRole('dialog', REFUND_DIALOG));
  const again = await dialog.findByRole('button', { name: 'Try again' });
  api.answer('GET /api/admin/subscriptions/:id/refund', LEFT);

  await user.click(again);

  await dialog.findByLabelText('Amount in pounds');
  expect(dialog.queryByRole('alert')).toBeNull();
  expect(logged).toHaveBeenCalled();
});

test('who does not say who they are finds the refund as it was, without a fault', async ({
  api,
  user,
}) => {
  api.answer('GET /api/admin/subscriptions/:id/refund', LEFT);
  api.refuse('POST /api/admin/subscriptions/:id/refund', 403, {
    type: problemType('confirmation-required'),
  });
  await openMenu(api, user);
  await user.click(await screen.findByRole('button', { name: REFUND }));
  const below = await screen.findByRole('dialog', REFUND_DIALOG);
  const dialog = within(below);
  await dialog.findByLabelText('Amount in pounds');
  await user.click(dialog.getByRole('button', { name: /^Refund £/ }));
  const question = within(await screen.findByRole('dialog', { name: 'Is this you?' }));
  // Until the dialog below knows of the one above, it would take the press for one outside it, and close.
  await waitFor(() => expect(below.style.pointerEvents).toBe('none'));

  await user.click(question.getByRole('button', { name: 'Cancel' }));

  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Is this you?' })).toBeNull());
  expect(dialog.getByLabelText('Amount in pounds').getAttribute('aria-invalid')).toBeNull();
});

test('a refund of nothing says only why, and can be closed', async ({ api, user, logged }) => {
  api.refuse('GET /api/admin/subscriptions/:id/refund', 409, {
    type: 'about:blank',
    title: 'Conflict',
    status: 409,
    detail: 'Nothing was paid yet for this subscription',
  });
  await openMenu(api, user);

  await user.click(await screen.findByRole('button', { name: REFUND }));
  const dialog = within(await screen.findByRole('dialog', REFUND_DIALOG));
  await dialog.findByText('Nothing was paid yet for this subscription.');
  expect(logged).toHaveBeenCalled();
  expect(dialog.queryByRole('button', { name: /^Refund/ })).toBeNull();
  const [close] = dialog.getAllByRole('button', { name: 'Close' });
  if (close) await user.click(close);
  await expect.poll(() => screen.queryByRole('dialog', REFUND_DIALOG)).toBeNull();
});

test.for([
  [
    { dispute: 'open' },
    /^This payment is disputed\. Stripe decides, so it cannot be refunded here\. Answer the dispute/,
  ],
  [{ dispute: 'lost' }, /the dispute is lost: the customer has the money back/],
  [{ left: 0, refundedPence: 23_900 }, /^This payment of £239\.00 was refunded in full\./],
] as const)(
  'what cannot be refunded is said before anything is sent: %o',
  async ([why, words], { api, user }) => {
    const whole = {
      invoice: 'ABC-0002',
      paidPence: 23_900,
      paidAt: null,
      refundedPence: 0,
      left: 23_900,
      currency: 'gbp',
      dispute: null,
    };
    api.answer('GET /api/admin/subscriptions/:id/refund', { ...whole, ...why });
    await openMenu(api, user, buildSubscription({ openDispute: DISPUTE }));

    await user.click(await screen.findByRole('button', { name: REFUND }));
    const dialog = within(
      await screen.findByRole('dialog', { name: /^Nothing to refund: £[0-9.]+ of 3 Dec 2025$/ }),
    );

    await dialog.findByText(words);
    expect(dialog.getByRole('link', { name: 'Open in Stripe' }).getAttribute('href')).toBe(
      DISPUTE.dashboardUrl,
    );
    expect(dialog.queryByRole('button', { name: /^Refund/ })).toBeNull();
    expect(dialog.queryByLabelText('Amount in pounds')).toBeNull();
  },
);

test('a payment that was refunded in full offers no refund', async ({ api, user }) => {
  const [invoice] = buildSubscription().invoices;
  const subscription = buildSubscription({
    refundedPence: 23_900,
    invoices: [{ ...invoice!, refundedPence: 23_900 }],
  });
  await openMenu(api, user, subscription);

  await screen.findByText(/Refunded in full/);
  expect(screen.queryByRole('button', { name: REFUND })).toBeNull();
});

test('a cancelled subscription can be ended now, without a choice of one', async ({
  api,
  user,
}) => {
  const subscription = buildSubscription({ stage: 'ending', cancelAt: '2026-01-03T09:00:00.000Z' });
  api.refuse('POST /api/admin/subscriptions/:id/cancel', 503, STRIPE_AWAY);
  await openMenu(api, user, subscription);

  await user.click(await screen.findByRole('button', { name: 'End now…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'End it now?' }));
  dialog.getByText(/^Cancelled already, with access until 3 Jan 2026, 09:00\./);
  expect(dialog.queryByRole('radio')).toBeNull();
  await user.click(dialog.getByRole('button', { name: 'End now' }));

  await dialog.findByText('Stripe did not answer. Try again.');
  expect(api.calls('POST /api/admin/subscriptions/:id/cancel').map(({ body }) => body)).toEqual([
    { when: 'now' },
  ]);
});

test('a cancellation can be undone', async ({ api, user }) => {
  const subscription = buildSubscription({ stage: 'ending', cancelAt: '2026-01-03T09:00:00.000Z' });
  api.answer('POST /api/admin/subscriptions/:id/resume', {
    stripeSubscriptionId: ID,
    stage: 'paying',
    status: 'active',
    cancelAt: null,
    endedAt: null,
  });
  await openMenu(api, user, subscription);

  await user.click(await screen.findByRole('button', { name: 'Undo cancellation…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Undo the cancellation?' }));
  dialog.getByText(/£239\.00 is charged on 3 Jan 2026, 09:00/);
  await user.click(dialog.getByRole('button', { name: 'Undo cancellation' }));

  await screen.findByText('The subscription continues');
  expect(api.calls('POST /api/admin/subscriptions/:id/resume')).toHaveLength(1);
});

test('a cancellation cannot be undone on its last day', async ({ api, user }) => {
  vi.setSystemTime('2026-01-03T00:30:00Z');
  const subscription = buildSubscription({ stage: 'ending', cancelAt: '2026-01-03T23:00:00.000Z' });
  await openMenu(api, user, subscription);

  await screen.findByRole('button', { name: 'End now…' });
  expect(screen.queryByRole('button', { name: 'Undo cancellation…' })).toBeNull();
});

test('a trial is cancelled as a trial', async ({ api, user }) => {
  const trial = buildSubscription({
    stage: 'trial',
    trialEndsAt: '2026-01-03T09:00:00.000Z',
    invoices: [],
  });
  api.answer('POST /api/admin/subscriptions/:id/cancel', {
    stripeSubscriptionId: ID,
    stage: 'ending',
    status: 'trialing',
    cancelAt: '2026-01-03T09:00:00.000Z',
    endedAt: null,
  });
  await openMenu(api, user, trial);

  await user.click(await screen.findByRole('button', { name: 'Cancel…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Cancel this trial?' }));
  dialog.getByLabelText('At the end of the trial, 3 Jan 2026, 09:00');
  dialog.getByText(/^Nothing has been paid, and nothing will be charged\./);
  dialog.getByText('Monthly, £239.00, begun on 26 Nov 2025');
  await user.click(dialog.getByRole('button', { name: 'Cancel on 3 Jan 2026' }));

  await screen.findByText('Trial cancelled');
  screen.getByText('Access until 3 Jan 2026, 09:00. Nothing will be charged.');
});

test('a cancellation asks when, and shows a refusal', async ({ api, user }) => {
  api.refuse('POST /api/admin/subscriptions/:id/cancel', 503, STRIPE_AWAY);
  await openMenu(api, user);

  const link = await screen.findByRole('link', { name: 'Open in Stripe' });
  expect(link.getAttribute('href')).toContain('dashboard.stripe.com');
  await user.click(await screen.findByRole('button', { name: 'Cancel…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Cancel this subscription?' }));
  await user.click(dialog.getByLabelText('Now: access ends at once'));
  await user.click(dialog.getByRole('button', { name: 'Cancel now' }));

  await dialog.findByText('Stripe did not answer. Try again.');
  expect(api.calls('POST /api/admin/subscriptions/:id/cancel').map(({ body }) => body)).toEqual([
    { when: 'now' },
  ]);
});

test('somebody else gets free access as long as the subscription runs', async ({ api, user }) => {
  const email = 'director@northgate.example';
  const call = 'POST /api/admin/people/complimentary';
  api.answer(call, { email, until: null, withSubscription: ID, subscriptions: [] });
  await openMenu(api, user);

  await user.click(await screen.findByRole('button', { name: 'Let somebody else read it…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Give free access?' }));
  await user.type(dialog.getByLabelText('Email address'), email);
  await user.click(dialog.getByRole('button', { name: 'Give access' }));

  await screen.findByText('Free access given');
  expect(api.calls(call).map(({ body }) => body)).toEqual([{ email, withSubscription: ID }]);
});
