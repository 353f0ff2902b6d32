import { act, screen, waitFor, within } from '@testing-library/react';
import { CONSENT_TEXTS, CURRENT_CONSENT_VERSION } from '@site/schema/consent';
import { expect, vi } from 'vitest';
import {
  buildDetail,
  buildFailedLead,
  buildId,
  buildLead,
  buildList,
  buildSubscription,
} from '../../testing/build-console.ts';
import { findRow, haveLeads, showConsole, test } from '../../testing/console-test.tsx';

const AT = '2025-12-03T09:30:00Z';
const REJECTED = {
  id: buildId(),
  kind: 'push',
  round: 1,
  number: 1,
  startedAt: AT,
  tookMs: 120,
  httpStatus: 422,
  class: 'permanent',
  message: 'Beehiiv answered 422: Email is invalid',
} as const;

test('the drawer says why a lead failed, what its person agreed to, and all its fields on request', async ({
  api,
  user,
}) => {
  const lead = buildFailedLead({
    consentMarketing: true,
    consentTimestamp: AT,
    consentTextVersion: CURRENT_CONSENT_VERSION,
  });
  haveLeads(api, [lead]);
  api.answer('GET /api/admin/leads/:id', buildDetail(lead, { attempts: [REJECTED] }));
  showConsole(`/admin-leads?lead=${lead.id}`);

  const drawer = within(await screen.findByRole('dialog', { name: 'Priya Raman' }));
  await drawer.findByText(/Beehiiv answered 422: Email is invalid; will not retry\./);
  drawer.getByText(/It will not be retried automatically\./);
  drawer.getByText(new RegExp(CONSENT_TEXTS[CURRENT_CONSENT_VERSION].slice(0, 40)));
  drawer.getByRole('heading', { name: 'Source' });
  expect(drawer.queryByText(lead.id)).toBeNull();
  await user.click(drawer.getByRole('button', { name: /^Show all \d+ fields$/ }));
  drawer.getByText(lead.id);
});

test('a quarantined lead says why it looks automated, and its timeline when', async ({ api }) => {
  const quarantineReason = 'sent within 1.5 seconds';
  const lead = buildFailedLead({ beehiivResponse: null, quarantineReason });
  haveLeads(api, [lead]);
  showConsole(`/admin-leads?lead=${lead.id}`);

  const drawer = within(await screen.findByRole('dialog', { name: 'Priya Raman' }));
  await drawer.findByText(/Sent within 1\.5 seconds\.$/);
  expect((await findRow(lead)).textContent).toContain('Looks automated Sent within 1.5 seconds');
  const steps = within(drawer.getByRole('region', { name: 'Timeline' })).getAllByRole('listitem');
  expect(steps.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/Filled in the subscribe form\.$/),
    expect.stringMatching(/Looks automated, so not sent\.$/),
  ]);
});

test('a quarantined lead is sent when that is confirmed, and deleting closes its drawer', async ({
  api,
  user,
}) => {
  const lead = buildFailedLead({
    beehiivResponse: null,
    quarantineReason: 'sent within 1.5 seconds',
  });
  haveLeads(api, [lead]);
  api.answer('POST /api/admin/leads/delete-quarantined', { count: 1 });
  showConsole(`/admin-leads?lead=${lead.id}`);

  const remove = await screen.findByRole('button', { name: 'Delete…' });
  const actions = [...remove.parentElement!.children];
  expect(actions.map(({ textContent }) => textContent)).toEqual([
    'Send to Beehiiv…',
    'Correct…',
    'Open person',
    'Delete…',
  ]);
  expect(actions.map(({ className }) => className.includes('solid'))).toEqual([
    false,
    false,
    false,
    false,
  ]);
  api.answer('POST /api/admin/leads/retry', { retried: 1, skipped: 0 });
  await user.click(screen.getByRole('button', { name: 'Send to Beehiiv…' }));
  const question = within(await screen.findByRole('dialog', { name: 'Send to Beehiiv?' }));
  question.getByText(`${lead.fullName}, ${lead.email}`);
  question.getByText(/^It looked automated: sent within 1.5 seconds\. They did not agree to email/);
  expect(api.calls('POST /api/admin/leads/retry')).toEqual([]);
  await user.click(question.getByRole('button', { name: 'Send' }));
  await screen.findByText('Sending');
  expect(api.calls('POST /api/admin/leads/retry').map(({ body }) => body)).toEqual([
    { ids: [lead.id] },
  ]);
  await user.click(remove);
  await user.click(await screen.findByRole('button', { name: 'Delete 1' }));

  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(api.calls('POST /api/admin/leads/delete-quarantined').map(({ body }) => body)).toEqual([
    { ids: [lead.id] },
  ]);
});

