import { act, screen, waitFor, within } from '@testing-library/react';
import { expect } from 'vitest';
import { buildLead, buildSubscription } from '../../testing/build-console.ts';
import { buildPerson } from '../../testing/build-people.ts';
import { haveLeads, showConsole, test } from '../../testing/console-test.tsx';
import type { FakeApi } from '../../testing/fake-api.ts';
import type { PersonAnswer } from '@site/schema/calls/people';

const lead = buildLead({ fullName: 'Ada Byron', email: 'ada@x.example' });
const own = { email: lead.email };

async function showPerson(
  api: FakeApi,
  changes: Partial<PersonAnswer> = {},
  of = lead,
): Promise<void> {
  haveLeads(api, [of]);
  api.answer('GET /api/admin/leads/:id/person', buildPerson(of, changes));
  showConsole(`/admin-leads?view=person&id=${of.id}`);
  await screen.findByRole('heading', { level: 1, name: 'Ada Byron' });
}
const verdict = () => screen.getByRole('main').querySelector('[data-tone]')?.textContent ?? '';

test('of an unfinished checkout, the verdict says until when its link works, and copies an email with it', async ({
  api,
  user,
}) => {
  const checkout = {
    id: 'cs_1',
    state: 'abandoned',
    isAbandoned: true,
    startedAt: '2099-11-20T14:15:00Z',
    recoveryUrl: 'https://checkout.example/r/cs_1',
    recoveryEndsAt: '2099-12-21T14:15:00Z',
    dashboardUrl: 'https://dashboard.stripe.com/checkout/sessions/cs_1',
  } as const;
  const agreed = { consentMarketing: true, consentTimestamp: '2025-12-01T09:00:00Z' };
  await showPerson(
    api,
    { checkouts: [checkout] },
    { ...lead, ...agreed, subscriberStatus: 'validating' },
  );

  expect(verdict()).toMatch(
    /^ *Checkout not finished Opened 20 Nov 2099; the link works until 21 Dec 2099\. Beehiiv is checking · [^.]*\.Copy email textCopy link$/,
  );
  const line = within(screen.getByText('Checkout not finished').closest('div')!);
  expect(screen.getAllByRole('button', { name: 'Copy link' })).toHaveLength(1);
  await user.click(line.getByRole('button', { name: 'Copy link' }));
  expect(await navigator.clipboard.readText()).toBe(checkout.recoveryUrl);
  await user.click(line.getByRole('button', { name: 'Copy email text' }));
  expect(await navigator.clipboard.readText()).toMatch(
    /^Your checkout at .* is still open\n\nHello Ada,/,
  );
});

test.for([
  [
    'whose link has expired',
    { recoveryEndsAt: '2025-11-21T14:15:00Z' },
    /Opened 20 Oct 2025\. Accepted · \d\d:\d\d\.$/,
  ],
  [
    'of somebody who did not agree to email',
    {},
    /Opened 20 Oct 2025; the link works while Stripe keeps it\. .*\.Copy link$/,
  ],
] as const)('an unfinished checkout %s offers no email', async ([, changes, says], { api }) => {
  const checkout = {
    id: 'cs_1',
    state: 'abandoned',
    isAbandoned: true,
    startedAt: '2025-10-20T14:15:00Z',
    recoveryUrl: 'https://checkout.example/r/cs_1',
    recoveryEndsAt: null,
    dashboardUrl: 'https://dashboard.stripe.com/checkout/sessions/cs_1',
    ...changes,
  } as const;
  await showPerson(api, { checkouts: [checkout] }, { ...lead, consentMarketing: false });

  expect(verdict()).toMatch(says);
  expect(screen.queryByRole('button', { name: 'Copy email text' })).toBeNull();
});

test('who never paid has the date of Stripe’s next try, and cancels no paid period', async ({
  api,
  user,
}) => {
  const [invoice] = buildSubscription().invoices;
  const open = { ...invoice!, status: 'open', totalPence: 20_315, paidPence: 0, paidAt: null };
  const failed = buildSubscription({
    email: lead.email,
    stage: 'dunning',
    firstPaidAt: null,
    periodEndsAt: '2099-12-08T14:15:00Z',
    paymentAttempts: 3,
    nextPaymentAttemptAt: '2099-11-23T14:15:00Z',
    invoices: [open],
  });
  await showPerson(api, { subscriptions: [failed] });

  const facts = screen.getByRole('region', { name: 'Subscription' });
  expect(facts.textContent).toContain('Next try23 Nov 2099, £203.15');
  expect(facts.textContent).not.toContain('Next charge');
  const cancel = within(screen.getByRole('region', { name: 'Actions' })).getByRole('button', {
    name: 'Cancel…',
  });
  expect(cancel.closest('li')?.textContent).toBe('Cancel…Now, or at the end of the period');
  await user.click(cancel);
  const dialog = within(await screen.findByRole('dialog', { name: 'Cancel this subscription?' }));
  dialog.getByLabelText('At the end of the period, 8 Dec 2099, 14:15');
  // The period is not paid for.
  dialog.getByText(/^Stripe stops trying to charge them\. Nothing was paid\./);
  await user.click(dialog.getByLabelText(/^At the end/));
  dialog.getByText(
    /^Until then they receive every issue unpaid, and Stripe goes on trying to charge them\./,
  );
});

