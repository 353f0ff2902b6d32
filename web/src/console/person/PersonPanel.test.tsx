import { screen, waitFor, within } from '@testing-library/react';
import { expect } from 'vitest';
import {
  buildLead,
  buildSubscription as buildAnySubscription,
} from '../../testing/build-console.ts';
import {
  findView,
  findWithin,
  havePerson,
  showConsole,
  test,
} from '../../testing/console-test.tsx';
import type { FakeApi } from '../../testing/fake-api.ts';
import type { Lead } from '@site/schema/lead';
import type { PersonAnswer } from '@site/schema/calls/people';

const lead = buildLead({
  fullName: 'Ada Byron',
  email: 'ada@x.example',
  company: 'Engines',
  phone: '+44 1',
});
const buildSubscription: typeof buildAnySubscription = (changes) =>
  buildAnySubscription({ email: lead.email, ...changes });

async function showPerson(
  api: FakeApi,
  changes: Partial<PersonAnswer> = {},
  of = lead,
): Promise<void> {
  havePerson(api, of, changes);
  showConsole(`/admin-leads?view=person&id=${of.id}`);
  await findView(of.fullName ?? of.email);
}

const payments = () =>
  within(screen.getByRole('table', { name: 'Payments' }))
    .getAllByRole('row')
    .map(({ textContent }) => textContent);

const CANCELLED = buildSubscription({
  stage: 'ending',
  cancelAt: '2100-01-04T10:14:00Z',
  cancellationFeedback: 'too_expensive',
});

test('payments have their sum, their invoices, and a link for the customer', async ({
  api,
  user,
}) => {
  api.answer('GET /api/admin/invoices/:id/page', { url: 'https://invoice.stripe.com/i/fresh' });
  const [invoice] = buildSubscription().invoices;
  const refunded = {
    ...invoice!,
    id: 'in_2',
    number: 'ABC-0003',
    refundedPence: 8_000,
    issuedAt: '2025-12-04T09:00:00Z',
  };
  const totals = [{ currency: 'gbp', paidPence: 47_800, refundedPence: 8_000, heldPence: 0 }];
  await showPerson(api, {
    subscriptions: [buildSubscription({ invoices: [invoice!, refunded], totals })],
  });

  expect(payments()).toEqual([
    expect.anything(),
    expect.stringMatching(/ABC-0003.*£80\.00 refunded.*£239\.00/),
    expect.stringMatching(/ABC-0002.*Paid.*£239\.00/),
    expect.stringMatching(/Paid £478\.00, refunded £80\.00.*£398\.00/),
  ]);
  await user.click(screen.getByRole('button', { name: 'Copy link of invoice ABC-0003' }));

  await waitFor(async () =>
    expect(await navigator.clipboard.readText()).toBe('https://invoice.stripe.com/i/fresh'),
  );
  expect(screen.getByRole('link', { name: 'Invoice ABC-0003' }).getAttribute('href')).toBe(
    '/admin-leads?view=money&invoice=in_2',
  );
});

test('the sum of payments leaves out what banks hold', async ({ api }) => {
  const totals = [{ currency: 'gbp', paidPence: 47_800, refundedPence: 0, heldPence: 23_900 }];
  await showPerson(api, { subscriptions: [buildSubscription({ totals })] });

  expect(payments().at(-1)).toMatch(/^Paid £478\.00, held by banks £239\.00£239\.00/);
});

test('payments in two currencies have a sum each', async ({ api }) => {
  const euros = { currency: 'eur', paidPence: 10_000, refundedPence: 1_000, heldPence: 0 };
  await showPerson(api, {
    subscriptions: [
      buildSubscription({ stripeSubscriptionId: 'sub_2', currency: 'eur', totals: [euros] }),
      buildSubscription(),
    ],
  });

  expect(payments().at(-1)).toMatch(
    /^Paid £239\.00; paid €100\.00, refunded €10\.00£239\.00, €90\.00/,
  );
});

