import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { expect, vi } from 'vitest';
import {
  buildFailedLead,
  buildLead,
  buildSubscription as buildAnySubscription,
} from '../../testing/build-console.ts';
import { buildPerson } from '../../testing/build-people.ts';
import { haveLeads, showConsole, test } from '../../testing/console-test.tsx';
import type { FakeApi } from '../../testing/fake-api.ts';
import type { PersonAnswer } from '@site/schema/calls/people';
import { problemType } from '@site/schema/problem';

const lead = buildLead({
  fullName: 'Ada Byron',
  email: 'ada@x.example',
  company: 'Engines',
  phone: '+44 1',
});
const OTHER_ID = '00000000-0000-4000-8000-00000000000f';
const buildSubscription: typeof buildAnySubscription = (changes) =>
  buildAnySubscription({ email: lead.email, ...changes });

async function showPerson(
  api: FakeApi,
  changes: Partial<PersonAnswer> = {},
  of = lead,
): Promise<void> {
  haveLeads(api, [of]);
  api.answer('GET /api/admin/leads/:id/person', buildPerson(of, changes));
  showConsole(`/admin-leads?view=person&id=${of.id}`);
  await screen.findByRole('heading', { level: 1, name: of.fullName ?? of.email });
}
const verdict = () => screen.getByRole('main').querySelector('[data-tone]')?.textContent ?? '';
const names = (within: HTMLElement) =>
  [...within.querySelectorAll('li button')].map(({ textContent }) => textContent);

const CANCELLED = buildSubscription({
  stage: 'ending',
  canceledAt: '2099-12-12T09:00:00Z',
  cancelAt: '2100-01-04T10:14:00Z',
  cancellationFeedback: 'too_expensive',
});

test('a cancelled payer has the end, the reason and one way back, and cannot be erased before the end', async ({
  api,
  user,
}) => {
  api.hang('GET /api/admin/subscriptions/:id/refund');
  await showPerson(api, { subscriptions: [CANCELLED] });

  expect(verdict()).toMatch(
    /Cancelled on 12 Dec 2099\. Receives every issue until 4 Jan 2100; nothing more is charged/,
  );
  expect(verdict()).toMatch(/Reason given: too expensive\.Undo cancellation…$/);
  const actions = screen.getByRole('region', { name: 'Actions' });
  expect(names(actions)).toEqual([
    'Correct the address…',
    'Let somebody else read it…',
    'Resend invoice link…',
    'Refund…',
    'Undo cancellation…',
    'End now…',
    'Give access…',
    'Export…',
    'Erase…',
  ]);
  const erase = within(actions).getByRole('button', { name: 'Erase…' });
  expect(erase.getAttribute('aria-disabled')).toBe('true');
  expect(erase.closest('li')?.textContent).toContain('Possible from 4 Jan 2100');
  await user.click(erase);
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.click(within(actions).getByRole('button', { name: 'Refund…' }));
  await screen.findByRole('dialog', { name: /^Refund/ });
});

