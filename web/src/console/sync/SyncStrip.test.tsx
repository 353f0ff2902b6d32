import { act, screen, waitFor, within } from '@testing-library/react';
import type { SyncHealthAnswer } from '@site/schema/calls/sync';
import { expect, vi } from 'vitest';
import { buildHealth, buildLead } from '../../testing/build-console.ts';
import { setWidth } from '../../testing/component-test.tsx';
import { showConsole, test } from '../../testing/console-test.tsx';

const NOW = new Date('2025-12-03T18:09:00Z');
const strip = () => screen.getByRole('region', { name: 'Sync to Beehiiv' });

test.beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true, now: NOW }));

test('an API that stalls behind an open stream shows within 20 seconds', async ({
  api,
  stream,
  logged,
}) => {
  showConsole();
  await waitFor(() => expect(strip().textContent).toContain('Sending normally.'));
  expect(stream.open()).toHaveLength(1);

  api.hang('GET /api/admin/sync');
  await act(async () => vi.advanceTimersByTimeAsync(19_500));

  expect(strip().textContent).toContain('Not known since 18:09.');
  screen.getByText('Not updated since 18:09');
  expect(logged).toHaveBeenCalled();
});

test('while the API cannot be reached, the strip says since when nothing is known, and asks again', async ({
  api,
  stream,
  logged,
}) => {
  showConsole();
  await waitFor(() => expect(strip().textContent).toContain('Sending normally.'));

  api.disconnect('GET /api/admin/sync');
  api.disconnect('GET /api/admin/leads');
  act(() => stream.fail());
  await act(async () => vi.advanceTimersByTimeAsync(6_000));

  await waitFor(() => expect(strip().textContent).toContain('Not known since 18:09.'));
  expect(strip().textContent).toContain(
    'Not known since 18:09. This page cannot reach the server.',
  );
  within(strip()).getByRole('button', { name: 'Try again' });
  expect(strip().textContent).not.toContain('Sending normally.');
  expect(strip().dataset['tone']).toBe('unknown');
  expect(logged).toHaveBeenCalled();

  api.answer('GET /api/admin/sync', buildHealth());
  await act(async () => vi.advanceTimersByTimeAsync(6_000));
  await waitFor(() => expect(strip().textContent).toContain('Sending normally.'));
});

test.for([
  ['no-worker', 'Nothing is being sent. No worker has been seen since 18:09. '],
  ['stalled', 'Nothing is moving. The worker is up, but nothing has gone out since 18:09. '],
  ['cannot-write', 'New leads are refused. The database has stored nothing since 18:09. '],
] as const)(
  'while the state is %s, the strip says so in red within seconds',
  async ([kind, says], { api }) => {
    showConsole();
    await waitFor(() => expect(strip().textContent).toContain('Sending normally.'));

    const conditions = [{ kind, since: NOW.toISOString(), text: '' }];
    api.answer(
      'GET /api/admin/sync',
      buildHealth({ state: kind, conditions, pending: 4, payersWaiting: 1 }),
    );
    await act(async () => vi.advanceTimersByTimeAsync(11_000));

    await waitFor(() => expect(strip().textContent).toContain(says));
    expect(strip().textContent).toContain('4 leads are waiting, 1 of them pays; nothing is lost.');
    expect(strip().textContent).not.toContain('Sending normally.');
    expect(strip().dataset['tone']).toBe('stopped');
    expect(within(strip()).getByRole('status').textContent).toBe(
      says.slice(0, says.indexOf('.') + 1),
    );
    expect(
      within(strip()).getByRole('link', { name: 'What to do' }).getAttribute('href'),
    ).toContain('view=sync');
  },
);

test.for(['stripe-unavailable', 'stripe-key-refused'] as const)(
  'while Stripe refuses every checkout (%s), the strip says since when nobody can subscribe',
  async (kind, { api }) => {
    const text = 'Stripe answered 503. Checkouts are refused meanwhile.';
    const conditions = [{ kind, since: NOW.toISOString(), text }];
    api.answer('GET /api/admin/sync', buildHealth({ conditions }));
    showConsole();

    await waitFor(() =>
      expect(strip().textContent).toContain(
        `Since 18:09, nobody can subscribe. ${text} Leads are stored and sent.`,
      ),
    );
    expect(strip().dataset['tone']).toBe('stopped');
  },
);

test('while Stripe fails, the strip does not call leads sent that wait', async ({
  api,
  stream,
}) => {
  const conditions = [
    { kind: 'stripe-unavailable', since: NOW.toISOString(), text: 'It fails.' },
  ] as const;
  api.answer('GET /api/admin/sync', buildHealth({ conditions: [...conditions], pending: 2 }));
  showConsole();

  await waitFor(() => expect(strip().textContent).toContain('It fails. 2 leads are waiting'));

  const at = (seconds: number) => new Date(NOW.getTime() - seconds * 1_000).toISOString();
  const lastError = {
    at: at(2),
    leadId: buildLead().id,
    message: 'Beehiiv answered 503',
    reason: 'server-error',
  };
  const waiting = { pending: 2, oldestPendingAt: at(8), lastError };
  api.answer('GET /api/admin/sync', buildHealth({ conditions: [...conditions], ...waiting }));
  act(() => stream.tell({ hasSyncChanged: true }));
  await waitFor(() =>
    expect(strip().textContent).toContain(
      'The latest request to Beehiiv failed at 18:08: Beehiiv had an error. 2 leads are waiting',
    ),
  );
});