test('a lead that is not stored is named as missing, with a way to the list', async ({
  api,
  logged,
}) => {
  api.refuse('GET /api/admin/leads/:id', 404);
  showConsole('/admin-leads?view=sync&lead=abc');

  const drawer = within(await screen.findByRole('dialog'));
  await drawer.findByText('This lead is not stored');

  expect(drawer.getByRole('link', { name: 'Leads' }).getAttribute('href')).toBe('/admin-leads');
  expect(drawer.queryByRole('button', { name: /^Try/ })).toBeNull();
  expect(logged).toHaveBeenCalled();
});

test('a lead that was deleted elsewhere leaves its drawer', async ({ api, stream, logged }) => {
  const lead = buildFailedLead();
  haveLeads(api, [lead]);
  showConsole(`/admin-leads?view=sync&lead=${lead.id}`);
  const drawer = within(await screen.findByRole('dialog'));
  await drawer.findByRole('button', { name: 'Retry now' });
  api.refuse('GET /api/admin/leads/:id', 404);

  act(() => stream.tell({ gone: [lead.id] }));

  await drawer.findByText('This lead is not stored');
  expect(drawer.queryByRole('button', { name: 'Retry now' })).toBeNull();
  expect(logged).toHaveBeenCalled();
});

test('a retry from the drawer is followed until the lead is sent', async ({
  api,
  stream,
  user,
}) => {
  const lead = buildFailedLead();
  haveLeads(api, [lead]);
  api.answer('POST /api/admin/leads/retry', { retried: 1, skipped: 0 });
  showConsole(`/admin-leads?lead=${lead.id}`);
  const drawer = within(await screen.findByRole('dialog'));

  await user.click(await drawer.findByRole('button', { name: 'Retry now' }));
  const sent = {
    ...lead,
    beehiivStatus: 'sent',
    beehiivSentAt: AT,
    updatedAt: '2026-01-01T00:00:00Z',
  } as const;
  const accepted = {
    ...REJECTED,
    httpStatus: 201,
    class: 'accepted',
    message: 'Beehiiv accepted it',
  } as const;
  api.answer('GET /api/admin/leads/:id', buildDetail(sent, { attempts: [accepted] }));
  act(() => stream.tell({ leads: [sent] }));

  await drawer.findByText(/Beehiiv accepted it/);
  expect(drawer.queryByRole('button', { name: 'Retry now' })).toBeNull();
});

test('a lead is copied as text', async ({ api, user }) => {
  const lead = buildLead();
  haveLeads(api, [lead]);
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue(undefined);
  showConsole(`/admin-leads?lead=${lead.id}`);

  await user.click(await screen.findByRole('button', { name: 'Copy as text' }));

  await screen.findByText('Copied');
  expect(write).toHaveBeenCalledExactlyOnceWith(expect.stringContaining(`Lead ${lead.id}, sent`));
  expect(write.mock.calls[0]?.[0]).toContain(lead.email);
});

test('a lead that was corrected links to the new one instead of offering a retry', async ({
  api,
  user,
}) => {
  const [wrong, right] = [buildFailedLead(), buildLead({ email: 'oliver@gmail.example' })];
  haveLeads(api, [right, wrong]);
  api.answer('GET /api/admin/leads/:id', ({ url }) =>
    url.pathname.endsWith(wrong.id)
      ? buildDetail(wrong, { correctedTo: right })
      : buildDetail(right),
  );
  showConsole(`/admin-leads?lead=${wrong.id}`);
  const drawer = within(await screen.findByRole('dialog'));

  await user.click(await drawer.findByRole('link', { name: /^oliver/ }));

  expect(window.location.search).toBe(`?lead=${right.id}`);
  window.history.back();
  await waitFor(() => expect(window.location.search).toBe(`?lead=${wrong.id}`));
  await drawer.findByRole('link', { name: /^oliver/ });
  expect(drawer.queryByRole('button', { name: 'Retry now' })).toBeNull();
  expect(drawer.queryByRole('button', { name: 'Correct the address…' })).toBeNull();
});

test('a quarantined lead that was corrected names its new address, without a time that it does not have', async ({
  api,
}) => {
  const wrong = buildFailedLead({
    quarantineReason: 'the form was sent within 1.5 s',
    isCorrected: true,
  });
  const right = buildLead({ email: 'oliver@gmail.example' });
  haveLeads(api, [wrong]);
  api.answer('GET /api/admin/leads/:id', buildDetail(wrong, { correctedTo: right }));
  showConsole(`/admin-leads?lead=${wrong.id}`);

  const link = await within(await screen.findByRole('dialog')).findByRole('link', {
    name: /^oliver/,
  });

  expect(link.closest('p')?.textContent).toBe('Corrected to oliver@gmail.example.');
});