test.for([
  [true, '2025-12', /YesConsent text 2025.12, shown“By continuing/],
  [true, 'lost', /YesConsent text lost, shownThe text was not recordedPage/],
  [false, '2025-12', /NoConsent text 2025.12, not agreed to“By continuing/],
  [false, null, /NoPage/],
] as const)(
  'consent %s to the text %s is shown with the text',
  async ([agreed, consentTextVersion, says], { api }) => {
    const consent = {
      consentMarketing: agreed,
      consentTextVersion,
      consentPage: '/',
      consentTimestamp: null,
    };
    await showPerson(api, {}, { ...lead, ...consent });

    expect(screen.getByRole('region', { name: 'Consent' }).textContent).toMatch(says);
  },
);

test('a note that is not saved stays while the view changes', async ({ api, user }) => {
  await showPerson(api);
  await user.type(screen.getByLabelText('New note'), 'Away in');

  await user.click(screen.getByRole('link', { name: 'Activity' }));
  await waitFor(() => expect(screen.queryByLabelText('New note')).toBeNull());
  window.history.back();

  const note = await screen.findByLabelText<HTMLTextAreaElement>('New note');
  expect(note.value).toBe('Away in');
});

test('a phone without digits is text, and no link', async ({ api }) => {
  await showPerson(api, {}, buildLead({ fullName: 'Ada Byron', phone: 'abc' }));

  expect(screen.getAllByText('abc')).not.toEqual([]);
  expect(screen.queryByRole('link', { name: 'abc' })).toBeNull();
});

test('the panel is headed by the person’s one name', async ({ api }) => {
  havePerson(api, lead, { name: 'Augusta Ada King' });
  showConsole(`/admin-leads?view=person&id=${lead.id}`);

  await findView('Augusta Ada King');
});

test('an erasure first lists the stored data', async ({ api, user }) => {
  api.answer('POST /api/admin/people/lookup', {
    rows: { leads: 1, subscriptions: 1, stripe_invoices: 3, lead_sync_attempts: 2, notes: 0 },
    others: [],
  });
  await showPerson(api);

  await user.click(screen.getByRole('button', { name: 'Erase…' }));
  const dialog = await findWithin('dialog', 'Erase Ada Byron?');
  await dialog.findByText(/^1 lead, 1 subscription, 3 invoices and 2 other records\./);
});

test('a person who is not stored is named as missing, with a way to the receipts', async ({
  api,
  logged,
}) => {
  api.refuse('GET /api/admin/leads/:id/person', 404);
  showConsole(`/admin-leads?view=person&id=${lead.id}`);

  const failure = await findWithin('alert');
  failure.getByText('This person is not stored');
  const receipts = failure.getByRole('link', { name: 'Erasure receipts' });
  expect(receipts.getAttribute('href')).toBe('/admin-leads?view=activity&action=erase-person');
  expect(screen.queryByRole('region', { name: 'Actions' })).toBeNull();
  expect(logged).toHaveBeenCalled();
});

const entry = {
  kind: 'checkout' as const,
  subject: 'cs_1',
  amountPence: null,
  currency: null,
  operator: null,
  until: null,
  outcome: null,
};
const listSentences = () =>
  within(screen.getByRole('region', { name: 'Timeline' }))
    .getAllByRole('listitem')
    .map((li) => li.querySelector('bdi')?.textContent);

test('attempts show Beehiiv’s answers, and a refusal that is final says so', async ({ api }) => {
  const history = (['permanent', 'final', 'open'] as const).map((outcome, n) => ({
    ...entry,
    kind: 'attempt' as const,
    subject: n === 0 ? 'tier' : 'push',
    detail: n === 2 ? '' : 'Beehiiv answered 422.',
    at: `2025-12-03T09:3${n}:00Z`,
    outcome,
  }));
  await showPerson(api, { history });

  expect(listSentences()).toEqual([
    'Waiting for Beehiiv’s answer.',
    'Beehiiv answered 422; will not retry.',
    'Moving lists: Beehiiv answered 422.',
  ]);
});

