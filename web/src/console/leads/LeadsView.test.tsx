import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, vi } from 'vitest';
import { buildFailedLead, buildLead, buildList } from '../../testing/build-console.ts';
import { findRow, haveLeads, showConsole, test } from '../../testing/console-test.tsx';

const table = () => screen.getByRole('table', { name: 'Leads' });
const said = (words: string | RegExp) => screen.queryAllByText(words, { selector: 'output' });
const counter = (label: string) =>
  screen.getByRole('link', { name: new RegExp(`^${label} ?\\d`) }).textContent;

/** Has the page believe that its tab is hidden or visible: a test's page has no screen. */
function tellVisibility(state: 'hidden' | 'visible'): void {
  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
}

test('without leads the filters, buttons, counters and columns are there', async () => {
  showConsole();

  await screen.findByText('No leads found');
  screen.getByText('The first one will appear here.');
  for (const label of ['Total Leads', 'Pre-Sample', 'Pre-Buy', 'Beehiiv Sent'])
    expect(counter(label)).toBe(`${label}0`);
  for (const label of ['Form Type', 'Start Date', 'End Date']) screen.getByLabelText(label);
  for (const name of ['Apply Filters', 'Export CSV']) screen.getByRole('button', { name });
  for (const name of ['Contact', 'Form Type', 'Source', 'Location', 'Beehiiv'])
    within(table()).getByRole('columnheader', { name });
  within(table()).getByRole('columnheader', { name: /^Date/ });
  expect(screen.getByRole('region', { name: 'Sync to Beehiiv' }).textContent).toContain(
    'Sending normally. Nothing is waiting.',
  );
  expect(screen.queryByRole('button', { name: /^Retry/ })).toBeNull();
});

test('the list has the specified columns, form types and counters', async ({ api }) => {
  const leads = [buildLead({ formType: 'pre_sample' }), buildLead(), buildFailedLead()];
  haveLeads(api, leads);
  showConsole();
  await findRow(leads[0]!);

  const columns = within(table())
    .getAllByRole('columnheader')
    .map(({ textContent }) => textContent);
  expect(columns.filter((name) => name !== '')).toEqual([
    'Contact',
    'Form Type',
    'Source',
    'Location',
    'Beehiiv',
    expect.stringMatching(/^Date\b/),
  ]);
  expect(
    within(screen.getByLabelText('Form Type'))
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['All Forms', 'Pre-Sample', 'Pre-Buy']);
  expect(['Total Leads', 'Pre-Sample', 'Pre-Buy', 'Beehiiv Sent'].map(counter)).toEqual([
    'Total Leads3',
    'Pre-Sample1',
    'Pre-Buy2',
    'Beehiiv Sent2',
  ]);
});

test('an end date before the start date is refused beside its field, and nothing is requested', async ({
  api,
  user,
}) => {
  const lead = buildLead();
  haveLeads(api, [lead]);
  showConsole();
  await findRow(lead);
  const asked = api.calls('GET /api/admin/leads').length;

  await user.type(screen.getByLabelText('Start Date'), '2020-01-02');
  await user.type(screen.getByLabelText('End Date'), '2020-01-01');
  await user.click(screen.getByRole('button', { name: 'Apply Filters' }));

  await screen.findByText('The end date is before the start date');
  const end = screen.getByLabelText('End Date');
  expect(document.getElementById(end.getAttribute('aria-describedby')!)?.textContent).toContain(
    'before the start date',
  );
  expect(window.location.search).toBe('');
  expect(api.calls('GET /api/admin/leads')).toHaveLength(asked);
});

test('reversed dates in the address are named beside their field, and not requested', async ({
  api,
}) => {
  showConsole('/admin-leads?startDate=2020-01-02&endDate=2020-01-01');

  await screen.findByText('The end date is before the start date. Both are left out.');

  expect(screen.getByLabelText<HTMLInputElement>('End Date').value).toBe('2020-01-01');
  await screen.findByText('No leads found');
  expect(
    api.calls('GET /api/admin/leads').filter(({ url }) => url.searchParams.has('endDate')),
  ).toEqual([]);
});