test.for([
  [
    'pays and does not receive',
    /^ *Pays, does not receive/,
    'Correct the address…: priya@northgate.example',
  ],
  ['disputed', /^ *Disputed £10\.00/, null],
  ['paying', /^ *Paying £239\.00 a month/, null],
  ['refused', /^ *Not on the list Email is invalid/, 'Correct the address…'],
  ['free', /^ *Free access until 4 Jan 2100/, null],
] as const)(
  'the page of a person who is %s begins with that verdict',
  async ([kind, says, button], { api }) => {
    const disputed = {
      openDispute: {
        amountPence: 1_000,
        status: 'x',
        evidenceDueAt: null,
        dashboardUrl: 'https://dashboard.stripe.com/d',
      },
    };
    const payer = {
      email: 'priya@northgate.example',
      stripeSubscriptionId: 'sub_1',
      leadId: null,
      differenceId: null,
      since: '2025-12-03T09:30:00Z',
    };
    const changes: Record<typeof kind, Partial<PersonAnswer>> = {
      'pays and does not receive': {
        subscriptions: [buildSubscription()],
        notReceiving: { ...payer, reason: 'rejected', remedy: 'correct-address' },
      },
      disputed: { subscriptions: [buildSubscription(disputed)] },
      paying: { subscriptions: [buildSubscription()] },
      refused: {},
      free: {
        complimentary: {
          until: '2100-01-04T10:14:00Z',
          isOver: false,
          withSubscription: null,
          paidBy: null,
          grantedBy: 'admin',
        },
      },
    };
    await showPerson(
      api,
      changes[kind],
      kind === 'refused' ? buildFailedLead({ fullName: 'Ada Byron' }) : lead,
    );

    expect(verdict()).toMatch(says);
    // As in Overview, Money and People.
    if (kind === 'disputed')
      expect(screen.getByText('Disputed').closest('div')?.dataset['tone']).toBe('pending');
    const line = screen.getByRole('main').querySelector<HTMLElement>('[data-tone]');
    const found = line && within(line).queryByRole('button');
    expect(
      found ? (found.getAttribute('aria-label') ?? found.textContent)?.replace('…:', '…:') : null,
    ).toBe(button === null ? null : button.replace('…:', ':'));
  },
);

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
  await showPerson(api, { subscriptions: [buildSubscription({ invoices: [invoice!, refunded] })] });

  const rows = within(screen.getByRole('table', { name: 'Payments' })).getAllByRole('row');
  expect(rows[1]?.textContent).toMatch(/ABC-0003.*£80\.00 refunded.*£239\.00/);
  expect(rows[2]?.textContent).toMatch(/ABC-0002.*Paid.*£239\.00/);
  expect(rows.at(-1)?.textContent).toMatch(/Paid £478\.00, refunded £80\.00.*£398\.00/);
  await user.click(screen.getByRole('button', { name: 'Copy link of invoice ABC-0003' }));

  await waitFor(async () =>
    expect(await navigator.clipboard.readText()).toBe('https://invoice.stripe.com/i/fresh'),
  );
  expect(api.calls('GET /api/admin/invoices/:id/page')[0]?.headers.get('Accept')).toBe(
    'application/json',
  );
});

test('an invoice opens beside the console, which says why if Stripe does not answer', async ({
  api,
  user,
}) => {
  const page = {
    opener: window,
    location: { assign: vi.fn<(url: string) => void>() },
    close: vi.fn<() => void>(),
  };
  vi.spyOn(window, 'open').mockReturnValue(page as unknown as Window);
  const away = { type: problemType('stripe-unavailable'), detail: 'Stripe does not answer.' };
  api.refuse('GET /api/admin/invoices/:id/page', 503, away);
  await showPerson(api, { subscriptions: [buildSubscription()] });
  const invoice = screen.getByRole('button', { name: 'Invoice ABC-0002' });
  await user.click(invoice);
  await screen.findByText(away.detail);
  expect(page.close).toHaveBeenCalledOnce();
  api.answer('GET /api/admin/invoices/:id/page', { url: 'https://invoice.stripe.com/i/fresh' });
  await user.click(invoice);
  await waitFor(() =>
    expect(page.location.assign).toHaveBeenCalledWith('https://invoice.stripe.com/i/fresh'),
  );
});

test('what could not be read from Stripe, free access and an abandoned checkout are facts of the person', async ({
  api,
  user,
}) => {
  const subscription = buildSubscription({ unreadParts: ['coupon', 'invoice'] });
  const checkout = {
    id: 'cs_1',
    state: 'abandoned',
    isAbandoned: true,
    startedAt: '2025-12-01T09:00:00Z',
    recoveryUrl: 'https://checkout.example/r/cs_1',
    recoveryEndsAt: null,
    dashboardUrl: 'https://dashboard.stripe.com/checkout/sessions/cs_1',
  } as const;
  const complimentary = {
    until: '2099-12-31T23:59:59.999Z',
    isOver: false,
    withSubscription: null,
    paidBy: null,
    grantedBy: 'ana',
  };
  const agreed = { consentMarketing: true, consentTimestamp: '2025-12-01T09:00:00Z' };
  const person = { subscriptions: [subscription], checkouts: [checkout], complimentary };
  await showPerson(api, person, { ...lead, ...agreed });

  const facts = within(screen.getByRole('region', { name: 'Subscription' }));
  facts.getByText(/Could not be read from Stripe: coupon, invoice\./);
  facts.getByText(/until 31 Dec 2099, given by/);
  facts.getByText(/Opened 1 Dec 2025, 09:00, abandoned\./);
  expect(facts.queryByRole('link', { name: /link/i })).toBeNull();
  await user.click(facts.getByRole('button', { name: 'Copy link' }));
  expect(await navigator.clipboard.readText()).toBe(checkout.recoveryUrl);
  await user.click(facts.getByRole('button', { name: 'Copy email text' }));
  expect(await navigator.clipboard.readText()).toMatch(
    /^Your checkout at .* is still open\n\nHello Ada,/,
  );
  expect(facts.getByRole('link', { name: 'Open in Stripe: cs_1' }).getAttribute('href')).toBe(
    checkout.dashboardUrl,
  );
  expect(screen.getByRole('link', { name: 'Customer in Stripe' }).getAttribute('href')).toBe(
    subscription.customerUrl,
  );
});

