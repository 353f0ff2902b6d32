import { screen, waitFor, within } from '@testing-library/react';
import { expect, vi } from 'vitest';
import { buildDelivery, buildHealth } from '../../testing/build-console.ts';
import { buildDifferences } from '../../testing/build-people.ts';
import { findWithin, showConsole, test } from '../../testing/console-test.tsx';

const NOW = new Date('2025-12-03T18:09:00Z');
const VIEW = '/admin-leads?view=sync';
const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000).toISOString();
const remedy = async (name: RegExp) => screen.findByRole('region', { name });

test.beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true, now: NOW }));

test.for([
  ['no-worker', 'Start the worker', 'no-worker'],
  ['stalled', 'Restart the worker', 'stalled'],
  ['loop-stopped', 'Restart the worker', 'stalled'],
  ['cannot-write', 'Let Postgres write', 'cannot-write'],
  ['redis-unavailable', 'Start Redis', 'redis-unavailable'],
  ['not-set-up', 'Set up the database', 'not-set-up'],
] as const)(
  'the condition %s names the page for the engineer',
  async ([kind, title, page], { api }) => {
    const conditions = [{ kind, since: at(-25 * 60), text: 'It fails.' }];
    api.answer('GET /api/admin/sync', buildHealth({ conditions }));
    showConsole(VIEW);

    const steps = await remedy(new RegExp(`^${title} since 17:44$`));
    expect(steps.textContent).toMatch(new RegExp(`[Aa]sk your engineer: docs/alerts/${page}.md`));
    expect(steps.textContent).not.toMatch(/npm|docker/);
    expect(steps.textContent).toContain('It fails.');
    expect(within(steps).queryByRole('button')).toBeNull();
  },
);

