import { readSettings } from '@site/platform/settings/read-settings';
import { expect, test } from 'vitest';
import { workerSettings } from './settings.ts';

test('a setting that has no effect any more is accepted, and named in a warning', () => {
  const given = { DATABASE_URL: 'postgres://site@localhost/site', REDIS_URL: 'redis://localhost' };

  expect(readSettings(workerSettings, given).withoutEffect).toEqual([]);
  expect(
    readSettings(workerSettings, { ...given, RETAIN_PARKED_EVENT_DAYS: '30' }).withoutEffect,
  ).toEqual(['RETAIN_PARKED_EVENT_DAYS']);
});