test('whose payment failed and whose subscription is cancelled reads so, and it can be undone', async ({
  api,
  user,
}) => {
  const cancelled = buildSubscription({
    ...own,
    stage: 'dunning',
    paymentAttempts: 2,
    nextPaymentAttemptAt: '2099-11-23T14:15:00Z',
    cancelAt: '2099-12-08T14:15:00Z',
  });
  await showPerson(api, { subscriptions: [cancelled] });

  expect(screen.getByRole('main').textContent).toContain(
    'Payment failed 2 attempts so far, next 23 Nov 2099, 14:15. Cancelled, ends 8 Dec 2099.',
  );
  expect(screen.getByRole('region', { name: 'Subscription' }).textContent).toContain(
    'Ends8 Dec 2099',
  );
  screen.getByRole('button', { name: 'Undo cancellation…' });
  await user.click(screen.getByRole('button', { name: 'End now…' }));
  await screen.findByRole('dialog', { name: 'End it now?' });
});

test('what another window has cancelled is not asked about as something graver, under the same finger', async ({
  api,
  user,
  stream,
}) => {
  const paying = buildSubscription(own);
  await showPerson(api, { subscriptions: [paying] });
  await user.click(screen.getAllByRole('button', { name: 'Cancel…' })[0]!);
  const ending = { ...paying, stage: 'ending' as const, cancelAt: '2100-01-04T10:14:00Z' };
  api.answer('GET /api/admin/leads/:id/person', buildPerson(lead, { subscriptions: [ending] }));

  act(() => stream.tell({ hasMoneyChanged: true }));

  const dialog = within(await screen.findByRole('dialog', { name: 'It has changed' }));
  dialog.getByText(/^The subscription is cancelled already, with access until /);
  expect(dialog.queryByRole('button', { name: /^(End|Cancel)/ })).toBeNull();
});

test('a cancelled trial that is to end now says that nothing will be charged', async ({
  api,
  user,
}) => {
  const ending = buildSubscription({
    ...own,
    stage: 'ending',
    firstPaidAt: null,
    cancelAt: '2100-01-04T10:14:00Z',
  });
  await showPerson(api, { subscriptions: [ending] });

  await user.click(screen.getAllByRole('button', { name: 'End now…' })[0]!);
  const dialog = within(await screen.findByRole('dialog', { name: 'End it now?' }));
  dialog.getByText(/^Nothing has been paid, and nothing will be charged\./);
});

test.for([
  {
    given: 'a lost dispute of an older payment',
    dispute: null,
    choice: /^At the end of the paid period/,
  },
  {
    given: 'a lost dispute of the latest payment',
    dispute: { status: 'lost', evidenceDueAt: null },
    choice: /^Now/,
  },
])(
  'after $given the dialog begins with what ends no paid period',
  async ({ dispute, choice }, { api, user }) => {
    const unsettled = { reason: 'dispute-lost', amountPence: 23_900, currency: 'gbp' } as const;
    const invoices = buildSubscription().invoices.map((invoice) => ({ ...invoice, dispute }));
    await showPerson(api, { subscriptions: [buildSubscription({ ...own, unsettled, invoices })] });

    await user.click(screen.getAllByRole('button', { name: 'Cancel…' })[0]!);

    expect((await screen.findByRole<HTMLInputElement>('radio', { name: choice })).checked).toBe(
      true,
    );
  },
);

test('what is said about somebody who never paid names no payments, and nothing at Stripe', async ({
  api,
  user,
}) => {
  api.answer('POST /api/admin/people/lookup', {
    rows: { leads: 1, sample_requests: 2, subscriptions: 0, lead_sync_attempts: 2 },
    others: ['a@gmial.example', 'b@gmial.example'],
    left: 0,
  });
  await showPerson(api);

  for (const [name, says] of [
    [
      'Export…',
      /1 lead, 2 sample requests and 2 other records\. .* What Beehiiv holds is exported there\./,
    ],
    [
      'Erase…',
      /Held here: 1 lead, 2 sample requests and 2 other records\. Everything about this person, also under a@gmial\.example and b@gmial\.example, is deleted, .* cannot be undone\./,
    ],
    [
      'Correct the address…',
      /stays on record and is unsubscribed unless somebody else has it, and a copy .* is sent to Beehiiv\./,
    ],
  ] as const) {
    await user.click(screen.getByRole('button', { name }));
    const dialog = await screen.findByRole('dialog');
    await within(dialog).findByText(says);
    expect(dialog.textContent).not.toMatch(/payment|Stripe/);
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  }
  expect(screen.getByRole('region', { name: 'Actions' }).textContent).not.toContain('Stripe');
});

test('an event that comes before the first answer loads the person again', async ({
  api,
  stream,
}) => {
  haveLeads(api, [lead]);
  api.hang('GET /api/admin/leads/:id/person');
  showConsole(`/admin-leads?view=person&id=${lead.id}`);
  await waitFor(() => expect(api.calls('GET /api/admin/leads/:id/person')).toHaveLength(1));
  api.answer('GET /api/admin/leads/:id/person', buildPerson(lead));

  act(() => stream.tell({ leads: [lead] }));

  await screen.findByRole('heading', { level: 1, name: 'Ada Byron' });
  // What is paid or refunded elsewhere, too.
  const loads = api.calls('GET /api/admin/leads/:id/person').length;
  act(() => stream.tell({ hasMoneyChanged: true }));
  await waitFor(() => expect(api.calls('GET /api/admin/leads/:id/person')).toHaveLength(loads + 1));
});
