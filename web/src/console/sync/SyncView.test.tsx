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
  ['loop-stopped', 'Restart the worker', 'stalled'],
  ['cannot-write', 'Let Postgres write', 'cannot-write'],
  ['not-set-up', 'Set up the database', 'not-set-up'],
] as const)(
  'the condition %s names the page for the engineer',
  async ([kind, title, page], { api }) => {
    const conditions = [{ kind, since: at(-25 * 60), text: 'It fails.' }];
    api.answer('GET /api/admin/sync', buildHealth({ conditions }));
    showConsole(VIEW);

    const steps = await remedy(new RegExp(`^${title} since 17:44$`));
    expect(steps.textContent).toContain(`docs/alerts/${page}.md`);
    expect(within(steps).queryByRole('button')).toBeNull();
  },
);

test('the leads rejected in a row before a pause can be retried', async ({ api, user }) => {
  const conditions = [{ kind: 'paused' as const, since: at(-60), text: '' }];
  const failedInRefusalPause = { count: 20 };
  const pause = { setting: 'BEEHIIV_API_KEY' };
  api.answer('GET /api/admin/sync', buildHealth({ pause, conditions, failedInRefusalPause }));
  api.answer('POST /api/admin/leads/retry', { count: 20, invalid: 3, estimateMs: null });
  showConsole(VIEW);

  const steps = within(await remedy(/^Correct the setting/));
  steps.getByText('BEEHIIV_API_KEY:');
  await user.click(steps.getByRole('button', { name: 'Retry the 20 rejected in a row…' }));
  const dialog = await findWithin('dialog', /^Retry leads rejected/);
  await dialog.findByText('20 failed leads. It starts when the sync resumes.');
  // A wrong setting may have refused valid emails.
  expect(dialog.queryByRole('checkbox')).toBeNull();
  await user.click(dialog.getByRole('button', { name: 'Retry 20' }));
  await waitFor(() =>
    expect(api.calls('POST /api/admin/leads/retry').at(-1)?.body).toEqual({
      filter: { failedInRefusalPause: true },
      withQuarantined: false,
    }),
  );
});

test('a lasting error of the past and a missing backup are no failure', async ({ api }) => {
  const lastError = { at: at(-3_600), message: 'Beehiiv answered 503' };
  api.answer('GET /api/admin/sync', buildHealth({ lastError, missingFields: ['gclid'] }));
  showConsole(VIEW);

  const parts = await findWithin('list', 'System status');
  const partOf = (text: string) => parts.getByText(text).closest('li');
  expect(partOf('Beehiiv answered 503')?.textContent).toContain('at 17:09');
  parts.getByText('Lacks custom fields: gclid');
  expect(partOf('Not set up, compared each night')?.dataset['tone']).toBe('past');
  expect(parts.getByText(/^Not made by this server/).closest('li')?.dataset['tone']).toBe('past');
  expect(screen.queryByRole('button', { name: 'Try now' })).toBeNull();
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
  [{ isElsewhere: false, settingsAt: at(0) }, 'Kept on the same machine, settings copied 18:09'],
  [{ isElsewhere: true, settingsAt: null }, 'Kept on another machine, settings never copied'],
] as const)('the backup %j needs attention', async ([backup, text], { api }) => {
  api.answer(
    'GET /api/admin/sync/delivery',
    buildDelivery({ backup: { lastAt: null, ...backup } }),
  );
  showConsole(VIEW);

  expect((await screen.findByText(text)).closest('li')?.dataset['tone']).toBe('pending');
});

test('each figure of delivery opens its leads', async ({ api }) => {
  const delivery = buildDelivery({ sentToday: 14, failed: 5, total: 236 });
  api.answer('GET /api/admin/sync/delivery', delivery);
  api.answer('GET /api/admin/sync', buildHealth({ pending: 2, oldestPendingAt: at(-40) }));
  showConsole(VIEW);

  const figures = await findWithin('region', /^Delivery/);
  const linkOf = (name: string) => figures.getByRole('link', { name }).getAttribute('href');
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
