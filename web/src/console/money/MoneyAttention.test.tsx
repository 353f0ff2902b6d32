import { screen, waitFor, within } from '@testing-library/react';
import { expect } from 'vitest';
import { buildId, buildMoney, buildSubscription } from '../../testing/build-console.ts';
import { showConsole, test } from '../../testing/console-test.tsx';

const AT = '2025-12-03T09:31:00Z';
const SECOND = { stripeSubscriptionId: 'sub_2', email: 'priya@northgate.example', leadId: null, since: AT };
const region = (name: string) => within(screen.getByRole('region', { name }));

test('who pays and gets nothing comes first, each with the button that puts it right', async ({ api, user }) => {
  const [refused, failed] = [buildId(), buildId()];
  const payer = { leadId: null, differenceId: null };
  api.answer(
    'GET /api/admin/money',
    buildMoney({
      secondLive: [SECOND],
      notReceiving: [
        {
          ...payer,
          stripeSubscriptionId: 'sub_1',
          email: 'a@x.example',
          leadId: refused,
          reason: 'refused',
          remedy: 'correct-address',
        },
        {
          ...payer,
          stripeSubscriptionId: 'sub_2',
          email: 'b@x.example',
          leadId: failed,
          reason: 'failed',
          remedy: 'send-lead',
        },
        {
          ...payer,
          stripeSubscriptionId: 'sub_3',
          email: 'c@x.example',
          differenceId: 7,
          reason: 'not-premium',
          remedy: 'set-premium',
        },
        { ...payer, stripeSubscriptionId: 'sub_4', email: 'd@x.example', reason: 'waiting', remedy: 'wait' },
      ],
    }),
  );
  api.answer('POST /api/admin/leads/retry', { retried: 1, skipped: 0 });
  api.answer('POST /api/admin/differences/:id/remedy', undefined);
  api.answer(
    'GET /api/admin/subscriptions/:id',
    buildSubscription({ email: 'a@x.example', deliveryEmail: 'a@x.example' }),
  );
  showConsole('/admin-leads?view=money');
  const kind = within(await screen.findByRole('region', { name: 'Pay but do not get the newsletter' }));

  expect(region('Needs attention').getAllByRole('heading', { level: 3 })[0]?.textContent).toMatch(/^Pay but do not/);
  kind.getByText('Not sent to Beehiiv yet. We keep trying.');
  await user.click(kind.getByRole('button', { name: 'Send their lead: b@x.example' }));
  await user.click(kind.getByRole('button', { name: 'Set to premium: c@x.example' }));
  await user.click(kind.getByRole('button', { name: 'Correct the address: a@x.example' }));

  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByRole('checkbox', { name: /was mistyped/ })).toMatchObject({ checked: true });
  expect(api.calls('POST /api/admin/leads/retry').map(({ body }) => body)).toEqual([{ ids: [failed] }]);
  expect(api.calls('POST /api/admin/differences/:id/remedy')).toHaveLength(1);
});

test('a subscription that goes on unpaid is let go on with one button', async ({ api, user }) => {
  const email = 'priya@northgate.example';
  const unsettled = {
    stripeSubscriptionId: 'sub_1',
    email,
    leadId: null,
    amountPence: 23_900,
    currency: null,
    since: AT,
  };
  api.answer('GET /api/admin/money', buildMoney({ unsettled: [{ ...unsettled, reason: 'dispute-lost' }] }));
  api.answer('POST /api/admin/money/subscriptions/:id/review', undefined);
  showConsole('/admin-leads?view=money');
  const kind = within(await screen.findByRole('region', { name: 'Still running without payment' }));
  kind.getByText(/A dispute was lost: £239\.00/);

  api.answer('GET /api/admin/money', buildMoney());
  await user.click(kind.getByRole('button', { name: `Mark as reviewed: ${email}` }));

  await screen.findByText('Nothing needs attention.');
  expect(api.calls('POST /api/admin/money/subscriptions/:id/review')).toHaveLength(1);
});

test('an address that was changed in Stripe is taken over or changed back', async ({ api, user }) => {
  const changed = {
    stripeSubscriptionId: 'sub_1',
    leadId: null,
    email: 'old@x.example',
    customerEmail: 'new@x.example',
  };
  api.answer('GET /api/admin/money', buildMoney({ changedAddresses: [changed] }));
  const beehiiv = { tier: 'premium', isTierConfirmed: false, isUnsubscribing: true } as const;
  api.answer('POST /api/admin/subscriptions/:id/delivery-address', {
    stripeSubscriptionId: 'sub_1',
    payerEmail: 'new@x.example',
    deliveryEmail: 'new@x.example',
    stripe: 'customer-email-changed',
    beehiiv,
  });
  showConsole('/admin-leads?view=money');
  const kind = within(await screen.findByRole('region', { name: 'Addresses changed in Stripe' }));

  await user.click(kind.getByRole('button', { name: 'Use the new address: new@x.example' }));
  await waitFor(() => expect(screen.queryByText('Changing...')).toBeNull());
  await user.click(kind.getByRole('button', { name: 'Keep the old address: old@x.example' }));

  const sent = api.calls('POST /api/admin/subscriptions/:id/delivery-address').map(({ body }) => body);
  expect(sent).toEqual([
    { email: 'new@x.example', correctsPayer: true },
    { email: 'old@x.example', correctsPayer: true },
  ]);
});
