import { act, screen, waitFor, within } from '@testing-library/react';
import type { SyncHealthAnswer } from '@site/schema/calls/sync';
import { CONDITIONS } from '@site/schema/conditions';
import { expect, vi } from 'vitest';
import { buildHealth } from '../../testing/build-console.ts';
import { findView, showConsole, test } from '../../testing/console-test.tsx';

const NOW = new Date('2025-12-03T18:09:00Z');
const strip = () => screen.getByRole('region', { name: 'Sync to Beehiiv' });
const untilStrip = (text: string) => waitFor(() => expect(strip().textContent).toBe(text));
const condition = (kind: SyncHealthAnswer['conditions'][number]['kind'], text: string) => ({
  kind,
  since: NOW.toISOString(),
  text,
  strip: CONDITIONS[kind].strip,
});

test.beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true, now: NOW }));

test('while all is well the strip is one line with a link to Sync', async ({
  api,
  stream,
  user,
}) => {
  showConsole();
  await untilStrip('New subscribers reach Beehiiv. Nothing is waiting.Sync');

  const oldestPendingAt = new Date(NOW.getTime() - 40_000).toISOString();
  api.answer('GET /api/admin/sync', buildHealth({ pending: 2, oldestPendingAt }));
  act(() => stream.tell('sync'));
  await waitFor(() =>
    expect(strip().textContent).toMatch(
      /^New subscribers reach Beehiiv\. 2 waiting, the longest for 4\d seconds\.Sync$/,
    ),
  );
  expect(strip().dataset['tone']).toBe('sent');

  api.answer('GET /api/admin/sync', buildHealth({ pending: 2 }));
  act(() => stream.tell('sync'));
  await untilStrip('New subscribers reach Beehiiv. 2 waiting.Sync');
  await user.click(within(strip()).getByRole('link', { name: 'Sync' }));
  await findView('Sync');
  expect(within(strip()).queryByRole('link')).toBeNull();
});

test.for([
  ['no-worker', 'failed'],
  ['outage', 'pending'],
  ['not-set-up', 'none'],
] as const)('the condition %s shows in the strip within seconds', async ([kind, tone], { api }) => {
  showConsole();
  await untilStrip('New subscribers reach Beehiiv. Nothing is waiting.Sync');

  const label = 'Something fails.';
  const conditions = [
    condition('leads-failed', '3 leads failed.'),
    condition(kind, `${label} 4 leads wait, nothing is lost.`),
  ];
  api.answer('GET /api/admin/sync', buildHealth({ conditions, pending: 4 }));
  await act(async () => vi.advanceTimersByTimeAsync(6_000));

  await untilStrip(`${label} 4 leads wait, nothing is lost.What to do`);
  expect(strip().dataset['tone']).toBe(tone);
  // The fact changes with every lead.
  expect(within(strip()).getByRole('status').textContent).toBe(label);
  expect(within(strip()).getByRole('link').getAttribute('href')).toContain('view=sync');
});

test('a failing Stripe comes before a failing Beehiiv', async ({ api }) => {
  const conditions = [
    condition('stripe-unavailable', 'Nobody can subscribe: Stripe answered 503.'),
    condition('outage', 'Beehiiv is failing. 1 lead waits, nothing is lost.'),
  ];
  api.answer('GET /api/admin/sync', buildHealth({ state: 'outage', conditions }));
  showConsole();

  await untilStrip('Nobody can subscribe: Stripe answered 503. Nothing is waiting.What to do');
  expect(strip().dataset['tone']).toBe('failed');
});

test('while all is well the strip links to the items that need attention', async ({
  api,
  user,
}) => {
  api.answer('GET /api/admin/attention', { items: [], count: 2 });
  showConsole();
  await user.click(await screen.findByRole('link', { name: '2 need attention' }));

  await findView('Overview');
  expect(strip().textContent).toBe('New subscribers reach Beehiiv. Nothing is waiting.Sync');
});

test('an API that cannot be reached shows in the strip, which asks again', async ({
  api,
  stream,
  logged,
}) => {
  showConsole();
  await untilStrip('New subscribers reach Beehiiv. Nothing is waiting.Sync');

  api.disconnect('GET /api/admin/sync');
  api.disconnect('GET /api/admin/leads');
  act(() => stream.fail());
  await act(async () => vi.advanceTimersByTimeAsync(6_000));

  await untilStrip('Out of date since 18:09. The server could not be reached.Try again');
  expect(strip().dataset['tone']).toBe('none');
  expect(logged).toHaveBeenCalled();

  api.answer('GET /api/admin/sync', buildHealth());
  await act(async () => vi.advanceTimersByTimeAsync(6_000));
  await untilStrip('New subscribers reach Beehiiv. Nothing is waiting.Sync');
});

test('an API that stalls behind an open stream shows within 20 seconds', async ({
  api,
  stream,
  logged,
}) => {
  showConsole();
  await untilStrip('New subscribers reach Beehiiv. Nothing is waiting.Sync');
  expect(stream.open()).toHaveLength(1);

  api.hang('GET /api/admin/sync');
  await act(async () => vi.advanceTimersByTimeAsync(19_500));

  expect(strip().textContent).toContain('Out of date since 18:09.');
  expect(logged).toHaveBeenCalled();
});