test.for<[string, Partial<PersonAnswer>, RegExp, string | undefined]>([
  ['a payer', { subscriptions: [buildSubscription()] }, /^Paying £239\.00 a month/, undefined],
  [
    'a payer in another currency',
    { subscriptions: [buildSubscription({ unreadParts: ['price'] })] },
    /^Paying a price not in pounds each month/,
    undefined,
  ],
  [
    'a trial',
    {
      state: 'trial',
      until: '2100-12-04T08:58:00Z',
      subscriptions: [buildSubscription({ stage: 'trial' })],
    },
    /^In trial Ends 4 Dec 2100, then £239\.00 a month/,
    undefined,
  ],
  [
    'a cancelled payer',
    { reason: 'cancelled', until: '2100-12-04T08:58:00Z', subscriptions: [CANCELLED] },
    /^Paying Cancelled\. Receives until 4 Dec 2100/,
    'Undo cancellation…',
  ],
  [
    'a disputed payment',
    {
      state: 'unsettled',
      reason: 'disputed',
      subscriptions: [
        buildSubscription({
          openDispute: {
            amountPence: 23_900,
            status: 'needs_response',
            evidenceDueAt: null,
            dashboardUrl: 'https://dashboard.stripe.com/test/disputes/dp_1',
          },
        }),
      ],
    },
    /^Payment in doubt Disputed\. £239\.00 a month\. £239\.00 disputed, Stripe gives no/,
    'Answer in Stripe',
  ],
  [
    'a subscription without payment',
    {
      state: 'unsettled',
      reason: 'refunded',
      subscriptions: [
        buildSubscription({
          unsettled: { reason: 'refunded', amountPence: 23_900, currency: 'gbp' },
        }),
      ],
    },
    /^Payment in doubt The latest payment was refunded/,
    'Cancel subscription…',
  ],
])(
  'the verdict on %s comes first, with its remedy',
  async ([, changes, words, action], { api }) => {
    await showPerson(api, changes);

    const [first] = screen.getByRole('main').querySelectorAll('[data-tone]');
    expect(first?.textContent?.trim()).toMatch(words);
    if (action) expect(first?.textContent).toContain(action);
    else expect(first?.querySelector('button')).toBeNull();
  },
);

const facts = () => screen.getByRole('region', { name: 'Subscription' }).textContent;

test.for<[string, Partial<PersonAnswer>, Partial<Lead>, string]>([
  [
    'a payer whose lead waits',
    { subscriptions: [buildSubscription()] },
    { beehiivStatus: 'pending', beehiivSentAt: null },
    'Paid issueNot yetAt BeehiivNot known yet',
  ],
  [
    'a payer who left',
    {
      subscriptions: [buildSubscription()],
      subscriber: { status: 'inactive', learnedAt: '2025-12-03T09:30:00Z' },
    },
    {},
    'Paid issueNoAt BeehiivUnsubscribed',
  ],
  [
    'a lead that Beehiiv rejected',
    {},
    { beehiivStatus: 'failed', beehiivSentAt: null, beehiivReason: 'email-rejected' },
    'Paid issueNoAt BeehiivNot on the list',
  ],
])('the facts of %s agree with the verdict', async ([, changes, of, words], { api }) => {
  await showPerson(api, changes, { ...lead, ...of });

  expect(facts()).toContain(words);
});

test('ended free access shows its last day and the operator who gave it', async ({ api }) => {
  const over = { until: '2025-11-01T09:00:00Z', isOver: true, withSubscription: null };
  await showPerson(api, {
    freeAccess: { ...over, paidBy: null, grantedBy: 'ana', name: null, reason: null },
  });

  expect(facts()).toContain('Free accessEnded 1 Nov 2025, given by ana');
});

test('the timeline is newest first, and names the origin of each lead', async ({ api }) => {
  const form = buildLead({
    email: lead.email,
    formType: 'pre_sample',
    submittedAt: '2025-12-02T09:30:00Z',
    consentPage: '/',
  });
  const given = { ...lead, consentPage: null, utmSource: 'operator' };
  const at = '2025-12-03T09:40:00Z';
  const history = [
    {
      ...entry,
      at: form.submittedAt,
      kind: 'form' as const,
      subject: form.id,
      detail: 'pre_sample',
    },
    {
      ...entry,
      at: given.submittedAt,
      kind: 'form' as const,
      subject: given.id,
      detail: 'pre_buy',
    },
    { ...entry, at, detail: 'opened' },
    { ...entry, at, detail: 'complete' },
  ];
  await showPerson(api, { history, leads: [given, form] }, given);

  expect(listSentences()).toEqual([
    'Completed the checkout.',
    'Opened the checkout.',
    'Added in the console, to receive the paid issue.',
    'Filled in the sample form.',
  ]);
});

