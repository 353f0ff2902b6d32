import { DEFAULT_SITE_SETTINGS } from '@site/schema/site-settings';
import { expect, test, vi } from 'vitest';
import { readSiteSettings } from './site-settings.ts';

test('a page the API wrote nothing into has the defaults', () => {
  expect(readSiteSettings('{}')).toEqual(DEFAULT_SITE_SETTINGS);
  expect(readSiteSettings(undefined)).toEqual(DEFAULT_SITE_SETTINGS);
});

test('what the API wrote takes the place of a default', () => {
  expect(readSiteSettings('{"offerPhase":"standard"}')).toEqual({ ...DEFAULT_SITE_SETTINGS, offerPhase: 'standard' });
});

test('settings that are not JSON do not blank the page', () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);

  expect(readSiteSettings('{')).toEqual(DEFAULT_SITE_SETTINGS);
});
