import { screen, waitFor } from '@testing-library/react';
import type { OperatorAction } from '@site/schema/calls/audit';
import { expect, vi } from 'vitest';
import { buildId } from '../../testing/build-console.ts';
import { showConsole, test } from '../../testing/console-test.tsx';

let ids = 0;
const buildAction = (changes: Partial<OperatorAction>): OperatorAction => ({
  id: (ids += 1),
  at: '2025-12-03T09:30:00Z',
  operator: 'admin',
  action: 'login',
  subject: null,
  detail: {},
  lead: null,
  ...changes,
});

test('each action is its label, the lead and one fact', async ({ api }) => {
  const [leadId, retryId] = [buildId(), buildId()];
  const lead = { id: leadId, name: 'Priya Raman', email: 'priya@northgate.example' };
  const about = { subject: leadId, lead };
  const rows: [action: Partial<OperatorAction>, words: unknown][] = [
    [
      { action: 'export-leads', detail: { formType: 'pre_buy', isSearch: true } },
      'Exported leads: Pre-Buy, all dates, with a search',
    ],
    [
      { ...about, action: 'retry', detail: { retried: 1, fromQuarantine: true } },
      'Retried or sent: Priya Raman, sent from quarantine priya@northgate.example',
    ],
    [
      { lead, action: 'refund', subject: 'sub_1', detail: { refund: 're_1', pence: 10_000 } },
      'Refunded: Priya Raman, £100.00 priya@northgate.example',
    ],
    [
      { lead, action: 'cancel-subscription', subject: 'sub_1', detail: { when: 'now' } },
      'Cancelled a subscription: Priya Raman, at once priya@northgate.example',
    ],
    [
      { action: 'bulk-retry', subject: retryId, detail: { total: 12 } },
      'Started a bulk retry: 12 leads',
    ],
    [
      {
        action: 'erase-person',
        subject: buildId(),
        detail: { erased: { leads: 1, lead_sync_attempts: 0 } },
      },
      expect.stringMatching(/^Erased a person: 1 lead, receipt \w{8}$/),
    ],
    [
      {
        action: 'read-lists',
        detail: { leads: 5, people: 2, money: 3, activity: 1, comparison: 1 },
      },
      'Looked at lists: leads, people, money, activity, comparison in the hour from 09:30',
    ],
    [{ action: 'login-failed', operator: null, subject: 'ana' }, 'Failed to log in: ana'],
    [{ action: 'user-add', operator: null, subject: 'admin' }, 'Added the operator: admin'],
    [
      { action: 'export-payments', detail: { startDate: '2025-11-01', endDate: '2025-11-30' } },
      'Exported payments: 1 November to 30 November 2025',
    ],
  ];
  const actions = rows.map(([action]) => buildAction(action));
  api.answer('GET /api/admin/audit', { actions, nextBefore: null, operators: ['admin'] });
  showConsole('/admin-leads?view=activity');

  const table = await screen.findByRole('table', { name: 'Actions' });
  const said = [...table.querySelectorAll('tbody th')].map(({ textContent }) =>
    textContent?.trim(),
  );
  expect(said).toEqual(rows.map(([, words]) => words));
  const actors = [...table.querySelectorAll('tbody td:nth-child(2)')].map(
    ({ textContent }) => textContent,
  );
  expect(actors.slice(-4, -1)).toEqual(['admin', 'Not logged in', 'Setup']);
  expect(screen.getAllByRole('link', { name: 'Priya Raman' })[0]?.getAttribute('href')).toContain(
    `lead=${leadId}`,
  );
  expect(
    screen.getAllByRole('link', { name: 'Started a bulk retry' })[0]?.getAttribute('href'),
  ).toContain(`bulkRetry=${retryId}`);
});

test('loaded actions stay below a failed reload, but not under another filter', async ({
  api,
  user,
  logged,
}) => {
  const answer = { actions: [buildAction({})], nextBefore: null, operators: ['admin', 'ana'] };
  api.answer('GET /api/admin/audit', answer);
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2025-12-03T15:32:10Z') });
  showConsole('/admin-leads?view=activity');
  const table = () => screen.queryByRole('table', { name: 'Actions' });
  await waitFor(() => expect(table()).not.toBeNull());
  await user.click(screen.getByRole('link', { name: 'People' }));

  api.refuse('GET /api/admin/audit', 500);
  vi.setSystemTime(new Date('2025-12-03T15:40:00Z'));
  await user.click(screen.getByRole('link', { name: 'Activity' }));
  const failure = await screen.findByRole('alert');
  expect(failure.textContent).toContain('Could not load Activity again');
  expect(table()?.textContent).toContain('Logged in');

  await user.selectOptions(screen.getByLabelText('Operator'), 'ana');
  await user.click(screen.getByRole('button', { name: 'Apply Filters' }));
  await waitFor(() => expect(table()).toBeNull());
  expect(screen.getByRole('alert').textContent).not.toContain('What follows');
  expect(screen.getByLabelText<HTMLSelectElement>('Operator').value).toBe('ana');
  expect(logged).toHaveBeenCalled();
});
