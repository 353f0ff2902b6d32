import { expect, test } from 'vitest';

import { findChanges, readMigrations, readReleased } from './released-migrations.mjs';

test('no released migration has changed', () => {
  expect(Object.keys(readMigrations())).toContain('leads.sql');
  expect(findChanges(readReleased(), readMigrations())).toEqual([]);
});

test('a released migration may not change or vanish, and a new one has the next number', () => {
  const released = { 'leads.sql': 'w', '0001_a.sql': 'x', '0003_b.sql': 'y' };

  expect(findChanges({}, released)).toEqual([]);
  expect(findChanges(released, { ...released, '0004_c.sql': 'z' })).toEqual([]);
  expect(findChanges(released, { ...released, '0001_a.sql': 'other' })).toEqual([
    '0001_a.sql was released and has changed: add a migration instead.',
  ]);
  expect(findChanges(released, { 'leads.sql': 'w', '0001_a.sql': 'x' })).toEqual([
    '0003_b.sql was released and is missing: restore it.',
  ]);
  for (const early of ['0002_c.sql', 'events.sql']) {
    expect(findChanges(released, { ...released, [early]: 'z' })).toEqual([
      `${early} comes before a released one: give it the next number.`,
    ]);
  }
});
