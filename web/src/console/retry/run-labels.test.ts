import type { RetryRun } from '@site/schema/calls/retry';
import { expect, test } from 'vitest';
import {
  describeEstimate,
  describeRest,
  describeRun,
  describeSize,
  nameFailed,
} from './run-labels.ts';

const run = (given: Partial<RetryRun>): RetryRun => ({
  id: '0f2c1d3e-0000-4000-8000-000000000001',
  operator: 'j.holt',
  filter: {},
  total: 1_200,
  started: 0,
  sent: 0,
  failed: 0,
  skipped: 0,
  returned: 0,
  failures: [],
  createdAt: '2025-12-03T09:00:00Z',
  stoppedAt: null,
  finishedAt: null,
  ...given,
});

test('a bulk retry says how far it is and what became of its leads', () => {
  expect(describeRun(run({ started: 46, sent: 30, failed: 4, skipped: 2 }))).toBe(
    '36 of 1,200 done: 30 sent, 4 failed again, 2 no longer failed, 12 in progress',
  );
  const stoppedAt = '2025-12-03T09:10:00Z';
  const stopping = run({ started: 10, sent: 6, returned: 3, stoppedAt });
  expect(describeRun(stopping)).toBe(
    '6 of 1,200 done: 6 sent, 1,193 not retried, 1 being sent already',
  );
  expect(describeRun({ ...stopping, sent: 7, finishedAt: stoppedAt })).toBe(
    'Stopped at 7 of 1,200: 7 sent, 1,193 not retried',
  );
  expect(describeRun({ ...stopping, total: 7 })).toBe('6 of 7 done: 6 sent, 1 being sent already');
  // Nothing was left to spare.
  expect(
    describeRun({ ...stopping, total: 7, sent: 7, started: 7, returned: 0, finishedAt: stoppedAt }),
  ).toBe('Too late to stop. 7 of 7 done: 7 sent');
});

test('a bulk retry leads to those of its leads that are failed, also because it was stopped', () => {
  const stopped = { stoppedAt: '2025-12-03T09:10:00Z', finishedAt: '2025-12-03T09:10:00Z' };
  expect(nameFailed(run({ total: 7, sent: 7, ...stopped }))).toBeUndefined();
  expect(nameFailed(run({ total: 7, sent: 6, failed: 1 }))).toBe('Show it');
  expect(nameFailed(run({ total: 7, sent: 5, ...stopped }))).toBe('Show them');
  expect(nameFailed(run({ total: 7, sent: 5, failed: 1, ...stopped }))).toBe('Show both');
  // They are quarantined again.
  expect(
    nameFailed(run({ filter: { status: 'quarantined' }, total: 7, sent: 5, ...stopped })),
  ).toBeUndefined();
});

test('quarantined leads are sent, and not retried', () => {
  const filter = { selected: 2, status: 'quarantined' };
  expect(describeSize(run({ filter, total: 2 }))).toBe('Sending of 2 by j.holt');
  expect(describeSize(run({ total: 2 }))).toBe('Retry of 2 by j.holt');
  expect(
    describeRest(
      run({ filter, total: 4, failed: 1, returned: 3, stoppedAt: '2025-12-03T09:10:00Z' }),
    ),
  ).toBe('1 failed, 3 not sent');
});

test('an estimate says how many, how long, and what holds it up', () => {
  expect(describeEstimate({ count: 7, estimateMs: 3_000 }, undefined)).toBe(
    '7 failed leads to retry, about 3 s.',
  );
  expect(describeEstimate({ count: 1, estimateMs: null }, undefined)).toBe(
    '1 failed lead to retry, as fast as Beehiiv answers.',
  );
  expect(describeEstimate({ count: 7, estimateMs: 3_000 }, 'pause')).toContain(
    'They wait until the sync resumes.',
  );
  expect(describeEstimate({ count: 7, estimateMs: 3_000 }, 'outage')).toContain(
    'They wait until Beehiiv works again.',
  );
  expect(describeEstimate({ count: 0, estimateMs: null }, undefined)).toBe(
    'No failed leads to retry.',
  );
});
