import { createFixedClock } from '../testing/fixed-clock.ts';
import { createLogger } from '@site/platform/process/logger';
import { DEFAULT_SITE_SETTINGS } from '@site/schema/site-settings';
import { expect, test, vi } from 'vitest';
import { examineOffer, warnOfStaleOffer } from './offer.check.ts';

const clock = createFixedClock(new Date('2026-11-28T12:00:00Z'));
const toSettings = (priceRisesOn: string, isProduction = true) => ({
  isProduction,
  site: { ...DEFAULT_SITE_SETTINGS, priceRisesOn },
});

function readWarnings(priceRisesOn: string): unknown[] {
  const log = createLogger({ service: 'test', level: 'silent' });
  const warn = vi.spyOn(log, 'warn');
  warnOfStaleOffer(log, toSettings(priceRisesOn), clock);
  return warn.mock.calls.map(([, message]) => message);
}

test('a price rise whose day has come is an error, outside production a warning', () => {
  const levelsOf = (day: string, isProduction: boolean) =>
    examineOffer(toSettings(day, isProduction), clock).map(({ level }) => level);

  expect(levelsOf('2026-11-28', true)).toEqual(['error']);
  expect(levelsOf('2026-11-28', false)).toEqual(['warning']);
  expect(levelsOf('2026-11-29', true)).toEqual([]);
});

test('a price that has risen is announced no more', () => {
  const settings = toSettings('2020-01-01');
  const site = { ...settings.site, offerPhase: 'standard' as const };

  expect(examineOffer({ ...settings, site }, clock)).toEqual([]);
});

test('a start warns of a price rise whose date was set and has passed', () => {
  expect(readWarnings('2026-10-01')).toEqual([expect.stringContaining('1 October 2026')]);
  expect(readWarnings('2026-12-01')).toEqual([]);
  expect(readWarnings(DEFAULT_SITE_SETTINGS.priceRisesOn)).toEqual([]);
});