test('what a filter leaves is announced once it is there, and clearing it moves the focus to the list', async ({
  api,
  user,
}) => {
  const lead = buildLead({ company: 'Northgate' });
  api.answer('GET /api/admin/leads', ({ url }) =>
    buildList(url.searchParams.has('formType') ? [] : [lead]),
  );
  showConsole('/admin-leads?search=Northgate');
  await waitFor(() =>
    expect(said('1 lead: All Forms, all dates, matching “Northgate”')).toHaveLength(1),
  );

  await user.selectOptions(screen.getByLabelText('Form Type'), 'Pre-Sample');
  await user.click(screen.getByRole('button', { name: 'Apply Filters' }));

  await waitFor(() => expect(said(/^No leads: Pre-Sample/)).toHaveLength(1));
  const clear = screen.getByRole('link', { name: 'Clear filters' });
  clear.focus();
  await user.keyboard('{Enter}');
  await findRow(lead);
  await waitFor(() => expect(document.activeElement).toBe(table()));
});

test('a slow list says that it is loading', async ({ api }) => {
  api.hang('GET /api/admin/leads');
  showConsole();

  await screen.findByText('Loading leads...');
  expect(screen.queryByText('No leads found')).toBeNull();
});

test('while another filter loads slowly, no figure of the one before stands below its name', async ({
  api,
  user,
}) => {
  haveLeads(api, [buildLead({ formType: 'pre_buy' })]);
  showConsole();
  const counters = await screen.findByRole('navigation', { name: 'Counters' });
  await waitFor(() => expect(counters.textContent).toContain('Total Leads1'));

  api.hang('GET /api/admin/leads');
  await user.click(within(counters).getByRole('link', { name: /^Pre-Buy/ }));

  await screen.findByText('Loading leads...');
  expect(counters.textContent).toMatch(/^Total Leads–Pre-Sample–filtered outPre-Buy–/);
});

test('a list that cannot be loaded is empty and logged, says why, and is loaded again at a press', async ({
  api,
  user,
  logged,
}) => {
  api.disconnect('GET /api/admin/leads');
  showConsole();

  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('The list could not be loaded');
  expect(alert.textContent).toContain('The server could not be reached.');
  expect(screen.queryByText('No leads found')).toBeNull();
  expect(logged).toHaveBeenCalledWith('Could not load /api/admin/leads', expect.any(TypeError));

  const lead = buildLead();
  haveLeads(api, [lead]);
  await user.click(within(alert).getByRole('button', { name: 'Try now' }));
  await findRow(lead);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a list that failed while the event stream stayed open is loaded again without a press', async ({
  api,
  stream,
  logged,
}) => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  api.disconnect('GET /api/admin/leads');
  showConsole();
  await screen.findByText('The list could not be loaded');
  expect(stream.open()).toHaveLength(1);

  const lead = buildLead();
  haveLeads(api, [lead]);
  await act(async () => vi.advanceTimersByTimeAsync(6_000));

  await findRow(lead);
  expect(logged).toHaveBeenCalled();
});

test('a list that can no longer be updated says so once, and its rows stay', async ({
  api,
  stream,
  logged,
}) => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const lead = buildLead();
  haveLeads(api, [lead]);
  showConsole();
  await findRow(lead);

  act(() => stream.fail());
  api.disconnect('GET /api/admin/leads');
  await act(async () => vi.advanceTimersByTimeAsync(6_000));

  await screen.findByText(/^Not updated since/);
  expect(said('The list is not being updated.')).toHaveLength(1);
  await findRow(lead);
  expect(logged).toHaveBeenCalled();
});

test('a list that cannot be loaded on the way back from another view is still there', async ({
  api,
  user,
  logged,
}) => {
  const lead = buildLead();
  haveLeads(api, [lead]);
  showConsole();
  await findRow(lead);
  await user.click(screen.getByRole('link', { name: 'People' }));
  await screen.findByRole('heading', { level: 1, name: 'People' });

  api.refuse('GET /api/admin/leads', 500);
  await user.click(screen.getByRole('link', { name: 'Leads' }));

  await waitFor(() => expect(logged).toHaveBeenCalled());
  await findRow(lead);
});

