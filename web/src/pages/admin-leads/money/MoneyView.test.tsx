import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, vi } from 'vitest';
import { buildId, buildMoney } from '../../../testing/build-console.ts';
import { showConsole, test } from '../../../testing/console-test.tsx';

const AT = '2025-12-03T09:31:00Z';
const SECOND = { stripeSubscriptionId: 'sub_2', email: 'priya@northgate.example', leadId: null, since: AT };
const moneyLink = () => screen.getByRole('link', { name: /^Money/ });
const region = (name: string) => within(screen.getByRole('region', { name }));

test('without a subscription the view says so, and that nothing needs attention', async () => {
  showConsole('/admin-leads?view=money');

  await screen.findByText('Nothing needs attention.');
  screen.getByText('No subscriptions yet.');
  screen.getByText('No abandoned checkouts.');
  expect(moneyLink().textContent).toBe('Money');
});

test('each kind of thing that needs attention has its place', async ({ api }) => {
  const leadId = buildId();
  const checkout = {
    id: 'cs_1',
    leadId,
    email: 'gone@northgate.example',
    startedAt: AT,
    recoveryUrl: null,
    recoveryEndsAt: null,
  };
  const figures = { subscriptions: 12_345, live: 10_000, paidPence: 295_045_500, returnedPence: 1_234_500 };
  api.answer(
    'GET /api/admin/money',
    buildMoney({
      parkedEvents: [
        { id: 'evt_1', type: 'invoice.paid', fault: 'unexpected shape: lines.data: too big', receivedAt: AT },
        { id: `unreadable_${'0f'.repeat(32)}`, type: 'unreadable', fault: 'Error: no event', receivedAt: AT },
      ],
      payerMismatches: [
        {
          stripeSubscriptionId: 'sub_1',
          leadId,
          leadEmail: 'lead@northgate.example',
          payerEmail: 'payer@northgate.example',
          foundAt: AT,
        },
      ],
      secondLive: [SECOND],
      openDisputes: [
        {
          id: 'dp_1',
          stripeSubscriptionId: 'sub_1',
          email: 'lead@northgate.example',
          leadId: null,
          amountPence: 215_100,
          reason: 'product_not_received',
          status: 'needs_response',
          openedAt: AT,
          evidenceDueAt: '2025-12-10T23:59:00Z',
        },
      ],
      abandoned: {
        total: 10_000,
        isCapped: true,
        checkouts: [checkout, { ...checkout, id: 'cs_2', leadId: null, email: null }],
      },
      tiersWaiting: 2,
      revenue: [
        { source: 'bottom_sub', campaign: 'urgency_subscription', ...figures },
        { source: null, campaign: null, ...figures, paidPence: 0 },
      ],
    }),
  );
  showConsole('/admin-leads?view=money');

  await screen.findByRole('region', { name: 'Disputes' });
  region('Disputes').getByText(/Product not received: evidence was due/);
  expect(region('Parked Stripe events').getAllByRole('listitem')).toHaveLength(2);
  region('Payments from another address').getByText('payer@northgate.example');
  region('Second subscriptions').getByText('priya@northgate.example');
  expect(region('Abandoned checkouts').getAllByRole('listitem')).toHaveLength(2);
  screen.getByText(/^2 subscribers are waiting for a change of tier/);
  expect(screen.getByRole('row', { name: /^Total/ }).textContent).toContain('£24,690.00');
});

test('a call that fails is described, and can be made again', async ({ api, user, logged }) => {
  api.refuse('GET /api/admin/money', 500, null);
  showConsole('/admin-leads?view=money');
  await screen.findByText(/^The server answered 500\./);
  expect(logged).toHaveBeenCalledWith('Could not load /api/admin/money', expect.any(Error));

  api.answer('GET /api/admin/money', buildMoney());
  await user.click(screen.getByRole('button', { name: 'Try again' }));

  await screen.findByText('Nothing needs attention.');
});

test('a second subscription appears by itself, and leaves once it is reviewed', async ({ api, stream, user }) => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  showConsole('/admin-leads?view=money');
  await screen.findByText('Nothing needs attention.');

  api.answer('GET /api/admin/money', buildMoney({ secondLive: [SECOND] }));
  api.answer('GET /api/admin/money/attention', { count: 1 });
  act(() => stream.tell({ hasMoneyChanged: true }));
  await act(async () => vi.advanceTimersByTimeAsync(1_000));
  await screen.findByRole('region', { name: 'Second subscriptions' });
  await waitFor(() => expect(moneyLink().textContent).toBe('Money 1 needing attention'));

  api.answer('POST /api/admin/money/*/*/review', undefined);
  api.answer('GET /api/admin/money', buildMoney());
  api.answer('GET /api/admin/money/attention', { count: 0 });
  await user.click(screen.getByRole('button', { name: 'Mark as reviewed: sub_2 of priya@northgate.example' }));

  await screen.findByText('Nothing needs attention.');
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: /^Needs attention/ }));
  await waitFor(() => expect(moneyLink().textContent).toBe('Money'));
  expect(api.calls('POST /api/admin/money/*/*/review').map(({ url }) => url.pathname)).toEqual([
    '/api/admin/money/second-subscriptions/sub_2/review',
  ]);
});
