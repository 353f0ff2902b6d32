import { DEFAULT_SITE_SETTINGS } from '@site/schema/site-settings';
import { expect, test, vi } from 'vitest';
import { readSiteSettings } from './site-settings.ts';

test('a page without settings uses the defaults', () => {
  expect(readSiteSettings('{}')).toEqual(DEFAULT_SITE_SETTINGS);
  expect(readSiteSettings(undefined)).toEqual(DEFAULT_SITE_SETTINGS);
});

test('the API’s settings override the defaults', () => {
  expect(readSiteSettings('{"offerPhase":"standard"}')).toEqual({
    ...DEFAULT_SITE_SETTINGS,
    offerPhase: 'standard',
  });
});

test('settings that are not JSON fall back to the defaults', () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);

  expect(readSiteSettings('{')).toEqual(DEFAULT_SITE_SETTINGS);
});