test('a pause names its setting, can be tested at once, and its rejected leads retried', async ({
  api,
  user,
}) => {
  const pause = { setting: 'BEEHIIV_API_KEY' };
  const conditions = [{ kind: 'paused' as const, since: at(-60), text: '' }];
  const failedInRefusalPause = { count: 20 };
  api.answer('GET /api/admin/sync', buildHealth({ pause, conditions, failedInRefusalPause }));
  api.answer('POST /api/admin/sync/probe', undefined);
  const estimate = { count: 20, invalid: 3, estimateMs: null };
  api.answer('POST /api/admin/leads/retry', estimate);
  showConsole(VIEW);

  const steps = within(await remedy(/^Correct the setting/));
  steps.getByText('BEEHIIV_API_KEY:');
  await user.click(steps.getByRole('button', { name: 'Try now' }));
  await screen.findByText('Trying now');
  expect(api.calls('POST /api/admin/sync/probe')).toHaveLength(1);

  await user.click(steps.getByRole('button', { name: 'Retry the 20 rejected in a row…' }));
  const dialog = await findWithin('dialog', /^Retry leads rejected/);
  await dialog.findByText('20 failed leads. It starts when the sync resumes.');
  // A wrong setting may have refused valid emails.
  expect(dialog.queryByRole('checkbox')).toBeNull();
  await user.click(dialog.getByRole('button', { name: 'Retry 20' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(api.calls('POST /api/admin/leads/retry').at(-1)?.body).toEqual({
    filter: { failedInRefusalPause: true },
    withQuarantined: false,
  });
});

test('while all is well there is no remedy, and every part says so', async ({ api }) => {
  api.answer(
    'GET /api/admin/sync',
    buildHealth({
      rate: { lastMinute: 9, allowed: 150 },
      lastAcceptedAt: at(-60),
      lastError: { at: at(-3_600), message: 'Beehiiv answered 503' },
      statusesAsOf: at(-15 * 3_600),
    }),
  );
  api.answer(
    'GET /api/admin/sync/delivery',
    buildDelivery({
      workerSeenAt: at(-4),
      lastEventAt: at(-3_600),
      beehiivNews: { lastEventAt: at(-60), isRefused: false },
      backup: {
        lastAt: '2025-12-03T03:16:00Z',
        isElsewhere: true,
        settingsAt: '2025-12-01T07:00:00Z',
      },
      mail: { lastSentAt: '2025-12-01T07:00:00Z' },
    }),
  );
  showConsole(VIEW);

  const parts = await findWithin('list', 'System status');
  await parts.findByText('Everything matches');
  expect(parts.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'WorkerRunningseen 18:08',
    'BeehiivWorkinglast accepted 18:08',
    'Beehiiv’s last errorBeehiiv answered 503at 17:09',
    'Requests to Beehiiv9 of 150 this minute',
    'Changes at BeehiivReceived within secondslast event 18:08',
    'StripeReceiving payment newslast event 17:09',
    'DatabaseWorking',
    'RedisWorking',
    'Email alertsDeliveredlast 1 Dec, 07:00',
    'Nightly comparisonEverything matcheslast 03:09',
    'BackupsKept on another machine, settings copied 1 Dec, 07:00last 03:16',
  ]);
  screen.getByText('No outage is on record yet.');
  expect(screen.queryByRole('button', { name: 'Try now' })).toBeNull();
});

test.for([
  [null, 'Not set up, compared each night'],
  [{ lastEventAt: null, isRefused: true }, 'Not available on your plan, compared each night'],
  [{ lastEventAt: null, isRefused: false }, 'No event yet'],
] as const)('changes at Beehiiv of %j is shown', async ([beehiivNews, text], { api }) => {
  api.answer('GET /api/admin/sync', buildHealth({}));
  api.answer('GET /api/admin/sync/delivery', buildDelivery({ beehiivNews, lastEventAt: at(-60) }));
  showConsole(VIEW);

  const parts = await findWithin('list', 'System status');
  expect(parts.getByText(text).closest('li')?.dataset['tone']).toBe('past');
});

test('a failed part shows its failure, and a mismatch has a link', async ({ api }) => {
  const conditions = [
    { kind: 'no-worker', since: at(-120), text: 'No worker is running. 4 leads wait.' },
    { kind: 'outage', since: at(-60), text: 'Beehiiv is failing. 4 leads wait.' },
    { kind: 'stripe-unavailable', since: at(-50), text: 'Nobody can subscribe.' },
  ] as const;
  api.answer(
    'GET /api/admin/sync',
    buildHealth({ conditions: [...conditions], statusesAsOf: at(-3_600) }),
  );
  api.answer(
    'GET /api/admin/differences',
    buildDifferences({ comparedAt: at(-3_600), counts: { invalid: 2 }, people: 2 }),
  );
  showConsole(VIEW);

  const parts = await findWithin('list', 'System status');
  const toneOf = (text: string) => parts.getByText(text).closest('li')?.dataset['tone'];
  expect(toneOf('No worker is running.')).toBe('failed');
  expect(toneOf('Beehiiv is failing.')).toBe('pending');
  expect(toneOf('Nobody can subscribe.')).toBe('failed');
  const link = await parts.findByRole('link', { name: 'What does not match' });
  expect(link.getAttribute('href')).toContain('view=money');
  expect(link.closest('li')?.textContent).toContain('2 people: What does not match');
});

test.for([
  [null, 'past', 'Not made by this server. Ask your engineer whether your host does'],
  [
    { lastAt: null, isElsewhere: false, settingsAt: '2025-12-01T07:00:00Z' },
    'pending',
    'Kept on the same machine, settings copied 1 Dec, 07:00',
  ],
  [
    { lastAt: null, isElsewhere: true, settingsAt: null },
    'pending',
    'Kept on another machine, settings never copied',
  ],
] as const)('with the backup %j the part is %s: %s', async ([backup, tone, text], { api }) => {
  api.answer('GET /api/admin/sync/delivery', buildDelivery({ backup }));
  showConsole(VIEW);

  expect((await screen.findByText(text)).closest('li')?.dataset['tone']).toBe(tone);
});

test('fields that Beehiiv lacks are named', async ({ api }) => {
  api.answer('GET /api/admin/sync', buildHealth({ missingFields: ['visit_source', 'gclid'] }));
  showConsole(VIEW);

  await screen.findByText('Lacks custom fields: visit_source, gclid');
});

test('each figure of delivery opens its leads', async ({ api }) => {
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
  });
  api.answer('GET /api/admin/sync', buildHealth({ pending: 2, oldestPendingAt: at(-40) }));
  showConsole(VIEW);

  const delivery = await screen.findByRole('region', { name: /^Delivery/ });
  expect(delivery.textContent).toMatch(/Waiting2the longest for 4\d seconds/);
  expect(delivery.textContent).toContain('Sent today14the last: 18:07');
  expect(delivery.textContent).toContain('Failed5of 236 leads');
  const linkOf = (name: string) =>
    within(delivery).getByRole('link', { name }).getAttribute('href');
  expect(linkOf('Waiting')).toBe('/admin-leads?status=pending&sort=oldest');
  expect(linkOf('Sent today')).toBe(
    '/admin-leads?startDate=2025-12-03&endDate=2025-12-03&status=sent',
  );
  expect(linkOf('Failed')).toBe(
    '/admin-leads?startDate=2025-11-20&endDate=2025-12-03&status=failed',
  );
});

test('without a lead delivery has no link and no chart', async ({ api }) => {
  api.answer('GET /api/admin/sync/delivery', buildDelivery());
  showConsole(VIEW);

  const delivery = await screen.findByRole('region', { name: /^Delivery/ });
  within(delivery).getByText('No leads were sent in these days.');
  expect(delivery.textContent).toContain('Nothing is waiting.');
  expect(within(delivery).queryByRole('link')).toBeNull();
});

test('past outages show how long they lasted and how many waited', async ({ api }) => {
  const outages = [
    { kind: 'outage', since: '2025-12-03T14:02:00Z', until: '2025-12-03T14:19:00Z', waited: 6 },
    { kind: 'paused', since: '2025-11-24T23:12:00Z', until: '2025-11-25T00:53:00Z', waited: 12 },
  ] as const;
  api.answer('GET /api/admin/sync/delivery', buildDelivery({ outages: [...outages] }));
  showConsole(VIEW);

  const rows = (await findWithin('list', 'Outages')).getAllByRole('listitem');
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'Beehiiv failing17 minutes, 6 leads waited3 Dec, 14:02',
    'Sending paused1 hour, 12 leads waited24 Nov, 23:12',
  ]);
});
