import { act, screen, waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import { buildLead, buildSubscribers } from '../../testing/build-console.ts';
import { findRow, haveLeads, showConsole, test } from '../../testing/console-test.tsx';

test('leads whose address is being checked are counted apart, and the heading names and clears that filter', async ({
  api,
  user,
}) => {
  haveLeads(api, [buildLead()], 0, {
    subscribers: buildSubscribers({ confirmed: 3, awaiting: 2, checking: 1 }),
  });
  showConsole();
  await screen.findByRole('link', { name: '2 awaiting confirmation' });

  await user.click(screen.getByRole('link', { name: '1 being checked' }));
  expect(window.location.search).toBe('?subscriber=checking');
  const range = (await screen.findByRole('link', { name: 'Clear' })).parentElement?.parentElement;
  expect(range?.textContent.trim()).toBe('All Forms, all dates, being checked Clear');

  await user.click(screen.getByRole('link', { name: 'Clear' }));
  expect(window.location.search).toBe('');
});

test('Beehiiv Sent and its parts change together', async ({ api, stream }) => {
  const lead = buildLead();
  const pending = buildLead({ beehiivStatus: 'pending', beehiivSentAt: null });
  haveLeads(api, [lead, pending], 0, { subscribers: buildSubscribers({ confirmed: 1 }) });
  showConsole();
  await findRow(lead);

  const sent = { ...pending, beehiivStatus: 'sent' as const, updatedAt: '2025-12-03T09:31:00Z' };
  haveLeads(api, [lead, sent], 0, { subscribers: buildSubscribers({ confirmed: 1, checking: 1 }) });
  act(() => stream.tell({ leads: [sent] }));

  await screen.findByRole('link', { name: '1 being checked' });
  screen.getByRole('link', { name: 'Beehiiv Sent 2' });
});

test('while the API is unreachable, a tab’s list cannot be loaded, and counters, breakdown and tabs keep their numbers', async ({
  api,
  user,
}) => {
  const lead = buildLead();
  haveLeads(api, [lead], 0, { subscribers: buildSubscribers({ confirmed: 1 }) });
  showConsole();
  await findRow(lead);

  api.disconnect('GET /api/admin/leads');
  await user.click(screen.getByRole('link', { name: 'Failed 0' }));
  await screen.findByText('The list could not be loaded');

  screen.getByRole('link', { name: 'Total Leads 1' });
  screen.getByRole('link', { name: 'Beehiiv Sent 1' });
  screen.getByRole('link', { name: '1 confirmed' });
  expect(screen.getByRole('link', { name: 'Sent 1' }).querySelector('[data-away]')).toBeNull();
  await user.click(screen.getByRole('link', { name: 'Pre-Buy 1' }));
  await waitFor(() => expect(screen.queryByRole('link', { name: '1 confirmed' })).toBeNull());
});
