import { act, screen, waitFor, within } from '@testing-library/react';
import type { SyncHealthAnswer } from '@site/schema/calls/sync';
import { expect, vi } from 'vitest';
import { buildHealth, buildLead } from '../../testing/build-console.ts';
import { findRow, haveLeads, showConsole, test } from '../../testing/console-test.tsx';

const NOW = new Date('2025-12-03T18:09:00Z');
const strip = () => screen.getByRole('region', { name: 'Sync to Beehiiv' });

test.beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true, now: NOW }));

test('while the API cannot be reached, the strip says since when nothing is known, and when it asks again', async ({
  api,
  stream,
  logged,
}) => {
  showConsole();
  await waitFor(() => expect(strip().textContent).toContain('Sync running'));

  api.disconnect('GET /api/admin/sync');
  api.disconnect('GET /api/admin/leads');
  act(() => stream.fail());
  await act(async () => vi.advanceTimersByTimeAsync(6_000));

  await waitFor(() => expect(strip().textContent).toContain('Unknown since 18:09'));
  expect(strip().textContent).toMatch(/retrying in [1-5] s/);
  expect(strip().textContent).not.toContain('Sync running');
  expect(strip().dataset['tone']).toBe('unknown');
  expect(logged).toHaveBeenCalled();

  api.answer('GET /api/admin/sync', buildHealth());
  await act(async () => vi.advanceTimersByTimeAsync(6_000));
  await waitFor(() => expect(strip().textContent).toContain('Sync running'));
});

test.for([
  ['no-worker', 'Nothing is being sent. 3 leads wait, nothing is lost', /^Start the worker/],
  ['stalled', 'Nothing is being sent. 3 leads wait, nothing is lost', /restarts after two minutes/],
  ['cannot-write', 'New leads are refused. 3 leads wait, nothing is lost', /^Free the disk/],
] as const)('while the state is %s, the strip says so in red within seconds', async ([kind, says, remedy], { api }) => {
  showConsole();
  await waitFor(() => expect(strip().textContent).toContain('Sync running'));

  const conditions = [{ kind, since: NOW.toISOString(), text: '' }];
  api.answer('GET /api/admin/sync', buildHealth({ state: kind, conditions, pending: 3 }));
  await act(async () => vi.advanceTimersByTimeAsync(11_000));

  await waitFor(() => expect(strip().textContent).toContain(says));
  expect(strip().textContent).not.toContain('Sync running');
  expect(strip().dataset['tone']).toBe('stopped');
  within(strip()).getByText(remedy);
});

test('while the API accepts calls and answers none, the strip says that nothing is known', async ({ api, logged }) => {
  showConsole();
  await waitFor(() => expect(strip().textContent).toContain('Sync running'));

  api.hang('GET /api/admin/sync');
  await act(async () => vi.advanceTimersByTimeAsync(26_000));

  await waitFor(() => expect(strip().textContent).toContain('Unknown since 18:09'));
  expect(logged).toHaveBeenCalled();
});

test('the strip asks for a look at a lead that has waited too long', async ({ api, stream }) => {
  const waiting = (minutes: number, ...conditions: SyncHealthAnswer['conditions']) =>
    buildHealth({ pending: 1, oldestPendingAt: new Date(NOW.getTime() - minutes * 60_000).toISOString(), conditions });
  api.answer('GET /api/admin/sync', waiting(14));
  showConsole();
  await waitFor(() => expect(strip().textContent).toContain('Sync running'));

  const tooLong = { kind: 'pending-too-long', since: NOW.toISOString(), text: '' } as const;
  api.answer('GET /api/admin/sync', waiting(22, tooLong));
  act(() => stream.tell({ hasSyncChanged: true }));

  await waitFor(() => expect(strip().textContent).toContain('Leads are waiting'));
  expect(strip().dataset['tone']).toBe('waiting');
  expect(strip().textContent).toMatch(/Oldest 22 min/);
  within(strip()).getByRole('link', { name: 'Show the oldest' });
});