test('a disputed payment says until when to answer, and is not offered for a refund', async ({
  api,
  user,
}) => {
  const [invoice] = buildSubscription().invoices;
  const dispute = { status: 'needs_response', evidenceDueAt: '2099-11-25T06:42:00Z' };
  await showPerson(api, {
    subscriptions: [buildSubscription({ invoices: [{ ...invoice!, dispute }] })],
  });

  const row = within(screen.getByRole('row', { name: /ABC-0002/ }));
  row.getByText('Disputed, answer by 25 Nov 2099');
  expect(row.queryByRole('button', { name: /^Refund/ })).toBeNull();
  const refund = within(screen.getByRole('region', { name: 'Actions' })).getByRole('button', {
    name: 'Refund…',
  });
  expect(refund.getAttribute('aria-disabled')).toBe('true');
  expect(refund.closest('li')?.textContent).toContain(
    'Stripe refuses to refund a disputed payment',
  );
  await user.click(refund);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('with several payments, a refund asks which one', async ({ api, user }) => {
  api.hang('GET /api/admin/subscriptions/:id/refund');
  const [invoice] = buildSubscription().invoices;
  const older = {
    ...invoice!,
    id: 'in_0',
    number: 'ABC-0001',
    paidAt: '2025-11-03T09:00:00Z',
    refundedPence: 900,
  };
  await showPerson(api, { subscriptions: [buildSubscription({ invoices: [invoice!, older] })] });

  await user.click(screen.getByRole('button', { name: 'Refund…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Refund which payment?' }));
  dialog.getByText(lead.email);
  dialog.getByRole('button', { name: /^£239\.00 of .*… ABC-0002$/ });
  await user.click(dialog.getByRole('button', { name: '£230.00 of 3 Nov 2025… ABC-0001' }));

  await screen.findByRole('dialog', { name: /^Refund £230\.00 of 3 Nov 2025/ });
});

test('a subscription that runs without payment is to be cancelled, or marked as reviewed', async ({
  api,
  user,
}) => {
  const unsettled = { reason: 'refunded', amountPence: 23_900, currency: 'gbp' } as const;
  api.answer('POST /api/admin/money/subscriptions/:id/review', undefined);
  await showPerson(api, {
    subscriptions: [buildSubscription({ refundedPence: 23_900, unsettled })],
  });

  expect(verdict()).toMatch(
    /^ *Running without payment The latest payment was refunded, £239\.00\. The subscription continues: next charge £239\.00 on [^;]*\.Cancel/,
  );
  await user.click(screen.getAllByRole('button', { name: 'Cancel…' })[0]!);
  await screen.findByRole('dialog', { name: 'Cancel this subscription?' });
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: /^Mark as reviewed/ }));
  await waitFor(() =>
    expect(api.calls('POST /api/admin/money/subscriptions/:id/review')).toHaveLength(1),
  );
});

test('a payment in another currency is shown in it', async ({ api }) => {
  const [invoice] = buildSubscription().invoices;
  await showPerson(api, {
    subscriptions: [buildSubscription({ invoices: [{ ...invoice!, currency: 'usd' }] })],
  });

  const rows = within(screen.getByRole('table', { name: 'Payments' })).getAllByRole('row');
  expect(rows[1]?.textContent).toContain('US$239.00');
  expect(rows.at(-1)?.textContent).toMatch(/^Paid in allUS\$239\.00/);
});

