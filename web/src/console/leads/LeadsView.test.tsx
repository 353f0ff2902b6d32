import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, vi } from 'vitest';
import { buildFailedLead, buildLead, buildList } from '../../testing/build-console.ts';
import { buildFound, buildPeople, buildPerson } from '../../testing/build-people.ts';
import { findRow, haveLeads, showConsole, test } from '../../testing/console-test.tsx';

const table = () => screen.getByRole('table', { name: 'Leads' });
const said = (words: string | RegExp) => screen.queryAllByText(words, { selector: 'output' });
const counter = (label: string) =>
  screen.getByRole('link', { name: new RegExp(`^${label} ?\\d`) }).textContent;

/**
 * Makes the page believe that its tab is hidden or visible, because a test's page has no screen.
 */
function tellVisibility(state: 'hidden' | 'visible'): void {
  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
}

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

test('an end date before the start date is refused by field, without a request', async ({
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

test('while another filter loads, the rows shown are not said to be its own', async ({
  api,
  user,
}) => {
  const lead = buildLead();
  haveLeads(api, [lead]);
  showConsole();
  await findRow(lead);
  screen.getByText(/^Rows 1 to 1/);

  api.hang('GET /api/admin/leads');
  await user.click(screen.getByRole('link', { name: /^Failed/ }));

  await screen.findByText('Loading leads...');
  expect(screen.queryByText(/^Rows/)).toBeNull();
});

test('a list that cannot be loaded shows and logs the error, and reloads on a press', async ({
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
  await user.click(within(alert).getByRole('button', { name: 'Try again' }));
  await findRow(lead);
  expect(screen.queryByRole('alert')).toBeNull();
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
  api.disconnect('GET /api/admin/sync');
  api.disconnect('GET /api/admin/leads');
  await act(async () => vi.advanceTimersByTimeAsync(6_000));

  await screen.findByText(/^Not updated since/);
  expect(said('The list is not being updated.')).toHaveLength(1);
  await findRow(lead);
  expect(logged).toHaveBeenCalled();
});

test('a hidden tab closes its stream, and reads again when it is visible again', async ({
  api,
  stream,
}) => {
  const lead = buildLead({ beehiivStatus: 'pending', beehiivSentAt: null });
  haveLeads(api, [lead]);
  showConsole();
  const row = await findRow(lead);
  expect(stream.open()).toEqual(['/api/admin/events']);
  const sent = { ...lead, beehiivStatus: 'sent' as const, beehiivSentAt: lead.updatedAt };
  haveLeads(api, [sent]);
  act(() => stream.tell('leads'));
  await waitFor(() => expect(row.textContent).toContain('Sent'));

  tellVisibility('hidden');
  expect(stream.open()).toEqual([]);

  haveLeads(api, [lead]);
  tellVisibility('visible');
  expect(stream.open()).toEqual(['/api/admin/events']);
  await waitFor(() => expect(row.textContent).toContain('Pending'));
});

test('newer leads wait behind a button, while counters and statuses follow', async ({
  api,
  stream,
  user,
}) => {
  const first = buildLead({ beehiivStatus: 'pending', beehiivSentAt: null });
  haveLeads(api, [first]);
  showConsole();
  const row = await findRow(first);

  const later = [buildLead(), buildLead()];
  const sent = { ...first, beehiivStatus: 'sent' as const, beehiivSentAt: first.updatedAt };
  const { counts } = buildList([...later, sent]);
  api.answer('GET /api/admin/leads', ({ url }) =>
    url.searchParams.get('upTo') === first.id
      ? buildList([sent], { newer: 2, counts })
      : buildList([...later, sent]),
  );
  act(() => stream.tell('leads'));

  const show = await screen.findByRole('button', { name: '2 new leads' });
  await waitFor(() => expect(row.textContent).toContain('Sent'));
  expect(counter('Total Leads')).toBe('Total Leads3');
  expect(within(table()).getAllByRole('rowheader')).toHaveLength(1);

  await user.click(show);

  await findRow(later[0]!);
  expect(screen.queryByRole('button', { name: /new leads?$/ })).toBeNull();
  expect(document.activeElement).toBe(table());
});

test('an event loads every page of the list again', async ({ api, stream, user }) => {
  const [first, second] = [buildLead(), buildFailedLead({ beehiivReason: 'request-refused' })];
  let last = second;
  api.answer('GET /api/admin/leads', ({ url }) =>
    url.searchParams.has('cursor') ? buildList([last]) : buildList([first], { nextCursor: 'next' }),
  );
  showConsole();
  await user.click(await screen.findByRole('button', { name: 'Load more' }));
  const row = await findRow(second);
  expect(row.textContent).toContain('Failed');

  last = { ...second, beehiivStatus: 'sent', beehiivSentAt: second.updatedAt };
  act(() => stream.tell('leads'));

  await waitFor(() => expect(row.textContent).toContain('Sent'));
});

test('a search without a hit is offered to People, where Enter opens the only one', async ({
  api,
  user,
}) => {
  const lead = buildLead();
  api.answer('GET /api/admin/leads/:id/person', buildPerson(lead));
  api.answer('POST /api/admin/people/search', buildPeople([buildFound(lead)]));
  showConsole('/admin-leads?search=07700+900123');
  await user.click(await screen.findByRole('link', { name: 'Search people for “07700 900123”' }));

  const box = await screen.findByRole<HTMLInputElement>('searchbox', { name: 'Search people' });
  expect(box.value).toBe('07700 900123');
  await screen.findByText('1 of 1');
  await user.type(box, '{Enter}');
  await screen.findByRole('heading', { level: 1, name: lead.fullName ?? '' });
  await user.click(screen.getByRole('link', { name: '‹ People' }));
  const again = await screen.findByRole<HTMLInputElement>('searchbox', { name: 'Search people' });
  expect(again.value).toBe('07700 900123');

  await user.clear(again);
  await user.type(again, 'LL-1{Enter}');
  await screen.findByRole('heading', { level: 1, name: lead.fullName ?? '' });
  expect(api.calls('POST /api/admin/people/search').at(-1)?.body).toMatchObject({ text: 'LL-1' });
});

test('after a correction, Next opens the next lead of the list', async ({ api, stream, user }) => {
  const [first, mistyped, next] = [buildFailedLead(), buildFailedLead(), buildFailedLead()];
  haveLeads(api, [first, mistyped, next]);
  api.answer('POST /api/admin/leads/:id/correct', () => {
    const moved = { ...mistyped, email: 'right@x.example', beehiivStatus: 'pending' as const };
    haveLeads(api, [first, moved, next]);
    api.answer('GET /api/admin/leads', buildList([first, next]));
    return { id: mistyped.id, stayed: [] };
  });
  showConsole(`/admin-leads?status=failed&lead=${mistyped.id}`);
  const [correct] = await screen.findAllByRole('button', { name: 'Correct the email…' });
  await user.click(correct!);
  const dialog = within(await screen.findByRole('dialog', { name: 'Correct the email' }));
  await user.type(dialog.getByLabelText('Correct email'), 'x');
  await user.click(dialog.getByRole('button', { name: 'Correct the email' }));
  await screen.findByRole('link', { name: 'right@x.example' });
  act(() => stream.tell('leads'));
  await waitFor(() => expect(screen.queryByTitle(mistyped.email)).toBeNull());
  expect(window.location.search).toContain(mistyped.id);

  await user.click(await screen.findByRole('link', { name: 'Next' }));

  expect(window.location.search).toContain(next.id);
});

test('the loaded leads can be selected, and another filter begins with none', async ({
  api,
  user,
}) => {
  const leads = [buildFailedLead({ beehiivReason: 'request-refused' }), buildLead()];
  haveLeads(api, leads);
  const open = vi.spyOn(window, 'open').mockReturnValue(null);
  showConsole('/admin-leads?status=sent');
  const row = await findRow(leads[0]!);

  await user.click(within(row).getByRole('checkbox'));
  const bar = within(await screen.findByRole('region', { name: 'Selection' }));
  bar.getByText('1 selected');
  bar.getByRole('button', { name: 'Retry 1…' });
  await user.click(screen.getByRole('checkbox', { name: 'Select all shown' }));
  await user.click(bar.getByRole('button', { name: 'Export 2 as CSV' }));

  const [some] = open.mock.calls.map(([url]) => new URL(String(url), 'http://x').searchParams);
  expect(some?.get('ids')?.split(',')).toEqual(leads.map(({ id }) => id));

  await user.click(screen.getByRole('link', { name: /^Failed/ }));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull());
});