test('while the operator is in the list, new leads are counted and announced once in a while, and move nothing until they are asked for', async ({
  api,
  stream,
  user,
}) => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const first = buildLead();
  haveLeads(api, [first]);
  showConsole();
  await findRow(first);
  const others = [buildLead(), buildLead(), buildLead()];
  act(() => table().focus());

  for (const count of [1, 2, 3]) {
    haveLeads(api, [...others.slice(0, count), first], count);
    act(() => stream.tell({ leads: [others[count - 1]!], hasNew: true }));
    await screen.findByRole('button', {
      name: `Show ${count} new ${count === 1 ? 'lead' : 'leads'}`,
    });
    await waitFor(() => expect(said(/^1 new lead$/)).toHaveLength(1));
  }
  await act(async () => vi.advanceTimersByTimeAsync(30_000));
  await waitFor(() => expect(said(/^3 new leads$/)).toHaveLength(1));
  expect(counter('Total Leads')).toBe('Total Leads4');
  expect(within(table()).getAllByRole('rowheader')).toHaveLength(1);

  screen.getByRole('button', { name: 'Show 3 new leads' }).focus();
  await user.keyboard('{Enter}');

  await findRow(others[0]!);
  expect(document.activeElement).toBe(table());
});

test('a lead that was retried and failed again is not offered as a new one', async ({
  api,
  stream,
}) => {
  const older = buildFailedLead();
  const retried = buildFailedLead({ submittedAt: '2025-12-03T09:31:00Z' });
  haveLeads(api, [retried, older]);
  showConsole('/admin-leads?status=failed');
  await findRow(retried);
  act(() => table().focus());
  haveLeads(api, [older]);
  act(() => stream.tell({ hasMoneyChanged: true }));
  await waitFor(() => expect(within(table()).getAllByRole('rowheader')).toHaveLength(1));

  haveLeads(api, [retried, older]);
  const { counts, statusCounts, subscribers } = buildList([retried, older]);
  const answer = { counts, statusCounts, subscribers, isCapped: false };
  api.answer('GET /api/admin/leads/counts', ({ url }) => ({
    ...answer,
    newer: url.searchParams.get('newerThan') === retried.id ? 0 : 1,
  }));
  const asked = api.calls('GET /api/admin/leads/counts').length;
  act(() => stream.tell({ leads: [retried] }));
  await waitFor(() =>
    expect(api.calls('GET /api/admin/leads/counts').length).toBeGreaterThan(asked),
  );

  expect(screen.queryByRole('button', { name: /^Show/ })).toBeNull();
});

test('new leads enter the list at its top, with a tint, while its top is on the screen', async ({
  api,
  stream,
}) => {
  const first = buildLead();
  haveLeads(api, [first]);
  showConsole();
  expect((await findRow(first)).dataset['new']).toBeUndefined();

  const second = buildLead({ submittedAt: '2025-12-03T09:31:00Z' });
  haveLeads(api, [second, first], 1);
  act(() => stream.tell({ leads: [second], hasNew: true }));

  expect((await findRow(second)).dataset['new']).toBe('true');
  expect((await findRow(first)).dataset['new']).toBeUndefined();
  expect(screen.queryByRole('button', { name: /^Show/ })).toBeNull();
});

test('a hidden tab closes its stream, and resumes it where it was when it is visible again', async ({
  api,
  stream,
}) => {
  const lead = buildLead({ beehiivStatus: 'pending', beehiivSentAt: null });
  haveLeads(api, [lead]);
  showConsole();
  const row = await findRow(lead);
  expect(stream.open()).toEqual(['/api/admin/events']);
  act(() =>
    stream.tell({ leads: [{ ...lead, beehiivStatus: 'sent', beehiivSentAt: lead.updatedAt }] }),
  );
  await waitFor(() => expect(row.textContent).toContain('Sent'));

  tellVisibility('hidden');
  expect(stream.open()).toEqual([]);

  tellVisibility('visible');
  expect(stream.open()).toEqual(['/api/admin/events?after=1']);
});

test('a list that was never loaded keeps saying why while it is loaded again in the background', async ({
  api,
  stream,
  logged,
}) => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  api.disconnect('GET /api/admin/leads');
  showConsole();
  await screen.findByText('The list could not be loaded');

  act(() => stream.fail());
  await act(async () => vi.advanceTimersByTimeAsync(6_000));

  expect(
    logged.mock.calls.filter(([text]) => text === 'Could not load /api/admin/leads').length,
  ).toBeGreaterThan(1);
  screen.getByText('The list could not be loaded');
});

