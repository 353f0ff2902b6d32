import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, vi } from 'vitest';
import { buildDelivery, buildDetail, buildHealth, buildLead } from '../../testing/build-console.ts';
import { showConsole, test } from '../../testing/console-test.tsx';

const NOW = new Date('2025-12-03T18:09:00Z');
const VIEW = '/admin-leads?view=sync';
const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000).toISOString();
const remedy = async (name: RegExp) => screen.findByRole('region', { name });

test.beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true, now: NOW }));

test.for([
  ['no-worker', 'Start the worker', 'docker compose up -d worker'],
  ['stalled', 'Restart the worker', 'docker compose restart worker'],
  ['cannot-write', 'Let Postgres write', 'free space'],
  ['redis-unavailable', 'Start Redis', 'docker compose up -d redis'],
  ['not-set-up', 'Set up the database', 'npm run migrate'],
] as const)(
  'while the condition is %s, the view says in steps what to do',
  async ([kind, title, command], { api }) => {
    const conditions = [{ kind, since: at(-25 * 60), text: '' }];
    const state = kind === 'redis-unavailable' ? 'running' : kind;
    api.answer('GET /api/admin/sync', buildHealth({ state, conditions }));
    showConsole(VIEW);

    const steps = await remedy(new RegExp(`^${title} 25 minutes, since 17:44$`));
    expect(within(steps).getAllByRole('listitem')[0]?.textContent).not.toBe('');
    expect(steps.textContent).toContain(command);
    expect(within(steps).queryByRole('button')).toBeNull();
  },
);

test('while Stripe and Beehiiv fail, the view says first what to do about Stripe, and that Beehiiv fails too', async ({
  api,
}) => {
  const conditions = (['stripe-unavailable', 'outage'] as const).map((kind) => ({
    kind,
    since: at(-60),
    text: '',
  }));
  const outage = { since: at(-60), nextAttemptAt: at(60) };
  api.answer('GET /api/admin/sync', buildHealth({ state: 'outage', conditions, outage }));
  showConsole(VIEW);

  const steps = await remedy(/^Stripe is failing/);
  expect(within(steps).queryByRole('button')).toBeNull();
  const [first, second] = screen.getAllByRole('region', { name: /is failing/ });
  expect(first).toBe(steps);
  expect(second?.textContent).toContain('Beehiiv is failing');
  within(second!).getByRole('button', { name: 'Try now' });
});

test('while Stripe fails, a failed request to Beehiiv is said before it is an outage', async ({
  api,
}) => {
  const conditions = [{ kind: 'stripe-unavailable', since: at(-60), text: '' }] as const;
  const lastError = {
    at: at(-20),
    leadId: buildLead().id,
    message: 'Beehiiv answered 503',
    reason: 'server-error',
  };
  const waiting = { pending: 2, oldestPendingAt: at(-40), lastError, lastAcceptedAt: at(-600) };
  api.answer('GET /api/admin/sync', buildHealth({ conditions: [...conditions], ...waiting }));
  showConsole(VIEW);

  const steps = await remedy(/^Stripe is failing/);
  expect(steps.textContent).toContain(
    'The latest request to Beehiiv failed at 18:08: Beehiiv had an error. 2 leads are waiting and will be sent automatically; nothing is lost.',
  );
});

test('while all is well there is no remedy, and every part says so', async ({ api }) => {
  api.answer(
    'GET /api/admin/sync',
    buildHealth({ rate: { lastMinute: 9, allowed: 150 }, statusesAsOf: at(-15 * 3_600) }),
  );
  api.answer(
    'GET /api/admin/sync/delivery',
    buildDelivery({
      workerSeenAt: at(-4),
      lastEventAt: at(-3_600),
      mail: { lastSentAt: '2025-12-01T07:00:00Z' },
    }),
  );
  showConsole(VIEW);

  const parts = within(await screen.findByRole('list', { name: 'Parts' }));
  expect(parts.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'WorkerRunningseen 18:08',
    'BeehiivAnswers; custom fields match',
    'Requests to Beehiiv9 of 150 this minute',
    'StripeEvents arrivelast event 17:09',
    'DatabaseAnswers; up to date',
    'Email alertsDeliveredlast 1 Dec, 07:00',
    'Nightly comparisonEverything matches03:09',
  ]);
  screen.getByText('No outage is on record yet.');
  screen.getByText('No failed attempts.');
  expect(screen.queryByRole('button', { name: 'Try now' })).toBeNull();
});

