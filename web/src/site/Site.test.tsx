import { screen, waitFor } from '@testing-library/react';
import { DEFAULT_SITE_SETTINGS } from '@site/schema/site-settings';
import type { SiteSettings } from '@site/schema/site-settings';
import { expect } from 'vitest';
import { askConsentAgain } from '../analytics/consent.ts';
import { provideSiteSettings } from '../site-settings.ts';
import { show, test } from '../testing/component-test.tsx';
import { Consent } from './Site.tsx';

const ANALYTICS: SiteSettings = { ...DEFAULT_SITE_SETTINGS, analyticsId: 'G-TEST' };
const banner = () => screen.queryByRole('region', { name: 'Your choice.' });

function showPage(settings = ANALYTICS): void {
  provideSiteSettings(settings);
  show(
    <>
      <Consent />
      <button type="button" onClick={askConsentAgain}>
        Change your cookie choice
      </button>
    </>,
  );
}

test('no notice is shown if nothing needs consent', () => {
  showPage(DEFAULT_SITE_SETTINGS);

  expect(banner()).toBeNull();
});

test('Escape keeps the choice, and a change moves the focus to the notice and back', async ({
  user,
}) => {
  localStorage.setItem('consent', 'declined');
  showPage();
  const change = screen.getByRole('button', { name: 'Change your cookie choice' });
  change.focus();

  await user.keyboard('{Enter}');
  await screen.findByText(/You declined\./);
  await waitFor(() => expect(document.activeElement).toBe(banner()));
  await user.tab();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Decline' }));
  await user.keyboard('{Escape}');

  expect(banner()).toBeNull();
  expect(document.activeElement).toBe(change);
  expect(localStorage.getItem('consent')).toBe('declined');
});
