import { expect, test } from 'vitest';

import { findChanges, readMigrations, readReleased } from './released-migrations.mjs';

test('no released migration has changed', () => {
  expect(Object.keys(readMigrations())).toContain('0001_leads.ts');
  expect(findChanges(readReleased(), readMigrations())).toEqual([]);
});

test('a released migration may not change, vanish, or be preceded by a new one; a later one may be added', () => {
  const released = { '0001_a.ts': 'x', '0003_b.ts': 'y' };

  expect(findChanges(released, { ...released, '0004_c.ts': 'z' })).toEqual([]);
  expect(findChanges(released, { ...released, '0001_a.ts': 'other' })).toEqual([
    '0001_a.ts was released and has changed: add a migration instead.',
  ]);
  expect(findChanges(released, { '0001_a.ts': 'x' })).toEqual([
    '0003_b.ts was released and is missing: restore it.',
  ]);
  expect(findChanges(released, { ...released, '0002_c.ts': 'z' })).toEqual([
    '0002_c.ts comes before a released one: give it the next number.',
  ]);
});