test('a part that fails says how, and what does not match leads to it', async ({ api }) => {
  const outage = { since: at(-60), nextAttemptAt: at(60) };
  const conditions = [
    { kind: 'no-worker', since: at(-120), text: '' },
    { kind: 'outage', since: at(-60), text: '' },
    { kind: 'stripe-unavailable', since: at(-50), text: '' },
    { kind: 'redis-unavailable', since: at(-60), text: '' },
  ] as const;
  api.answer(
    'GET /api/admin/sync',
    buildHealth({
      state: 'no-worker',
      pending: 4,
      outage,
      conditions: [...conditions],
      statusesAsOf: at(-3_600),
    }),
  );
  api.answer('GET /api/admin/sync/delivery', buildDelivery({ workerSeenAt: at(-120) }));
  api.answer('GET /api/admin/differences', {
    comparedAt: at(-3_600),
    subscribersRead: null,
    retryAt: null,
    fault: null,
    differences: [],
    counts: { invalid: 2 },
    fixable: {},
    people: 2,
  });
  showConsole(VIEW);

  const parts = within(await screen.findByRole('list', { name: 'Parts' }));
  parts.getByText(/^Not seen for 2 minutes/);
  const tones = ['Failing', 'Answers, but Redis does not'].map((text) =>
    parts.getAllByText(text).map((part) => part.closest('li')?.dataset['tone']),
  );
  expect(tones).toEqual([['waiting', 'bad'], ['bad']]);
  screen.getByText(/^The site still takes forms\./);
  screen.getByRole('heading', { name: /^Beehiiv is failing/ });
  screen.getByRole('heading', { name: /^Stripe is failing/ });
  const link = await parts.findByRole('link', { name: 'What does not match' });
  expect(link.getAttribute('href')).toContain('view=money');
  expect(link.closest('li')?.textContent).toContain('2 people: What does not match');
  screen.getByText('None before this one.');
});

test('an owner who has set up email and got none yet sees both', async ({ api }) => {
  api.answer('GET /api/admin/sync/delivery', buildDelivery({ mail: { lastSentAt: null } }));
  showConsole(VIEW);

  const mail = await screen.findByText('Set up; none sent yet');
  expect(mail.closest('li')?.dataset['tone']).toBe('good');
});

test('a request that has failed since the last one accepted shows before it is an outage', async ({
  api,
  stream,
}) => {
  const lastError = {
    at: at(-20),
    leadId: buildLead().id,
    message: 'Beehiiv answered 503',
    reason: 'server-error',
  };
  const waiting = { pending: 3, oldestPendingAt: at(-21), lastError, lastAcceptedAt: at(-600) };
  api.answer('GET /api/admin/sync', buildHealth(waiting));
  showConsole(VIEW);
  await screen.findByText('Latest request failed at 18:08; retried automatically');

  api.answer('GET /api/admin/sync', buildHealth({ lastAcceptedAt: at(-10) }));
  act(() => stream.tell({ hasSyncChanged: true }));
  await screen.findByText('Answers; custom fields match');
});

test('fields that Beehiiv lacks are named', async ({ api }) => {
  api.answer('GET /api/admin/sync', buildHealth({ missingFields: ['visit_source', 'gclid'] }));
  showConsole(VIEW);

  await screen.findByText('Lacks custom fields: visit_source, gclid');
});

