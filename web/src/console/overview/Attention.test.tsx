import { act, screen, waitFor, within } from '@testing-library/react';
import { DEFAULT_SITE_SETTINGS } from '@site/schema/site-settings';
import type { ConditionKind } from '@site/schema/sync-state';
import { expect, vi } from 'vitest';
import {
  buildHealth,
  buildId,
  buildMoney,
  buildSubscription,
} from '../../testing/build-console.ts';
import { showConsole, test } from '../../testing/console-test.tsx';
import { provideSiteSettings } from '../../site-settings.ts';
import { buildOverview } from '../../testing/build-overview.ts';

const AT = '2025-12-03T09:31:00Z';
const SECOND = {
  stripeSubscriptionId: 'sub_2',
  email: 'priya@northgate.example',
  leadId: null,
  since: AT,
};
const region = (name: string) => within(screen.getByRole('region', { name }));
const overviewLink = () =>
  within(screen.getByRole('navigation', { name: 'Console' })).getByRole('link', {
    name: /^Overview/,
  });

test('payers who get nothing come first, each with the button that puts it right', async ({
  api,
  user,
}) => {
  const [refused, failed] = [buildId(), buildId()];
  const payer = { leadId: null, differenceId: null, since: AT };
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
        {
          ...payer,
          stripeSubscriptionId: 'sub_4',
          email: 'd@x.example',
          reason: 'waiting',
          remedy: 'wait',
        },
      ],
    }),
  );
  api.answer('POST /api/admin/leads/retry', { retried: 1, skipped: 0 });
  api.answer('POST /api/admin/differences/:id/remedy', undefined);
  api.answer('GET /api/admin/subscriptions/:id', buildSubscription({ email: 'a@x.example' }));
  showConsole('/admin-leads?view=overview');
  const kind = within(await screen.findByRole('region', { name: 'Pay, but do not receive' }));

  expect(region('Needs attention').getAllByRole('heading', { level: 3 })[0]?.textContent).toMatch(
    /^Pay, but do not/,
  );
  kind.getByText('Not sent to Beehiiv yet. We keep trying.');
  await user.click(kind.getByRole('button', { name: 'Send their lead: b@x.example' }));
  await user.click(kind.getByRole('button', { name: 'Move to the paid list: c@x.example' }));
  await user.click(kind.getByRole('button', { name: 'Correct the address: a@x.example' }));

  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByLabelText('New address')).toMatchObject({ value: 'a@x.example' });
  expect(api.calls('POST /api/admin/leads/retry').map(({ body }) => body)).toEqual([
    { ids: [failed] },
  ]);
  expect(api.calls('POST /api/admin/differences/:id/remedy')).toHaveLength(1);
});

test('a subscription that continues unpaid is marked as reviewed with one button', async ({
  api,
  user,
}) => {
  const email = 'priya@northgate.example';
  const unsettled = {
    stripeSubscriptionId: 'sub_1',
    email,
    leadId: null,
    amountPence: 23_900,
    currency: 'gbp',
    since: AT,
  };
  api.answer(
    'GET /api/admin/money',
    buildMoney({ unsettled: [{ ...unsettled, reason: 'dispute-lost' }] }),
  );
  api.answer('POST /api/admin/money/subscriptions/:id/review', undefined);
  showConsole('/admin-leads?view=overview');
  const kind = within(await screen.findByRole('region', { name: 'Running without payment' }));
  kind.getByText('A dispute was lost.');
  kind.getByText('£239.00');

  api.answer('GET /api/admin/money', buildMoney());
  await user.click(kind.getByRole('button', { name: `Mark as reviewed: ${email}` }));

  await screen.findByText('Nothing needs attention.');
  expect(api.calls('POST /api/admin/money/subscriptions/:id/review')).toHaveLength(1);
});

