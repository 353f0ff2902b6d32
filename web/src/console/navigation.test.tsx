import { screen, waitFor, within } from '@testing-library/react';
import { expect, vi } from 'vitest';
import { buildCharts, buildLead, buildBulkRetry } from '../testing/build-console.ts';
import { findRow, findView, haveLeads, showConsole, test } from '../testing/console-test.tsx';

for (const [view, title] of [
  [undefined, 'Leads'],
  ['overview', 'Overview'],
  ['money', 'Money'],
  ['people', 'People'],
  ['sync', 'Sync'],
  ['activity', 'Activity'],
] as const) {
  test(`the view ${title} has its title, headings without a gap, and tables with names`, async ({
    api,
  }) => {
    haveLeads(api, [buildLead()]);
    api.answer(
      'GET /api/admin/charts',
      buildCharts({ days: [{ day: '2025-11-24', preSample: 1, preBuy: 0 }] }),
    );
    api.answer('GET /api/admin/bulk-retries', {
      bulkRetries: [buildBulkRetry({ finishedAt: '2025-12-03T09:30:00Z' })],
    });
    showConsole(view === undefined ? '/admin-leads' : `/admin-leads?view=${view}`);
    await findView(title);
    await waitFor(() => expect(screen.queryByText(/^Loading/)).toBeNull());

    expect(document.title).toMatch(new RegExp(`^${title} \\|`));
    const levels = screen.getAllByRole('heading').map(({ tagName }) => Number(tagName.slice(1)));
    expect(levels[0]).toBe(1);
    for (const [index, level] of levels.entries())
      expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1);
    const tables = screen.queryAllByRole('table');
    expect(screen.queryAllByRole('table', { name: /./ })).toHaveLength(tables.length);
  });
}

test('a view loads its data whenever it opens, because it may have missed an event', async ({
  api,
  user,
}) => {
  showConsole();
  await screen.findByText('No leads found');
  await user.click(screen.getByRole('link', { name: 'Activity' }));
  await screen.findByRole('heading', { name: 'Activity' });
  const loads = api.calls('GET /api/admin/leads').length;
  const lead = buildLead();
  haveLeads(api, [lead]);

  await user.click(screen.getByRole('link', { name: 'Leads' }));

  await findRow(lead);
  expect(api.calls('GET /api/admin/leads')).toHaveLength(loads + 1);
});

test.for([
  ['overview', 'the figures', 'GET /api/admin/overview'],
  ['money', 'Money', 'GET /api/admin/money'],
  ['sync', 'Sync', 'GET /api/admin/sync/delivery'],
  ['sync', 'Bulk retries', 'GET /api/admin/bulk-retries'],
  ['activity', 'Activity', 'GET /api/admin/audit'],
] as const)(
  '%s that cannot be loaded says so in the same words, and loads automatically',
  async ([view, title, call], { api }) => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    api.disconnect(call);
    showConsole(`/admin-leads?view=${view}`);
    const failure = (await screen.findByText(`Could not load ${title}`)).closest('[role=alert]');
    expect(failure?.textContent).toMatch(/Try again$/);

    const asked = api.calls(call).length;
    await vi.advanceTimersByTimeAsync(6_000);
    expect(api.calls(call).length).toBeGreaterThan(asked);
  },
);

test('another view begins at its top, and Back leaves the place to the browser', async ({
  user,
}) => {
  const scrollTo = vi.spyOn(window, 'scrollTo').mockReturnValue(undefined);
  showConsole('/admin-leads?view=money');
  await user.click(await screen.findByRole('link', { name: 'Activity' }));
  await findView('Activity');
  expect(scrollTo.mock.calls).toEqual([[{ top: 0 }]]);

  window.history.back();

  await findView('Money');
  expect(scrollTo).toHaveBeenCalledOnce();
});

test('a filter that is applied again loads everything that is shown', async ({ api, user }) => {
  const lead = buildLead();
  haveLeads(api, [lead]);
  showConsole();
  await findRow(lead);
  const shown = [
    'GET /api/admin/leads',
    'GET /api/admin/sync',
    'GET /api/admin/bulk-retries',
  ] as const;
  const before = shown.map((name) => api.calls(name).length);

  await user.click(screen.getByRole('button', { name: 'Apply Filters' }));

  await waitFor(() =>
    expect(shown.map((name) => api.calls(name).length)).toEqual(before.map((count) => count + 1)),
  );
});

test('the URL of an unknown view says so, and links to the leads', async () => {
  showConsole('/admin-leads?view=nonsense');

  await findView('Not found');
  expect(
    (await within(screen.getByRole('main')).findByRole('link', { name: 'Leads' })).getAttribute(
      'href',
    ),
  ).toBe('/admin-leads');
});
