import { createFixedClock } from '@site/platform/process/clock';
import { createLogger } from '@site/platform/process/logger';
import { DEFAULT_SITE_SETTINGS } from '@site/schema/site-settings';
import { expect, test, vi } from 'vitest';
import { warnOfStaleOffer } from './settings.check.ts';

const clock = createFixedClock(new Date('2026-11-28T12:00:00Z'));

function readWarnings(priceRisesOn: string): unknown[] {
  const log = createLogger({ service: 'test', level: 'silent' });
  const warn = vi.spyOn(log, 'warn');
  warnOfStaleOffer(log, { site: { ...DEFAULT_SITE_SETTINGS, priceRisesOn } }, clock);
  return warn.mock.calls.map(([fields]) => fields);
}

test('a start with default settings does not warn of the default date of the price rise', () => {
  expect(DEFAULT_SITE_SETTINGS.priceRisesOn < '2026-11-28').toBe(true);
  expect(readWarnings(DEFAULT_SITE_SETTINGS.priceRisesOn)).toEqual([]);
});

test('a start warns of a price rise whose date was set and has passed', () => {
  expect(readWarnings('2026-10-01')).toEqual([
    { setting: 'OFFER_PRICE_RISES_ON', priceRisesOn: '2026-10-01' },
  ]);
  expect(readWarnings('2026-12-01')).toEqual([]);
});