test('while the API accepts calls and answers none, the strip says that nothing is known', async ({
  api,
  logged,
}) => {
  showConsole();
  await waitFor(() => expect(strip().textContent).toContain('Sending normally.'));

  api.hang('GET /api/admin/sync');
  await act(async () => vi.advanceTimersByTimeAsync(26_000));

  await waitFor(() => expect(strip().textContent).toContain('Not known since 18:09.'));
  expect(screen.queryByText(/^Live/)).toBeNull();
  screen.getByText('Not updated since 18:09');
  expect(logged).toHaveBeenCalled();
});

test('while all is well the strip is one line, and leads to Sync', async ({
  api,
  stream,
  user,
}) => {
  showConsole();
  await waitFor(() =>
    expect(strip().textContent).toBe('Sending normally. Nothing is waiting.Sync'),
  );
  const oldestPendingAt = new Date(NOW.getTime() - 40_000).toISOString();
  const lastError = {
    at: NOW.toISOString(),
    leadId: buildLead().id,
    message: 'Beehiiv answered 503',
    reason: 'server-error',
  };
  const waiting = { pending: 2, oldestPendingAt, lastError, lastAcceptedAt: NOW.toISOString() };
  api.answer('GET /api/admin/sync', buildHealth({ ...waiting, missingFields: ['gclid'] }));
  act(() => stream.tell({ hasSyncChanged: true }));

  await waitFor(() =>
    expect(strip().textContent).toMatch(
      /^Sending normally\. 2 waiting, the longest for 4\d seconds\.Sync$/,
    ),
  );
  expect(strip().dataset['tone']).toBe('running');
  await user.click(within(strip()).getByRole('link', { name: 'Sync' }));
  await screen.findByRole('heading', { level: 1, name: 'Sync' });
  expect(within(strip()).queryByRole('link')).toBeNull();
});

test('leads whose latest request failed are not said to be sent normally, even in the first seconds', async ({
  api,
}) => {
  const at = (seconds: number) => new Date(NOW.getTime() - seconds * 1_000).toISOString();
  const lastError = {
    at: at(2),
    leadId: buildLead().id,
    message: 'Beehiiv answered 503',
    reason: 'server-error',
  };
  const waiting = { pending: 2, oldestPendingAt: at(3), lastError, lastAcceptedAt: at(60) };
  api.answer('GET /api/admin/sync', buildHealth(waiting));
  showConsole();

  const failed = 'The latest request to Beehiiv failed at 18:08: Beehiiv had an error.';
  await waitFor(() =>
    expect(strip().textContent).toBe(
      `Retrying. ${failed} 2 leads are waiting and will be sent automatically; nothing is lost.Sync`,
    ),
  );
  expect(strip().dataset['tone']).toBe('waiting');
});

test('leads that have waited for too long are amber', async ({ api, stream }) => {
  const waiting = (minutes: number, ...conditions: SyncHealthAnswer['conditions']) =>
    buildHealth({
      pending: 3,
      payersWaiting: 2,
      oldestPendingAt: new Date(NOW.getTime() - minutes * 60_000).toISOString(),
      conditions,
    });
  api.answer('GET /api/admin/sync', waiting(14));
  showConsole();
  await waitFor(() => expect(strip().textContent).toContain('Sending normally.'));

  const tooLong = {
    kind: 'pending-too-long',
    since: new Date(NOW.getTime() - 22 * 60_000).toISOString(),
    text: '',
  } as const;
  api.answer('GET /api/admin/sync', waiting(22, tooLong));
  act(() => stream.tell({ hasSyncChanged: true }));

  await waitFor(() => expect(strip().textContent).toContain('Leads have waited since 17:47.'));
  expect(strip().textContent).toContain('3 leads are waiting, 2 of them pay; nothing is lost.');
  expect(strip().dataset['tone']).toBe('waiting');
  within(strip()).getByRole('link', { name: 'Sync' });
});