test('delivery shows who waits, what was sent today and what failed, each leading to its leads', async ({
  api,
}) => {
  const { days, ...rest } = buildDelivery({
    sentToday: 14,
    failed: 5,
    total: 236,
    lastSentAt: at(-120),
  });
  const [first, ...others] = days;
  api.answer('GET /api/admin/sync/delivery', {
    ...rest,
    days: [{ ...first!, sent: 31, failed: 5 }, ...others],
    usualWait: { medianMs: 44_000, p95Ms: 95_000 },
  });
  api.answer('GET /api/admin/sync', buildHealth({ pending: 2, oldestPendingAt: at(-40) }));
  showConsole(VIEW);

  const delivery = await screen.findByRole('region', { name: /^Delivery/ });
  expect(delivery.textContent).toContain('Delivery 20 Nov to 3 Dec');
  expect(delivery.textContent).toMatch(/Waiting2the longest for 4\d seconds/);
  expect(delivery.textContent).toContain('Sent today14the last: 18:07');
  expect(delivery.textContent).toContain('Failed5never sent, 2% of');
  expect(delivery.textContent).toContain(
    'Usual wait44 snearly always within 1\u00a0min\u00a035\u00a0s',
  );
  const linkOf = (name: string) =>
    within(delivery).getByRole('link', { name }).getAttribute('href');
  expect(linkOf('Waiting')).toBe('/admin-leads?status=pending&sort=oldest');
  expect(linkOf('Sent today')).toBe(
    '/admin-leads?startDate=2025-12-03&endDate=2025-12-03&status=sent',
  );
  expect(linkOf('Failed')).toBe(
    '/admin-leads?startDate=2025-11-20&endDate=2025-12-03&status=failed',
  );
  const chart = within(screen.getByRole('region', { name: 'Sent and failed by day' }));
  chart.getByText('Sent 31');
  chart.getByText('Failed 5');
});

test('before the first lead, delivery is one sentence without figures', async () => {
  showConsole(VIEW);

  const delivery = await screen.findByRole('region', { name: /^Delivery/ });
  expect(delivery.textContent).toBe(
    'Delivery No leads yet. Each is followed here from the first one on.',
  );
});

test('without a sent lead there is no usual wait, and no chart', async ({ api }) => {
  api.answer('GET /api/admin/sync/delivery', buildDelivery({ total: 1 }));
  showConsole(VIEW);

  const delivery = await screen.findByRole('region', { name: /^Delivery/ });
  expect(delivery.textContent).toContain('Usual wait–nothing has been sent yet');
  expect(delivery.textContent).toContain('Nothing is waiting.');
  within(delivery).getByText('No leads were sent in these days.');
  expect(within(delivery).queryByRole('link')).toBeNull();
});

test('while nothing is sent there is no usual wait', async ({ api }) => {
  const usualWait = { medianMs: 44_000, p95Ms: 95_000 };
  api.answer('GET /api/admin/sync/delivery', buildDelivery({ usualWait, lastSentAt: at(-240) }));
  const conditions = [{ kind: 'no-worker', since: at(-180), text: '' } as const];
  api.answer('GET /api/admin/sync', buildHealth({ state: 'no-worker', pending: 4, conditions }));
  showConsole(VIEW);

  const delivery = await screen.findByRole('region', { name: /^Delivery/ });
  expect(delivery.textContent).toContain('Usual wait–nothing has been sent since 18:05');
});

test('past outages say how many waited, for how long and when', async ({ api }) => {
  const outages = [
    { kind: 'outage', since: '2025-12-03T14:02:00Z', until: '2025-12-03T14:19:00Z', waited: 6 },
    { kind: 'paused', since: '2025-11-24T23:12:00Z', until: '2025-11-25T00:53:00Z', waited: 12 },
  ] as const;
  api.answer('GET /api/admin/sync/delivery', buildDelivery({ outages: [...outages] }));
  showConsole(VIEW);

  const rows = within(await screen.findByRole('list', { name: 'Outages' })).getAllByRole(
    'listitem',
  );
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'Beehiiv failing17 minutes, 6 leads waited3 Dec, 14:02 to 14:19',
    'Sync paused1 hour, 12 leads waited24 Nov, 23:12 to 25 Nov, 00:53',
  ]);
});

