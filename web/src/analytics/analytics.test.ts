// @vitest-environment happy-dom
import { DEFAULT_SITE_SETTINGS } from '@site/schema/site-settings';
import { beforeEach, describe, expect, test } from 'vitest';
import { provideSiteSettings } from '../site-settings.ts';
import { recordEvent, recordPurchase } from './analytics.ts';
import { chooseConsent } from './consent.ts';

const layer = window as { dataLayer?: unknown[] };
const recorded = () =>
  (layer.dataLayer ?? []).map((entry) => [...(entry as ArrayLike<unknown> as unknown[])]);

beforeEach(() => {
  localStorage.clear();
  delete layer.dataLayer;
  provideSiteSettings({ ...DEFAULT_SITE_SETTINGS, analyticsId: 'G-TEST' });
});

describe('recordEvent', () => {
  test('an event is pushed to the tag as a command of an arguments object', () => {
    chooseConsent('accepted');

    expect(recordEvent('cta-monthly-15', { page: 'sample-sent' })).toBe(true);

    expect(recorded()).toEqual([['event', 'cta-monthly-15', { page: 'sample-sent' }]]);
    expect(Object.prototype.toString.call(layer.dataLayer![0])).toBe('[object Arguments]');
  });

  test('no event is recorded before consent, after a refusal, or without analytics', () => {
    expect(recordEvent('Subscribe Modal Opened', { button: 'top_sub' })).toBe(false);
    chooseConsent('declined');
    expect(recordEvent('Subscribe Modal Opened', { button: 'top_sub' })).toBe(false);
    chooseConsent('accepted');
    provideSiteSettings({ ...DEFAULT_SITE_SETTINGS, chatWidgetUrl: 'https://chat.example/w.js' });
    expect(recordEvent('Subscribe Modal Opened', { button: 'top_sub' })).toBe(false);

    expect(layer.dataLayer).toBeUndefined();
  });
});

describe('recordPurchase', () => {
  test('no purchase is recorded without consent, so a later consent still records it', () => {
    recordPurchase('cs_1');
    expect(layer.dataLayer).toBeUndefined();

    chooseConsent('accepted');
    recordPurchase('cs_1');

    expect(recorded()).toHaveLength(1);
  });
});