test('a tab that has just been hidden counts no new leads', async ({ api, stream }) => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const lead = buildLead();
  haveLeads(api, [lead]);
  showConsole();
  await findRow(lead);

  act(() => stream.tell({ leads: [lead] }));
  tellVisibility('hidden');
  await act(async () => vi.advanceTimersByTimeAsync(1_000));
  expect(api.calls('GET /api/admin/leads/counts')).toEqual([]);

  tellVisibility('visible');
  act(() => stream.tell({ leads: [lead] }));
  await act(async () => vi.advanceTimersByTimeAsync(1_000));
  expect(api.calls('GET /api/admin/leads/counts')).toHaveLength(1);
});

test('on a slow network, leads that arrive meanwhile do not start the load again', async ({
  api,
  stream,
}) => {
  let answer = () => undefined as void;
  const held = new Promise<void>((resolve) => (answer = resolve));
  const loadList = api.fetch;
  vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
    if (input.startsWith('/api/admin/leads?') && api.calls('GET /api/admin/leads').length === 0) {
      // What it answers is older than what arrives meanwhile.
      const response = await loadList(input, init);
      await held;
      return response;
    }
    return loadList(input, init);
  });
  const leads = [buildLead(), buildLead()];
  showConsole('/admin-leads?search=Northgate');
  await screen.findByText('Loading leads...');

  for (const lead of leads) act(() => stream.tell({ leads: [lead], hasNew: true }));
  expect(api.calls('GET /api/admin/leads')).toHaveLength(1);
  haveLeads(api, leads);
  answer();

  for (const lead of leads) await findRow(lead);
});

test('a click anywhere in a row opens its lead, except on a link or button in it', async ({
  api,
  user,
}) => {
  const lead = buildLead();
  haveLeads(api, [lead]);
  showConsole();
  const row = await findRow(lead);

  await user.click(within(row).getByRole('checkbox'));
  expect(window.location.search).toBe('');

  await user.click(within(row).getByText('Top of the page'));
  expect(window.location.search).toBe(`?lead=${lead.id}`);
});

test('the counters and charts leave out the tab’s status, and say how long the list is', async ({
  api,
}) => {
  haveLeads(api, [buildLead(), buildLead(), buildFailedLead()]);
  showConsole('/admin-leads?status=failed&search=Northgate');

  await waitFor(() => expect(counter('Total Leads')).toBe('Total Leads3'));
  expect(
    screen.getByText('All Forms, all dates').parentElement?.textContent.replace(/ {2,}/u, ' '),
  ).toBe('All Forms, all dates 3 leads, 1\u00A0failed');
  await waitFor(() => expect(api.calls('GET /api/admin/charts')).not.toEqual([]));
  for (const { url } of api.calls('GET /api/admin/charts'))
    expect(url.search).toBe('?search=Northgate');
});

test('leads that leave a tab’s status keep their place until the list is updated, and the heading says how many', async ({
  api,
  stream,
  user,
}) => {
  const [first, second] = [buildFailedLead(), buildFailedLead()];
  haveLeads(api, [first, second]);
  showConsole('/admin-leads?status=failed');
  await findRow(first);
  screen.getByText(/^Rows 1 to 2 of 2,/);

  const sent = { ...first, beehiivStatus: 'sent', updatedAt: '2099-01-01T00:00:00Z' } as const;
  let count = () => undefined as void;
  const counted = new Promise<void>((resolve) => (count = resolve));
  const answer = api.fetch;
  vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
    if (input.includes('/leads/counts')) await counted;
    return answer(input, init);
  });
  api.answer('GET /api/admin/leads/counts', { ...buildList([second, sent]), newer: 0 });
  act(() => stream.tell({ leads: [sent] }));
  await waitFor(async () => expect((await findRow(first)).textContent).toContain('Sent'));
  screen.getByText(/^Rows 1 to 2 of 2,/);
  count();

  await screen.findByText(/^1 in the list is no longer failed/);
  screen.getByText(/^Rows 1 to 2 of 2,/);
  await findRow(first);

  haveLeads(api, [second]);
  await user.click(screen.getByRole('button', { name: 'Update the list' }));
  await screen.findByText(/^Rows 1 to 1 of 1,/);
  expect(screen.queryByText(/no longer failed/)).toBeNull();
});

