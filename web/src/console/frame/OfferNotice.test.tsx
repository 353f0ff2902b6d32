import { cleanup, screen } from '@testing-library/react';
import { DEFAULT_SITE_SETTINGS } from '@site/schema/site-settings';
import { expect, vi } from 'vitest';
import { showConsole, test } from '../../testing/console-test.tsx';
import { provideSiteSettings } from '../../site-settings.ts';

const notice = () => screen.queryByRole('region', { name: 'The offer' });

test('the notice that the price rise has passed can be closed, and comes back the next day', async ({ user }) => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-03-02T12:00:00Z') });
  provideSiteSettings({ ...DEFAULT_SITE_SETTINGS, offerPhase: 'launch', priceRisesOn: '2026-01-01' });
  showConsole();
  await screen.findByText(/^The price rise of 1 January 2026 has passed/);

  await user.click(screen.getByRole('button', { name: 'Close this notice until tomorrow' }));
  expect(notice()).toBeNull();
  cleanup();
  showConsole();
  await screen.findByText('No leads found');
  expect(notice()).toBeNull();

  cleanup();
  vi.setSystemTime(new Date('2026-03-03T12:00:00Z'));
  showConsole();
  await screen.findByText('No leads found');
  expect(notice()).not.toBeNull();
});
