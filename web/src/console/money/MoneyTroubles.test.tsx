import type { MoneyTroublesAnswer } from '@site/schema/calls/money-troubles';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, vi } from 'vitest';
import { buildMoney, buildSubscription } from '../../testing/build-console.ts';
import { setWidth } from '../../testing/component-test.tsx';
import { showConsole, test } from '../../testing/console-test.tsx';

beforeEach(() => void vi.setSystemTime('2025-12-18T09:31:00Z'));

test('troubles are grouped by person, with what can be done about each', async ({ api, user }) => {
  const trouble = {
    pence: 23_900,
    currency: 'gbp',
    paidAt: '2025-12-09T09:00:00Z',
    invoice: 'LL-0231',
    reason: 'fraudulent',
    status: 'needs_response',
    isOpen: true,
    dueAt: '2025-12-22T23:00:00Z',
    endsAt: null,
    paymentUrl: null,
    operator: null,
  } as const;
  const person = {
    stripeSubscriptionId: 'sub_1',
    email: 'ewan@x.example',
    name: 'Ewan Kerr',
    leadId: null,
  };
  api.answer('GET /api/admin/money/troubles', {
    isCapped: false,
    people: [
      {
        ...person,
        troubles: [
          {
            ...trouble,
            kind: 'dispute',
            id: 'dp_1',
            at: '2025-12-09T10:00:00Z',
            dueAt: '2025-12-29T23:00:00Z',
          },
          { ...trouble, kind: 'dispute', id: 'dp_2', at: '2025-12-09T09:00:00Z' },
        ],
      },
      {
        ...person,
        stripeSubscriptionId: 'sub_4',
        name: 'Ada Whitlock',
        troubles: [
          {
            ...trouble,
            kind: 'dispute',
            id: 'dp_4',
            at: '2025-12-08T09:00:00Z',
            dueAt: '2025-12-31T23:00:00Z',
          },
        ],
      },
      {
        ...person,
        stripeSubscriptionId: 'sub_5',
        name: 'Priya Raman',
        troubles: [
          {
            ...trouble,
            kind: 'dispute',
            id: 'dp_5',
            at: '2025-11-08T09:00:00Z',
            status: 'under_review',
          },
        ],
      },
      {
        ...person,
        stripeSubscriptionId: 'sub_2',
        name: 'Tom Aldridge',
        troubles: [
          {
            ...trouble,
            kind: 'failed',
            id: 'in_1',
            at: '2025-12-16T09:00:00Z',
            status: 'past_due',
            endsAt: '2025-12-30T09:00:00Z',
            paymentUrl: 'https://invoice.example/1',
            currency: 'usd',
          },
        ],
      },
      {
        ...person,
        stripeSubscriptionId: 'sub_3',
        name: 'Isla Drummond',
        troubles: [
          {
            ...trouble,
            kind: 'refund',
            id: 're_1',
            at: '2025-12-11T09:00:00Z',
            status: 'succeeded',
            isOpen: false,
            dueAt: null,
            operator: 'j.holt',
          },
        ],
      },
    ],
  });
  const settled = {
    stripeSubscriptionId: 'sub_3',
    email: 'ewan@x.example',
    leadId: null,
    since: '2025-12-11T09:00:00Z',
  };
  const unsettled = [
    { ...settled, reason: 'refunded' as const, amountPence: 23_900, currency: 'gbp' },
  ];
  api.answer('GET /api/admin/money', buildMoney({ unsettled }));
  showConsole('/admin-leads?view=money');

  const section = within(
    await screen.findByRole('region', { name: 'Disputes, failed payments and refunds' }),
  );
  await section.findByText('2 disputes, £478.00. Answer by 22 Dec.');
  section.getByText('Payment of 9 Dec, “not made by me”. Answer by 29 Dec');
  const links = section.getAllByRole<HTMLAnchorElement>('link', { name: /in Stripe$/ });
  expect(links.map(({ href }) => href)).toEqual(
    ['dp_2', 'dp_4', 'dp_5'].map((id) => `https://dashboard.stripe.com/test/disputes/${id}`),
  );
  // Only the nearest deadline leads.
  expect(links.map(({ className }) => className.includes('solid'))).toEqual([true, false, false]);
  expect(links.map(({ textContent }) => textContent?.trim())).toEqual([
    'Answer in Stripe',
    'Answer in Stripe',
    'Open in Stripe',
  ]);
  expect(section.getAllByText('ewan@x.example')).toHaveLength(5);
  section.getByText('Answer by 31 Dec.');
  section.getByText('Nothing to do yet.');
  section.getByText(
    'Payment failed. Stripe will retry on 22 Dec; access continues until 30 Dec at the latest: cancelled',
  );
  section.getByText('US$239.00');
  section.getByText('Refunded by j.holt, invoice LL-0231');
  section.getByText('−£239.00');
  section.getByText('by person, in December 2025 or open now');
  api.answer(
    'GET /api/admin/subscriptions/:id',
    buildSubscription({
      openDispute: {
        amountPence: 23_900,
        status: 'needs_response',
        evidenceDueAt: null,
        dashboardUrl: 'https://x.example',
      },
    }),
  );
  await user.click(section.getByRole('button', { name: 'Cancel subscription of Ewan Kerr' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Cancel this subscription?' }));
  dialog.getByText('A payment is disputed. A cancellation does not answer the dispute.');
  await user.click(dialog.getByRole('button', { name: 'Keep it' }));
  await waitFor(() => expect(document.body.style.pointerEvents).not.toBe('none'));
  // As in Overview.
  section.getByText('The latest payment was refunded; the subscription continues.');
  const unsettledCause = { reason: 'refunded', amountPence: 23_900, currency: 'gbp' } as const;
  api.answer('GET /api/admin/subscriptions/:id', buildSubscription({ unsettled: unsettledCause }));
  await user.click(section.getByRole('button', { name: 'Cancel subscription of Isla Drummond' }));
  const unpaid = within(await screen.findByRole('dialog', { name: 'Cancel this subscription?' }));
  expect(unpaid.getByRole<HTMLInputElement>('radio', { name: /^Now/ }).checked).toBe(true);
  unpaid.getByRole('radio', { name: /^At the end of the period/ });
  await user.click(unpaid.getByRole('button', { name: 'Keep it' }));
  await waitFor(() => expect(document.body.style.pointerEvents).not.toBe('none'));
  api.answer('POST /api/admin/money/subscriptions/:id/review', undefined);
  api.answer('GET /api/admin/money', buildMoney({}));
  await user.click(section.getByRole('button', { name: 'Mark as reviewed: Isla Drummond' }));
  await waitFor(() =>
    expect(
      section.queryByText('The latest payment was refunded; the subscription continues.'),
    ).toBeNull(),
  );
  await user.click(section.getByRole('button', { name: 'Copy invoice link' }));
  expect(await navigator.clipboard.readText()).toBe('https://invoice.example/1');
});

test('on a phone Money says above the months what is open, and leads to it', async ({
  api,
  user,
}) => {
  setWidth(390);
  const trouble = {
    at: '2025-12-09T09:00:00Z',
    pence: 23_900,
    currency: 'gbp',
    paidAt: null,
    invoice: 'LL-0231',
  };
  const open = {
    ...trouble,
    reason: null,
    isOpen: true,
    endsAt: null,
    paymentUrl: null,
    operator: null,
  };
  const dispute = {
    ...open,
    kind: 'dispute' as const,
    status: 'needs_response',
    dueAt: '2025-12-22T23:00:00Z',
  };
  const person = (id: string, troubles: MoneyTroublesAnswer['people'][number]['troubles']) => ({
    stripeSubscriptionId: id,
    email: `${id}@x.example`,
    name: null,
    leadId: null,
    troubles,
  });
  const people = [
    person('sub_1', [{ ...dispute, id: 'dp_1' }]),
    person('sub_2', [{ ...open, kind: 'failed', id: 'in_1', status: 'past_due', dueAt: null }]),
    person('sub_3', [{ ...dispute, id: 'dp_2', status: 'lost', isOpen: false }]),
  ];
  api.answer('GET /api/admin/money/troubles', { isCapped: false, people });
  api.answer('GET /api/admin/money', buildMoney({}));
  showConsole('/admin-leads?view=money');

  const link =
    '1 dispute to answer, the first by 22 Dec; 1 person with an open failed payment or refund';
  await user.click(await screen.findByRole('button', { name: link }));

  expect(document.activeElement).toBe(
    screen.getByRole('region', { name: 'Disputes, failed payments and refunds' }),
  );
});

test('an abandoned checkout has a link to copy, a text only with consent, and a note of the contact', async ({
  api,
  user,
}) => {
  const checkout = {
    id: 'cs_1',
    leadId: null,
    email: 'lucy@x.example',
    name: 'Lucy Mackenzie',
    startedAt: '2025-12-16T21:04:00Z',
    before: ['2025-12-14T09:00:00Z'],
    plan: 'monthly' as const,
    pence: 23_900,
    channel: 'LinkedIn',
    agreedAt: '2025-12-16T21:00:00Z',
    recoveryUrl: 'https://stripe.example/r/1',
    recoveryEndsAt: '2026-01-15T21:04:00Z',
    contactedAt: null,
  };
  const people = [
    checkout,
    { ...checkout, id: 'cs_2', name: 'Fatima', before: [], agreedAt: null, plan: null },
  ];
  api.answer('GET /api/admin/checkouts/abandoned', { people, isCapped: false });
  showConsole('/admin-leads?view=money');

  const section = within(await screen.findByRole('region', { name: 'Abandoned checkouts' }));
  expect(section.getByRole('link', { name: 'Their leads' }).getAttribute('href')).toContain(
    '?checkout=abandoned',
  );
  section.getByText(/^2 people, all dates\./);
  const lucy = within(await section.findByRole('row', { name: /Lucy/ }));
  expect(
    lucy.getAllByRole('cell').map(({ textContent }) => textContent?.replaceAll('\u00a0', ' ')),
  ).toEqual([
    '16 Dec, 21:04 and 14 Dec The link works until 15 Jan 2026',
    'Monthly, £239.00 from LinkedIn',
    'Yes',
    expect.stringContaining('Copy link'),
  ]);
  const fatima = within(section.getByRole('row', { name: /Fatima/ }));
  fatima.getByText('No consent');
  expect(fatima.queryByRole('button', { name: /Email text/ })).toBeNull();

  await user.click(lucy.getByRole('button', { name: 'Copy link of Lucy Mackenzie' }));
  await screen.findByText('Send it, and do not open it yourself: that uses it up.');
  expect(await navigator.clipboard.readText()).toBe('https://stripe.example/r/1');
  await user.click(lucy.getByRole('button', { name: 'Email text for Lucy Mackenzie' }));
  lucy.getByRole('button', { name: 'Close email text for Lucy Mackenzie' });
  await user.click(section.getByRole('button', { name: 'Copy text' }));
  expect(await navigator.clipboard.readText()).toBe(
    [
      'Your checkout at Liquidation Ledger is still open',
      'Hello Lucy,',
      'On 16 December 2025 you began to subscribe and did not finish. Your checkout stays open until 15 January 2026: https://stripe.example/r/1',
      'You pay nothing for 7 days and can cancel at any time before. If something went wrong, please reply and tell me.',
      'Liquidation Ledger',
      'You agreed to email on 16 December 2025. Reply “stop” and I will not write again.',
    ].join('\n\n'),
  );

  api.answer('POST /api/admin/checkouts/:id/contacted', undefined);
  const contacted = { ...checkout, contactedAt: '2025-12-18T09:31:00Z' };
  api.answer('GET /api/admin/checkouts/abandoned', { people: [contacted], isCapped: false });
  await user.click(lucy.getByRole('button', { name: 'Mark as contacted: Lucy Mackenzie' }));
  await section.findByText(/; contacted 18 Dec$/);
  expect(
    api.calls('POST /api/admin/checkouts/:id/contacted').map(({ url }) => url.pathname),
  ).toEqual(['/api/admin/checkouts/cs_1/contacted']);

  api.answer('DELETE /api/admin/checkouts/:id/contacted', undefined);
  api.answer('GET /api/admin/checkouts/abandoned', { people: [checkout], isCapped: false });
  await user.click(section.getByRole('button', { name: 'Undo contacted: Lucy Mackenzie' }));
  await section.findByRole('button', { name: 'Mark as contacted: Lucy Mackenzie' });
  expect(api.calls('DELETE /api/admin/checkouts/:id/contacted')).toHaveLength(1);
});

test('a month that is over shows its own disputes and abandoned checkouts, and nothing that waits now', async ({
  api,
}) => {
  const asked: string[] = [];
  const note = (url: URL) =>
    asked.push(`${url.pathname.split('/').at(-1)} ${url.searchParams.get('endDate')}`);
  api.answer(
    'GET /api/admin/checkouts/abandoned',
    ({ url }) => (note(url), { people: [], isCapped: false }),
  );
  showConsole('/admin-leads?view=money&startDate=2025-11-01&endDate=2025-11-30');

  await screen.findByText('No abandoned checkouts in November 2025.');

  expect(asked).toEqual(['abandoned 2025-11-30']);
  screen.getByText('by person, in November 2025');
  screen.getByText('None in November 2025.');
  expect(screen.queryByRole('region', { name: 'What does not match' })).toBeNull();
});

test.for([
  ['startDate=2025-08-10&endDate=2025-09-20', 'None from 10 August to 20 September 2025.'],
  ['startDate=2025-08-10&endDate=2025-08-10', 'None on 10 August 2025.'],
] as const)('dates of %s are said as people say them', async ([dates, said], { api }) => {
  api.answer('GET /api/admin/checkouts/abandoned', { people: [], isCapped: false });
  showConsole(`/admin-leads?view=money&${dates}`);

  await screen.findByText(said);
});