test('errors are listed by reason with their people, and an invalid address can be corrected', async ({
  api,
  user,
}) => {
  const lastAt = at(-3_600);
  const refused = buildLead({
    beehiivStatus: 'failed',
    beehiivReason: 'address-rejected',
    nextAttemptAt: null,
  });
  const { id } = refused;
  const none = { sent: 0, pending: 0, failed: 0, failedOtherwise: 0, leadId: null, lastAt };
  const errors = [
    { ...none, class: 'transient', cause: 'no-answer', leads: 6, sent: 6 },
    { ...none, class: 'permanent', cause: 'email-invalid', leads: 4, failed: 3, leadId: id },
    { ...none, class: 'permanent', cause: 'address-rejected', leads: 2, failed: 1, leadId: id },
    { ...none, class: 'rate-limited', cause: 'rate-limited', leads: 2, sent: 1, pending: 1 },
    { ...none, class: 'permanent', cause: 'request-refused', leads: 1, failed: 1, leadId: id },
    { ...none, class: 'permanent', cause: 'tier-refused', leads: 2, failedOtherwise: 2 },
    { ...none, class: 'configuration', cause: 'key-refused', leads: 1, sent: 1 },
    { ...none, class: 'permanent', cause: 'already-subscribed', leads: 3, sent: 1, pending: 2 },
    { ...none, class: 'permanent', cause: 'tier-unchanged', leads: 1, sent: 1 },
  ] as const;
  api.answer('GET /api/admin/sync/delivery', buildDelivery({ errors: [...errors] }));
  showConsole(VIEW);

  const table = within(await screen.findByRole('table', { name: 'Errors by reason' }));
  const rows = table.getAllByRole('row').slice(1);
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'No answer from Beehiiv63 Dec, 17:09All arrived',
    'Email is invalidBeehiiv answered 42243 Dec, 17:091 corrected, 3 wait for a correctionCorrect each…',
    'Rejected by Beehiiv23 Dec, 17:091 corrected, 1 waits for a correctionCorrect it…',
    'Too many requestsBeehiiv answered 42923 Dec, 17:091 arrived, 1 being retried',
    'Beehiiv refused the request13 Dec, 17:091 needs a retry by handShow it',
    'tier-refused23 Dec, 17:09All failed for another reason',
    'Beehiiv refused the keyBeehiiv answered 40113 Dec, 17:091 arrived',
    'Already subscribed, but not found33 Dec, 17:091 arrived, 2 being retried',
    'Beehiiv did not move them to the other list13 Dec, 17:091 arrived',
  ]);
  expect(table.getByRole('link', { name: '4' }).getAttribute('href')).toBe(
    '/admin-leads?error=email-invalid',
  );
  expect(table.getByRole('link', { name: 'Correct each…' }).getAttribute('href')).toBe(
    `/admin-leads?status=failed&error=email-invalid&lead=${id}`,
  );

  api.answer('GET /api/admin/leads/:id', buildDetail(refused));
  await user.click(table.getByRole('link', { name: 'Correct it…' }));
  await screen.findByRole('textbox', { name: 'Correct address' });
});

test('a live event loads the delivery again', async ({ api, stream }) => {
  showConsole(VIEW);
  await screen.findByRole('region', { name: /^Delivery/ });
  const loads = api.calls('GET /api/admin/sync/delivery').length;

  act(() => stream.tell({ leads: [buildLead()] }));
  await act(async () => vi.advanceTimersByTimeAsync(6_000));

  await waitFor(() =>
    expect(api.calls('GET /api/admin/sync/delivery').length).toBeGreaterThan(loads),
  );
});

