import { DEFAULT_SITE_SETTINGS } from '@site/schema/site-settings';
import { screen } from '@testing-library/react';
import { expect } from 'vitest';
import { provideSiteSettings } from '../site-settings.ts';
import { show, test } from '../testing/component-test.tsx';
import { SiteFooter } from './SiteFooter.tsx';

function showFooter(changes: Partial<typeof DEFAULT_SITE_SETTINGS>): void {
  provideSiteSettings({ ...DEFAULT_SITE_SETTINGS, ...changes });
  show(<SiteFooter />);
}

test('the owner’s pages are plain words until they are set', () => {
  showFooter({});

  for (const name of ['Contact', 'Privacy', 'Terms', 'Refund']) {
    expect(screen.getByText(name)).toBeTruthy();
    expect(screen.queryByRole('link', { name })).toBeNull();
  }
  expect(screen.queryByText(/being written/)).toBeNull();
  expect(screen.queryByRole('link', { name: 'Manage subscription' })).toBeNull();
});

test('a page that is set is a link, and so is the way to manage a subscription', () => {
  showFooter({
    termsUrl: 'https://owner.example/terms',
    portalLoginUrl: 'https://billing.example/p/login',
  });

  expect(screen.getByRole('link', { name: 'Terms' }).getAttribute('href')).toBe(
    'https://owner.example/terms',
  );
  expect(screen.queryByRole('link', { name: 'Privacy' })).toBeNull();
  expect(screen.getByRole('link', { name: 'Manage subscription' }).getAttribute('href')).toBe(
    'https://billing.example/p/login',
  );
});
