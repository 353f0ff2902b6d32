import { act, screen, waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import { buildFailedLead } from '../../testing/build-console.ts';
import { findRow, haveLeads, showConsole, test } from '../../testing/console-test.tsx';

test('single-key shortcuts can be turned off and on again, and stay so on the next visit', async ({
  api,
  user,
}) => {
  const lead = buildFailedLead();
  haveLeads(api, [lead]);
  showConsole();
  const row = await findRow(lead);

  await user.click(screen.getByRole('button', { name: '? all shortcuts' }));
  await user.click(await screen.findByRole('checkbox', { name: 'Use single-key shortcuts' }));
  await user.keyboard('{Escape}');
  await user.keyboard('j?');
  expect(document.activeElement).not.toBe(row);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(localStorage.getItem('consoleKeys')).toBe('off');

  await user.click(screen.getByRole('button', { name: 'all shortcuts' }));
  await user.click(await screen.findByRole('checkbox', { name: 'Use single-key shortcuts' }));
  await user.keyboard('{Escape}');
  await user.keyboard('j');
  expect(document.activeElement).toBe(row);
});

test('shortcuts that were turned off on an earlier visit stay off', async ({ api, user }) => {
  localStorage.setItem('consoleKeys', 'off');
  const lead = buildFailedLead();
  haveLeads(api, [lead]);
  showConsole();
  const row = await findRow(lead);

  await user.keyboard('j');

  expect(document.activeElement).not.toBe(row);
});

test('the shortcuts of the list do nothing in another view', async ({ api, user }) => {
  const lead = buildFailedLead();
  haveLeads(api, [lead]);
  showConsole();
  const row = await findRow(lead);
  await user.keyboard('j');
  expect(document.activeElement).toBe(row);
  await user.click(screen.getByRole('link', { name: 'Activity' }));
  await screen.findByRole('heading', { level: 1, name: 'Activity' });
  (document.activeElement as HTMLElement).blur();

  await user.keyboard('r{Enter}');
  await user.keyboard('?');

  expect((await screen.findByRole('dialog')).textContent).toContain('Next row');
  expect(window.location.search).toBe('?view=activity');
  expect(api.calls('POST /api/admin/leads/retry')).toEqual([]);
});

test('r on an address that Beehiiv refused opens its correction', async ({ api, user }) => {
  const lead = buildFailedLead();
  haveLeads(api, [lead]);
  showConsole();
  await findRow(lead);

  await user.keyboard('jr');

  await screen.findByRole('dialog');
  await waitFor(() => expect(document.activeElement?.getAttribute('type')).toBe('email'));
  expect(api.calls('POST /api/admin/leads/retry')).toEqual([]);
});

test('r retries the current row, and says so', async ({ api, stream, user }) => {
  const lead = { ...buildFailedLead(), beehiivReason: 'request-refused' } as const;
  haveLeads(api, [lead]);
  api.answer('POST /api/admin/leads/retry', { retried: 1, skipped: 0 });
  showConsole();
  await findRow(lead);

  await user.keyboard('jr');

  await screen.findByText('Priya Raman is being sent to Beehiiv.');
  expect(api.calls('POST /api/admin/leads/retry').map(({ body }) => body)).toEqual([
    { ids: [lead.id] },
  ]);
  act(() =>
    stream.tell({ leads: [{ ...lead, beehiivStatus: 'pending', nextAttemptAt: lead.updatedAt }] }),
  );
  screen.getByText('Priya Raman is being sent to Beehiiv.');
});