test('an address that was changed in Stripe is taken over or changed back', async ({
  api,
  user,
}) => {
  const changed = {
    stripeSubscriptionId: 'sub_1',
    leadId: null,
    email: 'old@x.example',
    customerEmail: 'new@x.example',
  };
  api.answer('GET /api/admin/money', buildMoney({ changedAddresses: [changed] }));
  const beehiiv = { tier: 'premium', isTierConfirmed: false, isUnsubscribing: true } as const;
  api.answer('POST /api/admin/subscriptions/:id/address', {
    stripeSubscriptionId: 'sub_1',
    email: 'new@x.example',
    stripe: 'customer-email-changed',
    beehiiv,
  });
  showConsole('/admin-leads?view=overview');
  const kind = within(await screen.findByRole('region', { name: 'Addresses changed in Stripe' }));

  await user.click(kind.getByRole('button', { name: 'Use the new address: new@x.example' }));
  await waitFor(() => expect(screen.queryByText('Changing...')).toBeNull());
  await user.click(kind.getByRole('button', { name: 'Keep the old address: old@x.example' }));

  const sent = api.calls('POST /api/admin/subscriptions/:id/address').map(({ body }) => body);
  expect(sent).toEqual([{ email: 'new@x.example' }, { email: 'old@x.example' }]);
});

const DISPUTE = {
  id: 'dp_1',
  stripeSubscriptionId: 'sub_1',
  email: 'ewan@northgate.example',
  leadId: null,
  amountPence: 23_900,
  currency: 'gbp',
  refundedPence: 0,
  reason: 'fraudulent',
  status: 'needs_response',
  openedAt: '2025-10-09T09:00:00Z',
  evidenceDueAt: '2025-12-22T23:59:00Z',
};

test('disputes of one person are one row, which leads to the one that is due first', async ({
  api,
}) => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2025-12-18T09:31:00Z') });
  const second = {
    ...DISPUTE,
    id: 'dp_2',
    openedAt: '2025-11-09T09:00:00Z',
    status: 'under_review',
  };
  const third = {
    ...DISPUTE,
    id: 'dp_3',
    openedAt: '2025-12-09T09:00:00Z',
    evidenceDueAt: '2025-12-30T23:59:00Z',
  };
  // Opened before the others, and due after the first of them.
  const openedAt = '2025-10-01T09:00:00Z';
  const other = {
    ...DISPUTE,
    id: 'dp_4',
    openedAt,
    email: null,
    stripeSubscriptionId: 'sub_2',
    reason: 'general',
  };
  api.answer(
    'GET /api/admin/money',
    buildMoney({
      openDisputes: [{ ...DISPUTE, refundedPence: 1_000 }, other, third, second],
      payers: {
        sub_1: { email: DISPUTE.email, name: 'Ewan Kerr', pricePence: 23_900, plan: 'monthly' },
      },
    }),
  );
  showConsole('/admin-leads?view=overview');

  const kind = within(await screen.findByRole('region', { name: 'Disputes' }));

  kind.getByText('Answer by Monday 22 December');
  const [ewan, erased, ...rest] = kind.getAllByRole('listitem');
  expect(rest).toEqual([]);
  expect(ewan?.textContent).toContain(
    'Ewan Kerrewan@northgate.example3 payments disputed as not made by the customer.9 Oct, 9 Nov and 9 Dec. £10.00 refunded already. Answer by 22 Dec.£717.00held by Stripe',
  );
  const to = (name: string) => within(ewan!).getByRole('link', { name }).getAttribute('href');
  // Nothing is more urgent, so it leads.
  expect(within(ewan!).getByRole('link', { name: 'Answer in Stripe' }).className).toContain(
    'solid',
  );
  expect(within(erased!).getByRole('link', { name: /in Stripe$/ }).className).not.toContain(
    'solid',
  );
  expect(to('Answer in Stripe')).toBe('https://dashboard.stripe.com/test/disputes/dp_1');
  expect(to('9 Dec')).toBe('https://dashboard.stripe.com/test/disputes/dp_3');
  expect(erased?.textContent).toContain('An erased person1 payment disputed (general).');
  expect(region('Needs attention').getByRole('heading', { level: 2 }).textContent).toBe(
    'Needs attention 2',
  );
});