test('a wrong key says what to do about it, and can be tried at once', async ({ api, user }) => {
  const pause = {
    reason: 'Beehiiv answered 401',
    setting: 'BEEHIIV_API_KEY',
    since: at(0),
    nextProbeAt: at(0),
  };
  api.answer('GET /api/admin/sync', buildHealth({ pending: 3, oldestPendingAt: at(0), pause }));
  showConsole(VIEW);

  const steps = await remedy(/^Correct the setting/);
  expect(steps.textContent).toContain('Create a key in Beehiiv under Settings, API');
  expect(steps.textContent).toContain('Beehiiv answered 401 (BEEHIIV_API_KEY).');
  expect(steps.textContent).toMatch(
    /^Correct the setting since 18:09.+Try nowThe site still takes forms and payments\./,
  );
  expect(
    screen.getByRole('list', { name: 'Parts' }).querySelectorAll('[data-tone=bad]'),
  ).toHaveLength(0);

  api.answer('POST /api/admin/sync/probe', { askedAt: at(1) });
  api.answer('GET /api/admin/sync', buildHealth());
  const button = within(steps).getByRole('button', { name: 'Try now' });
  // As after a press before.
  act(() => button.focus());
  await user.click(button);
  await screen.findByText('Beehiiv works again since 18:09.');
  const heading = screen.getByRole('heading', { level: 1 });
  await waitFor(() => expect(document.activeElement).toBe(heading));
  // Too short to be reported, it is not on record.
  screen.getByText('No outage is on record yet.');
  await waitFor(() =>
    expect(screen.queryByRole('region', { name: /^Correct the setting/ })).toBeNull(),
  );
  expect(api.calls('POST /api/admin/sync/probe')).toHaveLength(1);
});

test('a probe says that it is under way, and why the sync still fails', async ({ api, user }) => {
  const failing = (nextAttemptAt: string) =>
    buildHealth({ pending: 3, oldestPendingAt: at(0), outage: { since: at(0), nextAttemptAt } });
  api.answer('POST /api/admin/sync/probe', { askedAt: at(1) });
  api.answer('GET /api/admin/sync', failing(at(10)));
  showConsole(VIEW);
  const probe = async () => user.click(await screen.findByRole('button', { name: 'Try now' }));

  await probe();
  const button = await screen.findByRole('button', { name: 'Trying...' });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  const lastError = {
    at: at(2),
    leadId: buildLead().id,
    message: 'Beehiiv answered 503',
    reason: 'server-error',
  };
  api.answer('GET /api/admin/sync', { ...failing(at(17)), lastError });
  await act(async () => vi.advanceTimersByTimeAsync(6_000));
  await screen.findByText('Still failing: Beehiiv answered 503 at 18:09');
  // Not said twice.
  expect(screen.queryByText(/Last error/)).toBeNull();

  // A probe that no lead recorded: the time of the next one tells that it was sent. An older failure does not answer it.
  api.answer('POST /api/admin/sync/probe', { askedAt: at(20) });
  await probe();
  expect(screen.queryByText(/^Still failing/)).toBeNull();
  api.answer('GET /api/admin/sync', { ...failing(at(40)), lastError });
  await act(async () => vi.advanceTimersByTimeAsync(14_000));
  await screen.findByText('Still failing at 18:09');

  api.answer('POST /api/admin/sync/probe', { askedAt: at(50) });
  await probe();
  await act(async () => vi.advanceTimersByTimeAsync(35_000));
  await screen.findByText('No worker has sent the probe');
  expect(api.calls('POST /api/admin/sync/probe')).toHaveLength(3);
});

test('a probe that ends no pause says only that, because the reason is above', async ({
  api,
  user,
}) => {
  const paused = (nextProbeAt: string) =>
    buildHealth({
      pause: {
        reason: 'Beehiiv answered 401',
        setting: 'BEEHIIV_API_KEY',
        since: at(0),
        nextProbeAt,
      },
      lastError: {
        at: nextProbeAt,
        leadId: buildLead().id,
        message: 'Beehiiv answered 401',
        reason: 'key-refused',
      },
    });
  api.answer('POST /api/admin/sync/probe', { askedAt: at(1) });
  api.answer('GET /api/admin/sync', paused(at(10)));
  showConsole(VIEW);
  await user.click(await screen.findByRole('button', { name: 'Try now' }));
  api.answer('GET /api/admin/sync', paused(at(60)));
  await act(async () => vi.advanceTimersByTimeAsync(14_000));

  const outcome = await screen.findByText('Still failing at 18:09');
  expect(outcome.parentElement?.firstElementChild?.textContent).toBe('Try now');
});
