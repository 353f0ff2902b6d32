// @vitest-environment happy-dom
import { DEFAULT_SITE_SETTINGS } from '@site/schema/site-settings';
import { beforeEach, expect, test } from 'vitest';
import { provideSiteSettings } from '../site-settings.ts';
import {
  chooseConsent,
  hasConsent,
  isConsentAsked,
  isConsentNeeded,
  markOperatorBrowser,
} from './consent.ts';

beforeEach(() => {
  localStorage.clear();
  provideSiteSettings({ ...DEFAULT_SITE_SETTINGS, analyticsId: 'G-TEST' });
});

test('a browser that opened the console never consents, even after accepting', () => {
  chooseConsent('accepted');
  expect(hasConsent()).toBe(true);

  markOperatorBrowser();

  expect([isConsentNeeded(), hasConsent(), isConsentAsked()]).toEqual([false, false, false]);
  chooseConsent('accepted');
  expect(hasConsent()).toBe(false);
});