test('a wrong key says what to do about it, and can be probed at once', async ({ api, user }) => {
  const since = NOW.toISOString();
  const pause = { reason: 'Beehiiv answered 401', setting: 'BEEHIIV_API_KEY', since, nextProbeAt: since };
  api.answer('GET /api/admin/sync', buildHealth({ pending: 3, oldestPendingAt: since, pause }));
  showConsole();

  await waitFor(() => expect(strip().dataset['tone']).toBe('stopped'));
  expect(strip().textContent).toContain('Create a key in Beehiiv under Settings, API');

  api.answer('POST /api/admin/sync/probe', undefined);
  api.answer('GET /api/admin/sync', buildHealth());
  await user.click(within(strip()).getByRole('button', { name: 'Probe now' }));
  await waitFor(() => expect(strip().textContent).toContain('Sync running'));
  expect(strip().textContent).toContain('Works again since 18:09');
  expect(api.calls('POST /api/admin/sync/probe')).toHaveLength(1);
});

test('a probe says that it is under way, and why the sync still fails', async ({ api, user }) => {
  const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000).toISOString();
  const failing = (nextAttemptAt: string) =>
    buildHealth({ pending: 3, oldestPendingAt: at(0), outage: { since: at(0), nextAttemptAt } });
  api.answer('POST /api/admin/sync/probe', undefined);
  api.answer('GET /api/admin/sync', failing(at(10)));
  showConsole();
  const probe = async () => user.click(await screen.findByRole('button', { name: 'Probe now' }));

  await probe();
  const button = await screen.findByRole('button', { name: 'Probing...' });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  const lastError = { at: at(2), leadId: buildLead().id, message: 'Beehiiv answered 503' };
  api.answer('GET /api/admin/sync', { ...failing(at(17)), lastError });
  await act(async () => vi.advanceTimersByTimeAsync(6_000));
  within(strip()).getByText('Still failing: Beehiiv answered 503 at 18:09');

  // A probe that no lead recorded: the time of the next one tells that it was sent.
  await probe();
  expect(screen.queryByText(/^Still failing/)).toBeNull();
  api.answer('GET /api/admin/sync', { ...failing(at(40)), lastError });
  await act(async () => vi.advanceTimersByTimeAsync(14_000));
  within(strip()).getByText('Still failing at 18:09');

  await probe();
  await act(async () => vi.advanceTimersByTimeAsync(35_000));
  within(strip()).getByText('No worker has sent the probe');
  expect(api.calls('POST /api/admin/sync/probe')).toHaveLength(3);
});

test('a probe that ends no pause says only that, in the place kept for it: the reason stands above', async ({
  api,
  user,
}) => {
  const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000).toISOString();
  const paused = (nextProbeAt: string) =>
    buildHealth({
      pause: { reason: 'Beehiiv answered 401', setting: 'BEEHIIV_API_KEY', since: at(0), nextProbeAt },
      lastError: { at: nextProbeAt, leadId: buildLead().id, message: 'Beehiiv answered 401' },
    });
  api.answer('POST /api/admin/sync/probe', undefined);
  api.answer('GET /api/admin/sync', paused(at(10)));
  showConsole();
  await user.click(await screen.findByRole('button', { name: 'Probe now' }));
  api.answer('GET /api/admin/sync', paused(at(60)));
  await act(async () => vi.advanceTimersByTimeAsync(14_000));

  const outcome = within(strip()).getByText('Still failing at 18:09');
  expect(outcome.nextElementSibling?.textContent).toBe('Probe now');
});