test('every other kind has its place and its remedy', async ({ api }) => {
  const leadId = buildId();
  const mismatch = {
    stripeSubscriptionId: 'sub_1',
    leadId,
    leadEmail: 'lead@n.example',
    payerEmail: 'payer@n.example',
  };
  const refund = {
    id: 're_1',
    stripeSubscriptionId: 'sub_1',
    email: 'lead@n.example',
    leadId: null,
    amountPence: 1_000,
    currency: 'gbp',
  };
  api.answer(
    'GET /api/admin/money',
    buildMoney({
      parkedEvents: [
        { id: 'evt_1', type: 'invoice.paid', fault: 'lines.data: too big.', receivedAt: AT },
        {
          id: `unreadable_${'0f'.repeat(32)}`,
          type: 'unreadable',
          fault: 'Error: no event',
          receivedAt: AT,
        },
      ],
      payerMismatches: [{ ...mismatch, foundAt: AT }],
      failedRefunds: [{ ...refund, reason: 'expired_or_canceled_card', refundedAt: AT }],
    }),
  );
  const reasons = [
    { reason: 'email-invalid', count: 5 },
    { reason: 'address-rejected', count: 1 },
  ];
  const newest = { id: leadId, email: 'oliver@gmial.example', name: 'Oliver Haddow' };
  const failed = { count: 6, people: 5, paying: 1, reasons, newest, since: AT };
  api.answer('GET /api/admin/overview', buildOverview({ failed }));
  showConsole('/admin-leads?view=overview');
  await screen.findByRole('region', { name: 'Failed refunds' });

  expect(
    region('Failed refunds').getByRole('link', { name: '3 Dec 2025' }).getAttribute('href'),
  ).toBe('https://dashboard.stripe.com/test/refunds/re_1');
  region('Failed refunds').getByRole('button', { name: 'Mark as reviewed: refund re_1' });
  region('Paid from another address').getByText('payer@n.example');
  expect(region('Stripe events that could not be applied').getAllByRole('listitem')).toHaveLength(
    2,
  );
  region('Stripe events that could not be applied').getByText(
    'This event could not be read. Retrying will not help.',
  );
  const invalid = within(await screen.findByRole('region', { name: 'Invalid addresses' }));
  expect(invalid.getByRole('listitem').textContent).toContain(
    '5 peoplenewest: oliver@gmial.example5 addresses are invalid, 1 address was rejected by Beehiiv.',
  );
  invalid.getByText('1 of them pays');
  expect(invalid.getByRole('link', { name: 'Correct the 6…' }).getAttribute('href')).toContain(
    '?status=failed',
  );
});

test('the only invalid address is named, and its button leads to the correction', async ({
  api,
}) => {
  const newest = { id: buildId(), email: 'oliver@gmial.example', name: 'Oliver Haddow' };
  const reasons = [{ reason: 'email-invalid', count: 2 }];
  const failed = { count: 2, people: 1, paying: 0, reasons, newest, since: AT };
  api.answer('GET /api/admin/overview', buildOverview({ failed }));
  showConsole('/admin-leads?view=overview');

  const invalid = within(await screen.findByRole('region', { name: 'Invalid addresses' }));

  expect(invalid.getByRole('listitem').textContent).toContain('Oliver Haddowoliver@gmial.example');
  expect(
    invalid.getByRole('link', { name: 'Correct the address…' }).getAttribute('href'),
  ).toContain(`status=failed&lead=${newest.id}`);
});

test('a pause names what Beehiiv refuses and who waits, and no setting', async ({ api }) => {
  const text = 'The sync is paused: BEEHIIV_API_KEY. Unauthorized.';
  const pause = { reason: 'Unauthorized', setting: 'BEEHIIV_API_KEY', since: AT, nextProbeAt: AT };
  api.answer(
    'GET /api/admin/sync',
    buildHealth({
      state: 'paused',
      pause,
      pending: 4,
      conditions: [{ kind: 'paused', since: AT, text }],
    }),
  );
  showConsole('/admin-leads?view=overview');

  const system = await screen.findByRole('region', { name: 'Sync and system' });

  within(system).getByText('Beehiiv refuses the key.', { exact: false });
  expect(system.textContent).toMatch(/4 leads are waiting.*; nothing is lost\./);
  expect(system.dataset.tone).toBe('pending');
  expect(system.textContent).not.toContain('BEEHIIV_API_KEY');
});