test('the timeline puts forms, attempts, payments and operators’ actions on one line', async ({
  api,
  user,
}) => {
  const [lead, other] = [
    buildFailedLead({ submittedAt: '2025-12-03T09:29:00.400Z' }),
    buildLead({ formType: 'pre_sample' }),
  ];
  haveLeads(api, [lead, other]);
  const entry = { subject: null, amountPence: null, currency: null, operator: null, until: null };
  const did = { ...entry, kind: 'action', operator: 'ana' } as const;
  const history = [
    { ...entry, at: '2025-12-01T09:00:00Z', kind: 'form', subject: other.id, detail: 'pre_sample' },
    // Stripe's times have no milliseconds, ours have.
    {
      ...entry,
      at: '2025-12-03T09:29:00Z',
      kind: 'invoice',
      subject: 'in_1',
      detail: 'paid',
      amountPence: 0,
    },
    {
      ...entry,
      at: '2025-12-03T09:29:00Z',
      kind: 'subscribed',
      detail: 'monthly',
      amountPence: 23_900,
    },
    { ...entry, at: '2025-12-03T09:29:00Z', kind: 'checkout', detail: 'complete' },
    { ...entry, at: '2025-12-03T09:29:00.500Z', kind: 'checkout', detail: 'opened' },
    {
      ...entry,
      at: '2025-12-03T09:34:00Z',
      kind: 'tier',
      detail: 'Beehiiv confirmed the paid list',
    },
    { ...entry, at: '2025-12-03T09:35:00Z', kind: 'action', detail: 'retry-run', operator: 'ana' },
    {
      ...entry,
      at: '2025-12-03T09:36:00Z',
      kind: 'action',
      detail: 'correct-paid',
      subject: 'ada@gmial.example',
      operator: 'ana',
    },
    {
      ...entry,
      at: '2025-12-03T09:37:00Z',
      kind: 'unsubscribe',
      detail: 'asked',
      subject: 'ada@gmial.example',
    },
    {
      ...did,
      at: '2025-12-03T09:38:00Z',
      detail: 'complimentary',
      until: '2026-12-31T23:59:59.999Z',
    },
    {
      ...did,
      at: '2025-12-03T09:39:00Z',
      detail: 'complimentary',
      until: '2025-12-03T09:39:00.100Z',
    },
    { ...did, at: '2025-12-03T09:40:00Z', detail: 'refund', amountPence: 10_000 },
    { ...did, at: '2025-12-03T09:41:00Z', detail: 'cancel-now' },
    { ...entry, at: '2025-12-03T09:42:00Z', kind: 'outage', detail: 'paused' },
  ] as const;
  api.answer(
    'GET /api/admin/leads/:id',
    buildDetail(lead, { attempts: [REJECTED], history: [...history] }),
  );
  showConsole(`/admin-leads?lead=${lead.id}`);

  const timeline = await screen.findByRole('region', { name: 'Timeline' });
  const texts = within(timeline)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent ?? '');
  const TIME = /^(?<date>\d+ \w+(?: \d+)?, )?\d\d:\d\d:\d\d/u;
  // The first entry of each day has its date.
  expect(texts.map((text) => TIME.exec(text)?.groups?.['date'] !== undefined)).toEqual([
    true,
    true,
    ...texts.slice(2).map(() => false),
  ]);
  const told = texts.map((text) => text.replace(TIME, ''));
  expect(told).toEqual([
    'Filled in another form: Pre-Sample.',
    'Filled in the subscribe form.',
    'Opened the checkout.',
    'Completed the checkout.',
    'Subscribed at £239.00 a month.',
    'Invoice of £0.00: nothing to pay.',
    expect.stringMatching(/Email is invalid; will not retry\.$/u),
    'Change of list: Beehiiv confirmed the paid list.',
    'ana started a bulk retry.',
    'ana corrected the address ada@gmial.example, here and of the customer at Stripe.',
    'ada@gmial.example will be unsubscribed at Beehiiv, if it is known there.',
    'ana gave free access until 31 Dec 2026.',
    'ana ended free access.',
    'ana refunded £100.00.',
    'ana cancelled the subscription at once.',
    'Waited while the sync was paused.',
  ]);
  await user.click(within(timeline).getByRole('button', { name: 'Pre-Sample' }));
  expect(window.location.search).toBe(`?lead=${other.id}`);
});

test('a lead whose subscription runs without payment says so, as the page of the person does', async ({
  api,
}) => {
  const lead = buildLead();
  haveLeads(api, [lead]);
  const unsettled = { reason: 'refunded', amountPence: 23_900, currency: 'gbp' } as const;
  api.answer(
    'GET /api/admin/leads/:id',
    buildDetail(lead, { subscriptions: [buildSubscription({ unsettled })] }),
  );
  showConsole(`/admin-leads?lead=${lead.id}`);

  const name = await screen.findByText('Running without payment');
  expect(name.closest('p')?.textContent).toContain(
    'The latest payment was refunded, £239.00. The subscription continues',
  );
});