test('on a phone the strip is its verdict and the most important fact, whatever is wrong, and the rest on demand', async ({
  api,
  stream,
  user,
}) => {
  const { happyDOM } = window as unknown as { happyDOM: { setViewport(size: { width: number }): void } };
  happyDOM.setViewport({ width: 390 });
  const since = NOW.toISOString();
  try {
    showConsole();
    const line = async () => (await screen.findByText('Details')).closest('summary')?.textContent;
    expect(await line()).toBe('Sync running · queue emptyDetails');
    const becomes = async (health: Parameters<typeof buildHealth>[0], brief: string) => {
      api.answer('GET /api/admin/sync', buildHealth(health));
      act(() => stream.tell({ hasSyncChanged: true }));
      await waitFor(async () => expect(await line()).toBe(`${brief}Details`));
    };

    await becomes({ missingFields: ['visit_source'] }, 'Sync running · custom fields missing at Beehiiv');
    const oldestPendingAt = new Date(NOW.getTime() - 22 * 60_000).toISOString();
    const conditions = [{ kind: 'pending-too-long', since: oldestPendingAt, text: '' } as const];
    await becomes({ pending: 3, oldestPendingAt, conditions }, 'Leads are waiting · 3 pending, oldest 22 min');
    const outage = { since, nextAttemptAt: since };
    await becomes(
      { pending: 3, oldestPendingAt: since, outage },
      'Beehiiv outage since 18:09 · 3 waiting, nothing lost',
    );
    const pause = { reason: 'Beehiiv answered 401', setting: 'BEEHIIV_API_KEY', since, nextProbeAt: since };
    await becomes({ pending: 3, oldestPendingAt: since, pause }, 'Paused since 18:09 · 3 waiting, nothing lost');

    await user.click(screen.getByText('Details'));
    expect(strip().querySelector('details')?.open).toBe(true);
    within(strip()).getByText(/^Create a key in Beehiiv/);
    within(strip()).getByRole('button', { name: 'Probe now' });
  } finally {
    happyDOM.setViewport({ width: 1024 });
  }
});

test('an outage says when the next attempt is', async ({ api }) => {
  const nextAttemptAt = new Date(NOW.getTime() + 60_000).toISOString();
  const outage = { since: NOW.toISOString(), nextAttemptAt };
  api.answer('GET /api/admin/sync', buildHealth({ pending: 3, oldestPendingAt: NOW.toISOString(), outage }));
  showConsole();

  await waitFor(() => expect(strip().textContent).toContain('Beehiiv outage since 18:09'));
  expect(strip().textContent).toMatch(/Next attempt in (1 min|5\d s)/);
});

test('what failed while the API was away is loaded again when it is back', async ({ api, stream, user, logged }) => {
  const lead = buildLead();
  haveLeads(api, [lead]);
  showConsole();
  await findRow(lead);
  const { fetch } = api;
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch');
  });
  act(() => stream.fail());
  await user.click(screen.getByRole('link', { name: /^Failed/ }));
  await screen.findByText('The list could not be loaded');
  await act(async () => vi.advanceTimersByTimeAsync(6_000));
  await waitFor(() => expect(strip().textContent).toContain('Unknown since 18:09'));
  screen.getByText('Not updated since 18:09');
  expect(screen.queryByText('confirmed')).toBeNull();
  const open = vi.spyOn(window, 'open').mockReturnValue(null);
  for (const name of ['Apply Filters', 'Export CSV']) {
    const button = screen.getByRole('button', { name, description: 'The server cannot be reached' });
    expect(button.getAttribute('aria-disabled')).toBe('true');
    await user.click(button);
  }
  expect(open).not.toHaveBeenCalled();
  expect(window.location.search).toBe('?status=failed');

  await user.click(screen.getByRole('link', { name: 'Money' }));
  expect((await screen.findByRole('alert')).textContent).toContain('The server could not be reached.');
  screen.getByText('Not updated since 18:09');
  vi.stubGlobal('fetch', fetch);
  await act(async () => vi.advanceTimersByTimeAsync(6_000));

  await screen.findByText('Nothing needs attention.');
  await waitFor(() => expect(screen.queryByText(/could not be reached/)).toBeNull());
  screen.getByText(/updated 18:09/iu);
  await user.click(screen.getByRole('link', { name: 'Leads' }));
  expect(screen.getByRole('button', { name: 'Export CSV' }).getAttribute('aria-disabled')).toBeNull();
  expect(logged).toHaveBeenCalled();
});