test('a mistyped email is pointed out, stored or typed', async ({ api, user }) => {
  await showPerson(api, {}, { ...lead, email: 'ada@gmial.com' });
  screen.getByText('Looks mistyped: gmail.com?');

  await user.click(screen.getByRole('button', { name: 'Correct the email…' }));
  const dialog = await findWithin('dialog', 'Correct the email');
  const field = dialog.getByLabelText<HTMLInputElement>('Correct email');
  expect(field.value).toBe('ada@gmail.com');
  await user.clear(field);
  await user.type(field, 'ada@hotmial.com');
  await user.click(dialog.getByRole('button', { name: 'ada@hotmail.com' }));

  expect(field.value).toBe('ada@hotmail.com');
  expect(dialog.queryByText(/Did you mean/)).toBeNull();
});

test('a cancellation asks when, and shows a refusal', async ({ api, user }) => {
  const subscription = buildSubscription({ periodEndsAt: '2100-01-03T09:00:00.000Z' });
  await showPerson(api, { subscriptions: [subscription] });
  api.refuse('POST /api/admin/subscriptions/:id/cancel', 409, { detail: 'It has ended already.' });
  await user.click(screen.getByRole('button', { name: 'Cancel…' }));
  const dialog = await findWithin('dialog', 'Cancel this subscription?');
  await user.click(dialog.getByRole('radio', { name: /^Now/ }));
  await user.click(dialog.getByRole('button', { name: 'Cancel now' }));
  await dialog.findByText('It has ended already.');

  api.answer('POST /api/admin/subscriptions/:id/cancel', {
    stripeSubscriptionId: 'sub_1',
    stage: 'ending',
    status: 'active',
    cancelAt: '2100-01-03T09:00:00.000Z',
    endedAt: null,
  });
  havePerson(api, lead, { subscriptions: [CANCELLED] });
  await user.click(dialog.getByRole('radio', { name: /^At the end/ }));
  await user.click(dialog.getByRole('button', { name: 'Cancel on 3 Jan 2100' }));
  await screen.findAllByRole('button', { name: 'Undo cancellation…' });
  expect(api.calls('POST /api/admin/subscriptions/:id/cancel').map(({ body }) => body)).toEqual([
    { when: 'now' },
    { when: 'period-end' },
  ]);
});

test('a correction shows a refusal, and offers to move another payer’s subscription', async ({
  api,
  user,
}) => {
  await showPerson(api);
  api.refuse('POST /api/admin/leads/:id/correct', 409, { detail: 'That email pays already.' });
  await user.click(screen.getByRole('button', { name: 'Correct the email…' }));
  const dialog = await findWithin('dialog', 'Correct the email');
  const field = dialog.getByLabelText('Correct email');
  await user.clear(field);
  await user.type(field, 'ada@y.example');
  await user.click(dialog.getByRole('button', { name: 'Correct the email' }));
  await dialog.findByText('That email pays already.');

  const stayed = [{ stripeSubscriptionId: 'sub_1', name: 'Sam', email: lead.email }];
  api.answer('POST /api/admin/leads/:id/correct', { id: lead.id, stayed });
  api.answer('POST /api/admin/subscriptions/:id/email', {
    email: 'ada@y.example',
  });
  havePerson(api, { ...lead, email: 'ada@y.example' });
  await user.type(field, '{Enter}');
  await screen.findByText(/^What Sam pays for stays with/);
  await user.click(screen.getByRole('button', { name: 'Move it too' }));

  await screen.findByText('Email corrected');
  await screen.findByRole('link', { name: 'ada@y.example' });
  expect(window.location.search).toContain(lead.id);
  expect(api.calls('POST /api/admin/subscriptions/:id/email').map(({ body }) => body)).toEqual([
    { email: 'ada@y.example' },
  ]);
});