test('trouble with a payment appears below the status in one line, and as marks on the timeline', async ({
  api,
  user,
}) => {
  const lead = buildLead();
  haveLeads(api, [lead]);
  api.answer('GET /api/admin/leads', buildList([lead], { stages: { [lead.id]: 'disputed' } }));
  const entry = {
    at: AT,
    subject: null,
    amountPence: 23_900,
    currency: 'gbp',
    operator: null,
    until: null,
  };
  const history = [
    { ...entry, kind: 'invoice', subject: 'in_1', detail: 'paid' },
    { ...entry, kind: 'invoice', subject: 'in_2', detail: 'failed' },
    { ...entry, kind: 'dispute', subject: 'dp_1', detail: 'needs_response' },
    { ...entry, kind: 'dispute', subject: 'dp_2', detail: 'won' },
    { ...entry, kind: 'action', operator: 'ana', detail: 'resume-subscription' },
  ] as const;
  const dashboardUrl = 'https://dashboard.stripe.com/test/disputes/dp_1';
  const openDispute = {
    amountPence: 23_900,
    status: 'needs_response',
    evidenceDueAt: null,
    dashboardUrl,
  };
  const subscription = buildSubscription({ stage: 'dunning', paymentAttempts: 1, openDispute });
  api.answer(
    'GET /api/admin/leads/:id',
    buildDetail(lead, { history: [...history], subscriptions: [subscription] }),
  );
  showConsole(`/admin-leads?lead=${lead.id}`);

  const drawer = await screen.findByRole('dialog', { name: 'Priya Raman' });
  const timeline = await within(drawer).findByRole('region', { name: 'Timeline' });
  const verdicts = [...drawer.querySelectorAll('p[data-tone]')].map((verdict) => [
    verdict.getAttribute('data-tone'),
    verdict.textContent,
  ]);
  expect(verdicts).toEqual([
    ['pending', 'Disputed £239.00, Stripe gives no deadline.'],
    ['sent', expect.stringMatching(/^Sent/)],
  ]);
  const answer = within(drawer).getByRole('link', { name: 'Answer in Stripe' });
  expect(answer.getAttribute('href')).toBe(dashboardUrl);
  await waitFor(() => expect(document.activeElement).toBe(answer));
  const marks = within(timeline)
    .getAllByRole('listitem')
    .map((item) => [
      item.querySelector('[data-tone]')?.getAttribute('data-tone'),
      item.textContent,
    ]);
  expect(marks).toEqual(
    expect.arrayContaining([
      ['plain', expect.stringContaining('Invoice of £239.00: paid.')],
      ['pending', expect.stringContaining('Invoice of £239.00: payment failed.')],
      ['pending', expect.stringContaining('Payment of £239.00 disputed, not decided yet.')],
      ['plain', expect.stringContaining('Payment of £239.00 disputed and decided for us.')],
      ['plain', expect.stringContaining('ana undid the cancellation.')],
    ]),
  );
  expect(
    within(drawer)
      .getAllByRole('region')
      .map((region) => region.getAttribute('aria-label')),
  ).toEqual(['Timeline', 'Consent', 'Source']);
  screen.getByText(/Disputed/, { selector: 'table *' });
  await user.click(within(drawer).getByRole('button', { name: 'Open person' }));
  expect(window.location.search).toBe(`?view=person&id=${lead.id}`);
});

test('Escape closes the form of an address that was opened with the mouse, and then the drawer', async ({
  api,
  user,
}) => {
  const lead = buildFailedLead();
  haveLeads(api, [lead]);
  showConsole(`/admin-leads?lead=${lead.id}`);
  await user.click(await screen.findByRole('button', { name: 'Correct the address…' }));
  const field = screen.getByLabelText<HTMLInputElement>('Correct address');
  expect(document.activeElement).toBe(field);

  screen.getByRole('button', { name: 'Copy as text' }).focus();
  await user.keyboard('{Escape}');
  expect(screen.queryByLabelText('Correct address')).toBeNull();
  screen.getByRole('dialog');

  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('free access appears below the status, with its end', async ({ api }) => {
  const lead = buildLead();
  haveLeads(api, [lead]);
  const complimentary = {
    until: '2026-12-31T23:59:59.999Z',
    isOver: false,
    withSubscription: null,
    paidBy: null,
    grantedBy: 'ana',
  };
  api.answer('GET /api/admin/leads/:id', buildDetail(lead, { complimentary }));
  showConsole(`/admin-leads?lead=${lead.id}`);

  const drawer = within(await screen.findByRole('dialog'));
  const name = await drawer.findByText('Free access');
  expect(name.closest('p')?.textContent?.replaceAll('\u00a0', ' ')).toBe(
    'Free access until 31 Dec 2026, given by ana.',
  );
});
