import { expect, test } from 'vitest';
import { ATTENTION, CONDITION_KINDS, isGrave } from './conditions.ts';

test('the kinds mailed within a minute are those of rule 4.13a', () => {
  expect([...CONDITION_KINDS, ...Object.keys(ATTENTION)].filter(isGrave)).toEqual([
    'not-set-up',
    'cannot-write',
    'stripe-unavailable',
    'no-worker',
    'paused',
    'outage',
    'redis-unavailable',
    'stalled',
    'backup-failing',
    'not-receiving',
    'disputes-open',
  ]);
});