test('the time beside “Live” moves with what arrives', async ({ api, stream }) => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2025-12-03T18:03:00Z') });
  const lead = buildLead();
  haveLeads(api, [lead]);
  showConsole();
  await findRow(lead);
  await screen.findByText('Live, 18:03');

  vi.setSystemTime(new Date('2025-12-03T18:09:00Z'));
  act(() => stream.tell({ haveRunsChanged: true }));

  await screen.findByText('Live, 18:09');
});

test('without counts the tabs keep the places of the last ones, so that none moves under the pointer', async ({
  api,
  user,
}) => {
  const lead = buildLead();
  haveLeads(api, [lead]);
  showConsole();
  await findRow(lead);

  api.refuse('GET /api/admin/leads', 503);
  await user.click(screen.getByRole('link', { name: 'Pre-Buy 1' }));
  await screen.findByText('The list could not be loaded');

  const count = within(screen.getByRole('navigation', { name: 'Status' })).getByText(
    'Sent',
  ).nextElementSibling;
  expect([count?.textContent, count?.hasAttribute('data-away')]).toEqual(['1', true]);
});

test('the heading says how many days are chosen, and names and clears a filter that has no control', async ({
  api,
  user,
}) => {
  haveLeads(api, [buildLead()]);
  showConsole(
    '/admin-leads?startDate=2025-11-20&endDate=2025-12-03&error=Email%20is%20invalid&search=webb',
  );

  await screen.findByText(
    'All Forms, 14 days, 20 November to 3 December 2025, that had the error “Email is invalid”',
  );
  await user.click(screen.getByRole('link', { name: 'Clear' }));

  expect(window.location.search).toBe('?startDate=2025-11-20&endDate=2025-12-03&search=webb');
});

test('of the tabs only the one of abandoned checkouts is current, and each keeps its count and leads to its leads', async ({
  api,
}) => {
  haveLeads(api, [buildLead()]);
  const { counts, subscribers } = buildList([]);
  const statusCounts = { pending: 1, sent: 4, failed: 2, quarantined: 0, corrected: 0 };
  const answer = {
    counts: { ...counts, total: 7 },
    statusCounts,
    subscribers,
    isCapped: false,
    newer: 0,
  };
  api.answer('GET /api/admin/leads/counts', ({ url }) =>
    url.searchParams.has('checkout') ? { ...answer, counts } : answer,
  );
  showConsole('/admin-leads?checkout=abandoned&startDate=2025-12-01');

  const own = await screen.findByRole('link', { name: /^Abandoned checkouts/ });
  const tabs = within(screen.getByRole('navigation', { name: 'Status' })).getAllByRole('link');

  expect(own.getAttribute('aria-current')).toBe('true');
  expect(tabs.filter((tab) => tab.hasAttribute('aria-current'))).toEqual([]);
  await waitFor(() =>
    expect(tabs.map((tab) => tab.textContent).join()).toMatch(/^All 7,Pending 1,Sent 4,Failed 2,/),
  );
  expect(tabs[0]?.getAttribute('href')).toContain('?startDate=2025-12-01');
  expect(tabs[0]?.getAttribute('href')).not.toContain('checkout');
  expect(screen.getByRole('link', { name: 'Links and emails' }).getAttribute('href')).toContain(
    '?view=money&startDate=2025-12-01',
  );
  await screen.findByText('Abandoned', { selector: 'td *' });
});

test('what loads the next page says how many leads are left, and a print where they are', async ({
  api,
}) => {
  const leads = [buildLead()];
  const { counts } = buildList(leads);
  haveLeads(api, leads, 0, { nextCursor: 'next', counts: { ...counts, total: 2 } });
  showConsole();

  const more = await screen.findByRole('button', { name: 'Load 1 more' });
  expect(more.parentElement?.textContent).toMatch(
    /^Rows 1 to 1 of 2, newest first; the CSV has all of them\./,
  );
});