test('somebody who continues without paying can be cancelled, reviewed, or opened', async ({
  api,
}) => {
  const leadId = buildId();
  const matter = {
    stripeSubscriptionId: 'sub_1',
    email: 'a@x.example',
    leadId,
    amountPence: 23_900,
    currency: 'gbp',
  };
  api.answer(
    'GET /api/admin/money',
    buildMoney({ unsettled: [{ ...matter, reason: 'dispute-lost', since: AT }] }),
  );
  showConsole('/admin-leads?view=overview');
  await screen.findByRole('region', { name: 'Running without payment' });

  const row = region('Running without payment').getByRole('listitem');
  const hrefs = within(row)
    .getAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href')?.split('?')[1]]);
  expect(hrefs).toEqual([['a@x.example', `view=person&id=${leadId}`]]);
  expect(row.textContent).not.toContain('sub_1');
  expect(
    within(row)
      .getAllByRole('button')
      .map((button) => button.getAttribute('aria-label')),
  ).toEqual(['Cancel subscription of a@x.example', 'Mark as reviewed: a@x.example']);
});

test('a fault of the system comes first and has the main button, and outages that end automatically lead to Sync', async ({
  api,
}) => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-03-02T12:00:00Z') });
  provideSiteSettings({
    ...DEFAULT_SITE_SETTINGS,
    offerPhase: 'launch',
    priceRisesOn: '2026-01-01',
  });
  const condition = (kind: ConditionKind) => ({ kind, since: AT, text: 'No worker is running.' });
  api.answer(
    'GET /api/admin/sync',
    buildHealth({
      state: 'no-worker',
      conditions: (['no-worker', 'outage', 'stripe-unavailable'] as const).map(condition),
    }),
  );
  const fault = { kind: 'terms-refused', text: 'Stripe refuses to ask.', since: AT };
  api.answer('GET /api/admin/money', buildMoney({ secondLive: [SECOND], faults: [fault] }));
  api.answer('GET /api/admin/money/attention', { count: 2 });
  showConsole('/admin-leads?view=overview');
  await screen.findByRole('region', { name: 'Second subscriptions' });

  const [first, outage, stripe, refused, second, offer] =
    region('Needs attention').getAllByRole('listitem');
  expect(first?.textContent).toContain('No worker is running.');
  const remedy = within(first!).getByRole('link', { name: 'What to do' });
  expect(remedy.getAttribute('href')).toContain('view=sync');
  expect(remedy.className).toContain('solid');
  for (const item of [outage, stripe]) {
    expect(item?.textContent).toContain('It usually ends automatically.');
    expect(within(item!).getByRole('link', { name: 'See Sync' }).className).not.toContain('solid');
  }
  expect(refused?.textContent).toContain('Stripe refuses to ask.');
  expect(second?.textContent).toContain(SECOND.email);
  expect(offer?.textContent).toMatch(
    /^The price rise announced for 1 January 2026 has passed\.The site still announces it\. Have the price or its date changed in the settings of the server\.$/,
  );
  expect(overviewLink().textContent).toBe('Overview 6 needing attention');
});

test('leads that wait for long are amber, and lead to the leads; the first dispute keeps its main button', async ({
  api,
}) => {
  const conditions = [
    { kind: 'pending-too-long' as const, since: AT, text: 'The oldest lead has waited.' },
  ];
  api.answer('GET /api/admin/sync', buildHealth({ state: 'running', conditions }));
  api.answer('GET /api/admin/money', buildMoney({ openDisputes: [DISPUTE] }));
  showConsole('/admin-leads?view=overview');

  const system = within(await screen.findByRole('region', { name: 'Sync and system' }));
  expect(system.getByRole('link', { name: 'See the leads' }).getAttribute('href')).toBe(
    '/admin-leads?status=pending',
  );
  expect(region('Sync and system').getByRole('listitem').closest('section')?.dataset['tone']).toBe(
    'pending',
  );
  expect((await screen.findByRole('link', { name: /^Answer in Stripe/ })).className).toContain(
    'solid',
  );
});

