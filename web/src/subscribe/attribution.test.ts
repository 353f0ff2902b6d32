// @vitest-environment happy-dom
import { DEFAULT_SITE_SETTINGS } from '@site/schema/site-settings';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const NOW = new Date('2025-12-03T10:00:00Z');
const days = (count: number) => new Date(NOW.getTime() + count * 86_400_000);
const FIRST_URL = 'https://site.example/?utm_source=news&utm_campaign=dec&gclid=g1';

type Load = { referrer?: string; now?: Date; analyticsId?: string | null };

/** Loads the page again: fresh modules, same storage and cookies. */
async function load(url: string, { referrer = '', now = NOW, analyticsId = 'G-TEST' }: Load = {}) {
  vi.resetModules();
  const { provideSiteSettings } = await import('../site-settings.ts');
  provideSiteSettings({ ...DEFAULT_SITE_SETTINGS, analyticsId });
  const consent = await import('../analytics/consent.ts');
  const { noteArrival, currentAttribution } = await import('./attribution.ts');
  noteArrival({ url, referrer }, now);
  return { consent, currentAttribution };
}

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(() => {
  document.cookie = '_ga=;max-age=0';
});

test('before consent a visit is held in memory only', async () => {
  const { currentAttribution } = await load(FIRST_URL, { referrer: 'https://www.example.org/a' });

  expect(currentAttribution()).toMatchObject({
    landingPage: FIRST_URL,
    firstPage: FIRST_URL,
    visitUtm: { source: 'news', campaign: 'dec' },
    firstUtm: { source: 'news', campaign: 'dec' },
    gclid: 'g1',
    referrer: 'https://www.example.org/a',
    sessionId: expect.any(String),
  });
  expect([localStorage.length, sessionStorage.length]).toEqual([0, 0]);
});

test('our own page opened in the same tab belongs to the current visit', async () => {
  const first = await load(FIRST_URL);
  first.consent.chooseConsent('accepted');

  const next = await load('https://site.example/sample-sent');

  expect(next.currentAttribution()).toEqual(first.currentAttribution());
});

test('the first visit expires after ninety days', async () => {
  (await load(FIRST_URL)).consent.chooseConsent('accepted');
  sessionStorage.clear();

  const later = await load('https://site.example/', { now: days(90) });

  expect(later.currentAttribution()?.firstPage).toBe('https://site.example/');
});

test('Google’s client id is sent only with consent', async () => {
  document.cookie = '_ga=GA1.1.123456789.1700000000';
  const { consent, currentAttribution } = await load(FIRST_URL);
  expect(currentAttribution()).not.toHaveProperty('gaClientId');

  consent.chooseConsent('accepted');

  expect(currentAttribution()?.gaClientId).toBe('123456789.1700000000');
});

test('without anything that needs consent, an earlier choice counts as none', async () => {
  localStorage.setItem('consent', 'accepted');

  const { consent } = await load(FIRST_URL, { analyticsId: null });

  expect([consent.isConsentAsked(), consent.hasConsent()]).toEqual([false, false]);
  expect(Object.keys(localStorage)).toEqual(['consent']);
});