test('a second subscription can be cancelled too, and one that has ended cannot', async ({
  api,
  user,
}) => {
  const second = buildSubscription({ stripeSubscriptionId: 'sub_2', invoices: [] });
  const ended = buildSubscription({ stripeSubscriptionId: 'sub_3', stage: 'ended', invoices: [] });
  api.answer('GET /api/admin/subscriptions/:id', second);
  const cancelAt = '2025-12-30T10:00:00Z';
  const endsBefore = buildSubscription({
    stripeSubscriptionId: 'sub_4',
    stage: 'ending',
    cancelAt,
  });
  await showPerson(api, { subscriptions: [endsBefore, buildSubscription(), second, ended] });

  // The newest is cancelled, and the page is about one that continues.
  expect(verdict()).toContain('Paying');
  const subscription = within(screen.getByRole('region', { name: 'Subscriptions' }));
  expect(
    subscription.getAllByRole('button').map((button) => button.getAttribute('aria-label')),
  ).toEqual([
    'Manage subscription begun on 26 Nov 2025, 09:00',
    'Manage subscription begun on 26 Nov 2025, 09:00',
  ]);
  await user.click(subscription.getAllByRole('button').at(-1)!);
  await user.click(await subscription.findByRole('button', { name: 'Cancel…' }));
  await screen.findByRole('dialog', { name: 'Cancel this subscription?' });
});

test('what an address ordered and another pays for leads to the payer', async ({ api }) => {
  const paid = buildSubscription({ email: 'sam@x.example' });
  const others = [{ email: 'sam@x.example', leadId: OTHER_ID, status: null }];
  await showPerson(api, { subscriptions: [paid], others });

  expect(verdict()).not.toContain('Paying');
  within(screen.getByRole('region', { name: 'What this person receives' })).getByText('No');
  expect(names(screen.getByRole('region', { name: 'Actions' }))).not.toContain('Cancel…');
  const subscription = within(screen.getByRole('region', { name: 'Subscription' }));
  expect(subscription.queryByRole('button')).toBeNull();
  const [payer] = subscription.getAllByRole('link');
  expect(payer?.getAttribute('href')).toBe(`/admin-leads?view=person&id=${OTHER_ID}`);
});

test('who reads with a subscription leads to the payer’s page, and from there back', async ({
  api,
}) => {
  const complimentary = {
    until: null,
    withSubscription: 'sub_1',
    paidBy: 'sam@x.example',
    isOver: false,
    grantedBy: 'ana',
  };
  await showPerson(api, { complimentary });
  expect(verdict().trim()).toBe(
    'Free access as long as the subscription of sam@x.example runs, given by ana.',
  );
  cleanup();

  const others = [{ email: 'sam@x.example', leadId: OTHER_ID, status: null }];
  const paid = buildSubscription({ email: lead.email, readers: ['sam@x.example'] });
  await showPerson(api, { subscriptions: [paid], others });
  const subscription = within(screen.getByRole('region', { name: 'Subscription' }));
  expect(subscription.getByRole('link').getAttribute('href')).toBe(
    `/admin-leads?view=person&id=${OTHER_ID}`,
  );
});

test('a trial is cancelled as a trial, and a visit’s source reads as in the overview', async ({
  api,
}) => {
  const trial = buildSubscription({
    stage: 'trial',
    coupon: 'monthly15',
    amountPence: 20_315,
    invoices: [],
  });
  await showPerson(api, { lead: { ...lead, visitUtmSource: 'linkedin' }, subscriptions: [trial] });

  const actions = screen.getByRole('region', { name: 'Actions' });
  const cancel = within(actions).getByRole('button', { name: 'Cancel…' }).closest('li');
  expect(cancel?.textContent).toBe('Cancel…Now, or at the end of the trial');
  const facts = within(screen.getByRole('region', { name: 'Subscription' }));
  facts.getByText(/^LinkedIn/);
  facts.getByText('Monthly, £203.15 after 15% off');
});

test('a trial’s invoice of nothing is listed, and is neither resent nor refunded', async ({
  api,
}) => {
  const [invoice] = buildSubscription().invoices;
  const nothing = {
    ...invoice!,
    totalPence: 0,
    paidPence: 0,
    issuedAt: '2025-08-28T09:00:00Z',
    paidAt: null,
  };
  await showPerson(api, {
    subscriptions: [
      buildSubscription({
        stage: 'trial',
        trialEndsAt: '2025-09-04T09:00:00Z',
        invoices: [nothing],
      }),
    ],
  });

  const rows = within(screen.getByRole('table', { name: 'Payments' })).getAllByRole('row');
  expect(rows[1]?.textContent).toBe('28 Aug 2025ABC-0002TrialNothing charged£0.00Copy link ');
  screen.getByText('1 invoice');
  const actions = names(screen.getByRole('region', { name: 'Actions' }));
  expect(actions).not.toContain('Resend invoice link…');
  expect(actions).not.toContain('Refund…');
});