test('a pause, which needs a person, has its remedy as the main thing to do', async ({ api }) => {
  api.answer(
    'GET /api/admin/sync',
    buildHealth({ conditions: [{ kind: 'paused', since: AT, text: 'Why.' }] }),
  );
  showConsole('/admin-leads?view=overview');

  const attention = await screen.findByRole('region', { name: 'Needs attention' });
  expect((await within(attention).findByRole('link', { name: 'What to do' })).className).toContain(
    'solid',
  );
});

test('more failed leads than are counted say so', async ({ api }) => {
  const newest = { id: buildId(), email: 'oliver@gmial.example', name: 'Oliver Haddow' };
  const reasons = [{ reason: 'email-invalid', count: 1_000 }];
  const failed = { count: 1_000, people: 990, paying: 0, reasons, newest, since: AT };
  api.answer('GET /api/admin/overview', buildOverview({ failed }));
  showConsole('/admin-leads?view=overview');

  const row = await screen.findByRole('region', { name: 'Invalid addresses' });
  expect(row.textContent).toContain('990+ people');
  expect(row.textContent).toContain('Of the newest 1,000: 1,000 addresses are invalid.');
  within(row).getByRole('link', { name: 'Correct the 1,000+…' });
});

test('many of one kind are shown on request', async ({ api, user }) => {
  const parkedEvents = Array.from({ length: 12 }, (_, n) => ({
    id: `evt_${n}`,
    type: 'x',
    fault: null,
    receivedAt: AT,
  }));
  api.answer('GET /api/admin/money', buildMoney({ parkedEvents }));
  showConsole('/admin-leads?view=overview');
  const kind = within(
    await screen.findByRole('region', { name: 'Stripe events that could not be applied' }),
  );
  expect(kind.getAllByRole('button', { name: /^Mark as reviewed/ })).toHaveLength(5);

  await user.click(kind.getByRole('button', { name: 'Show all 12' }));

  expect(kind.getAllByRole('button', { name: /^Mark as reviewed/ })).toHaveLength(12);
});

test('a second subscription appears automatically, and disappears once it is reviewed', async ({
  api,
  stream,
  user,
}) => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  showConsole('/admin-leads?view=overview');
  await screen.findByText('Nothing needs attention.');
  expect(overviewLink().textContent).toBe('Overview');

  api.answer('GET /api/admin/money', buildMoney({ secondLive: [SECOND] }));
  api.answer('GET /api/admin/money/attention', { count: 1 });
  act(() => stream.tell({ hasMoneyChanged: true }));
  await act(async () => vi.advanceTimersByTimeAsync(1_000));
  await screen.findByRole('region', { name: 'Second subscriptions' });
  await waitFor(() => expect(overviewLink().textContent).toBe('Overview 1 needing attention'));
  const buttons = region('Second subscriptions').getAllByRole('button');
  expect(buttons.map(({ textContent }) => textContent)).toEqual([
    'Cancel subscription…',
    'Mark as reviewed',
  ]);

  api.answer('POST /api/admin/money/second-subscriptions/:id/review', undefined);
  api.answer('GET /api/admin/money', buildMoney());
  api.answer('GET /api/admin/money/attention', { count: 0 });
  await user.click(
    screen.getByRole('button', {
      name: 'Mark as reviewed: Second subscription of priya@northgate.example',
    }),
  );

  await screen.findByText('Nothing needs attention.');
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Needs attention' }));
  await waitFor(() => expect(overviewLink().textContent).toBe('Overview'));
  expect(
    api
      .calls('POST /api/admin/money/second-subscriptions/:id/review')
      .map(({ url }) => url.pathname),
  ).toEqual(['/api/admin/money/second-subscriptions/sub_2/review']);
});