test('a pause names its setting and the next test, and an outage says that nobody has to do anything', async ({
  api,
  stream,
}) => {
  const since = NOW.toISOString();
  const nextProbeAt = new Date(NOW.getTime() + 9_500).toISOString();
  const pause = { reason: 'Beehiiv answered 401', setting: 'BEEHIIV_API_KEY', since, nextProbeAt };
  api.answer('GET /api/admin/sync', buildHealth({ pending: 12, oldestPendingAt: since, pause }));
  showConsole();
  await waitFor(() =>
    expect(strip().textContent).toMatch(
      /^Paused since 18:09\. Beehiiv refuses the key \(BEEHIIV_API_KEY\)\. 12 leads are waiting; nothing is lost\. Next test in \d seconds\.What to do$/,
    ),
  );
  expect(strip().dataset['tone']).toBe('waiting');

  const nextAttemptAt = new Date(NOW.getTime() + 60_500).toISOString();
  const outage = { since, nextAttemptAt };
  // Too few leads for probes.
  const unprobed = { outage: { since, nextAttemptAt: null }, nextDueAt: nextAttemptAt };
  api.answer(
    'GET /api/admin/sync',
    buildHealth({ pending: 2, oldestPendingAt: since, ...unprobed }),
  );
  act(() => stream.tell({ hasSyncChanged: true }));
  await waitFor(() =>
    expect(strip().textContent).toMatch(
      /^Beehiiv has .+ Next test in (1 minute|5\d seconds)\.Sync$/,
    ),
  );

  api.answer(
    'GET /api/admin/sync',
    buildHealth({ pending: 1, payersWaiting: 1, oldestPendingAt: since, outage }),
  );
  act(() => stream.tell({ hasSyncChanged: true }));

  await waitFor(() =>
    expect(strip().textContent).toMatch(
      /^Beehiiv has been failing since 18:09\. 1 lead is waiting and will be sent automatically, and pays; nothing is lost\. Next test in (1 minute|5\d seconds)\.Sync$/,
    ),
  );
  expect(strip().dataset['tone']).toBe('waiting');

  const conditions = (['stripe-unavailable', 'outage'] as const).map((kind) => ({
    kind,
    since,
    text: 'It fails.',
  }));
  api.answer(
    'GET /api/admin/sync',
    buildHealth({ pending: 1, oldestPendingAt: since, outage, conditions }),
  );
  act(() => stream.tell({ hasSyncChanged: true }));

  const both =
    'Since 18:09, nobody can subscribe. It fails. Beehiiv fails too: 1 lead is waiting and will be sent automatically; nothing is lost.';
  await waitFor(() => expect(strip().textContent).toContain(both));
});

test('while all is well the strip leads to what else needs attention', async ({ api, user }) => {
  api.answer('GET /api/admin/attention', { items: [], count: 2 });
  showConsole();
  await user.click(await screen.findByRole('link', { name: '2 need attention' }));

  await screen.findByRole('heading', { level: 1, name: 'Overview' });
  expect(strip().textContent).toBe('Sending normally. Nothing is waiting.Sync');
});

test('a database that lacks migrations is not a fault of the sync, but not set up yet', async ({
  api,
}) => {
  const conditions = [{ kind: 'not-set-up', since: NOW.toISOString(), text: '' } as const];
  api.answer('GET /api/admin/sync', buildHealth({ state: 'not-set-up', conditions }));
  showConsole();

  await waitFor(() =>
    expect(strip().textContent).toBe('Not set up yet. The database lacks migrations.What to do'),
  );
  expect(strip().dataset['tone']).toBe('unknown');
});

test('on a phone the strip is its verdict and the most important fact, in every state', async ({
  api,
  stream,
  user,
  logged,
}) => {
  setWidth(390);
  const since = NOW.toISOString();
  showConsole();
  await waitFor(() => expect(strip().textContent).toBe('Sending normally, nothing waitingSync'));
  const becomes = async (health: Parameters<typeof buildHealth>[0], line: string) => {
    api.answer('GET /api/admin/sync', buildHealth(health));
    act(() => stream.tell({ hasSyncChanged: true }));
    await waitFor(() => expect(strip().textContent).toBe(line));
  };

  await becomes({ pending: 2, oldestPendingAt: since }, 'Sending normally, 2 waitingSync');
  const oldestPendingAt = new Date(NOW.getTime() - 22 * 60_000).toISOString();
  const tooLong = [{ kind: 'pending-too-long', since: oldestPendingAt, text: '' } as const];
  await becomes(
    { pending: 3, oldestPendingAt, conditions: tooLong },
    'Leads delayed since 17:47, 3 waitingSync',
  );
  const outage = { since, nextAttemptAt: since };
  await becomes(
    { pending: 3, oldestPendingAt: since, outage },
    'Beehiiv failing since 18:09, 3 waitingSync',
  );
  const pause = {
    reason: 'Beehiiv answered 401',
    setting: 'BEEHIIV_API_KEY',
    since,
    nextProbeAt: since,
  };
  await becomes(
    { pending: 3, oldestPendingAt: since, pause },
    'Beehiiv refuses the key, 3 waitingWhat to do',
  );
  const unpaid = [{ kind: 'stripe-unavailable', since, text: '' } as const];
  await becomes(
    { pending: 3, oldestPendingAt: since, pause, conditions: unpaid },
    'Nobody can subscribe; sending pausedWhat to do',
  );
  const noWorker = [{ kind: 'no-worker', since, text: '' } as const];
  await becomes(
    { state: 'no-worker', pending: 3, conditions: noWorker },
    'Nothing is being sent since 18:09What to do',
  );

  await user.click(within(strip()).getByRole('link', { name: 'What to do' }));
  await screen.findByRole('region', { name: /^Start the worker/ });

  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch');
  });
  await act(async () => vi.advanceTimersByTimeAsync(8_000));
  await waitFor(() =>
    expect(strip().textContent).toBe('Cannot reach the server since 18:09Try again'),
  );
  expect(logged).toHaveBeenCalled();
});