test('somebody whose trial has ended was charged nothing, and may still be on the free list', async ({
  api,
}) => {
  const ended = buildSubscription({
    stage: 'ended',
    trialEndsAt: '2025-08-14T09:00:00Z',
    endedAt: '2025-08-14T09:00:00Z',
    firstPaidAt: null,
    invoices: [],
    cancellationFeedback: 'too_expensive',
  });
  await showPerson(api, { subscriptions: [ended] }, { ...lead, subscriberStatus: 'active' });

  expect(verdict()).toMatch(
    /^ *Ended on 14 Aug 2025 after the trial; nothing was paid\. Reason given: too expensive\. Still on the free list\.$/,
  );
  expect(screen.getByText('Ended', { selector: 'strong' }).closest('div')?.dataset['tone']).toBe(
    'corrected',
  );
  screen.getByText('No invoices.');
  const facts = screen.getByRole('region', { name: 'Subscription' });
  expect(facts.textContent).toMatch(/nothing paidEnded14 Aug 2025/);
});

test.for([
  [
    'pending',
    /^ *Awaiting confirmation since 3 Dec 2025, \d\d:\d\d\. They confirm by a link in an email from Beehiiv\.$/,
  ],
  ['inactive', /^ *Unsubscribed sent to Beehiiv 3 Dec 2025, \d\d:\d\d\.$/],
] as const)(
  'a person whom Beehiiv calls %s has a clock, and is so once',
  async ([subscriberStatus, says], { api }) => {
    await showPerson(api, {}, { ...lead, subscriberStatus, consentMarketing: false });

    expect(verdict()).toMatch(says);
    expect(
      screen.getByRole('main').querySelector<HTMLElement>('[data-tone]')?.dataset['tone'],
    ).toBe('pending');
    expect(screen.getByRole('region', { name: 'Consent' }).textContent).toMatch(
      /Agreed to emailNo(?!.*Consent text)/,
    );
  },
);

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

test('a note is written, shown with its author, and deleted after a question', async ({
  api,
  user,
}) => {
  await showPerson(api);
  const note = {
    id: lead.id,
    text: 'Away in May',
    operator: 'ana',
    createdAt: '2025-12-03T09:30:00Z',
  };
  api.answer('POST /api/admin/leads/:id/notes', note);
  await user.click(screen.getByRole('heading', { name: 'Notes' }));
  await user.type(screen.getByLabelText('New note'), 'Away in May');
  api.answer('GET /api/admin/leads/:id/notes', { notes: [note] });

  await user.click(screen.getByRole('button', { name: 'Save note' }));

  expect(
    (await screen.findByText('Away in May', { selector: 'li bdi' })).closest('li')?.textContent,
  ).toContain('ana');
  expect(screen.getByLabelText<HTMLTextAreaElement>('New note').value).toBe('');
  expect(api.calls('POST /api/admin/leads/:id/notes').map(({ body }) => body)).toEqual([
    { text: 'Away in May' },
  ]);

  api.answer('DELETE /api/admin/leads/:id/notes/:noteId', undefined);
  api.answer('GET /api/admin/leads/:id/notes', { notes: [] });
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  const question = within(await screen.findByRole('dialog', { name: 'Delete this note?' }));
  question.getByText('Away in May');
  await user.click(question.getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(screen.queryByText('Away in May')).toBeNull());
  const [deleted] = api.calls('DELETE /api/admin/leads/:id/notes/:noteId');
  await waitFor(() => expect(document.activeElement?.tagName).toBe('H1'));
  expect(deleted?.url.pathname).toBe(`/api/admin/leads/${lead.id}/notes/${note.id}`);
});

test('an export and an erasure say first what is held, and an erasure leads to its receipt', async ({
  api,
  user,
}) => {
  api.answer('POST /api/admin/people/lookup', {
    rows: { leads: 1, subscriptions: 1, stripe_invoices: 3, lead_sync_attempts: 2, notes: 0 },
    others: [],
    left: 1,
  });
  const files: { name: string; text: Promise<string> }[] = [];
  let blob: Blob | undefined;
  vi.spyOn(URL, 'createObjectURL').mockImplementation((given) => {
    blob = given as Blob;
    return 'blob:1';
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(
    this: HTMLAnchorElement,
  ) {
    files.push({ name: this.download, text: blob?.text() ?? Promise.resolve('') });
  });
  const exportedAt = '2025-12-03T09:30:00.000Z';
  const tables = {
    lead_sync_attempts: [
      { id: 'a1', startedAt: exportedAt, tookMs: 93, worker: 'vm-1', message: 'Accepted' },
    ],
    leads: [
      { id: lead.id, fullName: 'Ada <Byron>', formType: 'pre_buy', phone: null, traceId: 't1' },
    ],
    stripe_invoices: [
      {
        id: 'in_1',
        number: 'LL-1',
        status: 'paid',
        totalPence: 23_900,
        refundedPence: 0,
        currency: 'usd',
      },
    ],
  };
  api.answer('POST /api/admin/people/export', {
    email: 'ada@x.example',
    exportedAt,
    consent: [],
    tables,
    elsewhere: ['Beehiiv holds more.'],
  });
  await showPerson(api);

  await user.click(screen.getByRole('button', { name: 'Export…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Export everything held?' }));
  await dialog.findByText(/^1 lead, 1 subscription, 3 invoices and 2 other records\./);
  await user.click(dialog.getByRole('button', { name: 'Export' }));
  await waitFor(() => expect(files.map(({ name }) => name)).toEqual(['Ada-Byron 2025-12-03.html']));
  const toast = within((await screen.findByText('Exported')).closest('li')!);
  toast.getByText('Ada-Byron 2025-12-03.html');
  await user.click(toast.getByRole('button', { name: 'Dismiss' }));
  const page = new DOMParser().parseFromString((await files[0]?.text) ?? '', 'text/html');
  expect(page.querySelector('h1')?.textContent).toBe('Everything stored about Ada Byron');
  expect([...page.querySelectorAll('section')].map(({ textContent }) => textContent)).toEqual([
    'InvoicesNumberLL-1StatusPaidTotalUS$239.00',
    'Forms filled inNameAda <Byron>Form typePre-Buy',
    'Sent to BeehiivStarted3 Dec 2025, 09:30MessageAccepted',
  ]);
  expect(JSON.parse(page.querySelector('#data')?.textContent ?? '')).toMatchObject({ tables });

  api.answer('POST /api/admin/people/erase', {
    id: lead.id,
    requestedBy: 'admin',
    requestedAt: exportedAt,
    erased: { leads: 1 },
    attempts: 0,
    lastMessage: null,
    reason: null,
    nextAttemptAt: exportedAt,
    deletedAt: null,
    doneAt: null,
    kept: 'Invoices at Stripe',
  });
  await user.click(screen.getByRole('button', { name: 'Erase…' }));
  const erasure = within(await screen.findByRole('dialog', { name: 'Erase Ada Byron?' }));
  expect(document.activeElement).toBe(erasure.getByRole('button', { name: 'Cancel' }));
  await user.keyboard('{Escape}');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Erase…' }));
  await user.click(screen.getByRole('button', { name: 'Erase…' }));
  const erase = await screen.findByRole('button', { name: 'Erase permanently' });
  screen.getByText(/So is the lead of somebody who has left the address\. This cannot be undone\./);
  expect(erase.className).not.toContain('solid');
  await user.click(erase);
  await screen.findByRole('heading', { level: 1, name: 'Activity' });
  expect(window.location.search).toBe('?view=activity&action=erase-person');
});

test('a person who is not stored is named as missing, with a way to the receipts', async ({
  api,
  logged,
}) => {
  api.refuse('GET /api/admin/leads/:id/person', 404);
  showConsole(`/admin-leads?view=person&id=${lead.id}`);

  const fault = within(await screen.findByRole('alert'));
  fault.getByText('This person is not stored');
  const receipts = fault.getByRole('link', { name: 'Receipts of erasures' });
  expect(receipts.getAttribute('href')).toBe('/admin-leads?view=activity&action=erase-person');
  expect(screen.queryByRole('region', { name: 'Actions' })).toBeNull();
  expect(logged).toHaveBeenCalled();
});

test('a failed lead is to be corrected, also if an earlier answer left a subscriber’s status', async ({
  api,
}) => {
  const failed = buildFailedLead({
    fullName: 'Ada Byron',
    beehiivReason: 'email-invalid',
    subscriberStatus: 'inactive',
  });
  await showPerson(api, {}, failed);

  expect(verdict()).toMatch(
    /^ *Not on the list .*\. Nothing is sent until the address is corrected\.Correct the address…$/,
  );
});
