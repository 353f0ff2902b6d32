import { describe, expect, test } from 'vitest';
import { findConditions, findStalledSince, toState } from './sync-conditions.ts';
import type { SyncFacts } from './read-sync-facts.ts';

const NOW = new Date('2026-11-20T09:00:00Z');
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1_000);
const MAX_PENDING_MS = 15 * 60_000;

const FINE: SyncFacts = {
  now: NOW,
  health: {
    id: true,
    pausedSince: null,
    pauseReason: null,
    pauseSetting: null,
    nextProbeAt: null,
    refusalStreak: 0,
    permanentSince: null,
    failureStreak: 0,
    transientSince: null,
    lastAcceptedAt: null,
    lastAddedAt: null,
    missingFields: [],
    refusalsFrom: null,
    refusalsTo: null,
    beehiivAnswer: null,
    beehiivCheckedAt: null,
    beehiivCheckAskedAt: null,
    isPausedBySetting: false,
    waitsForBeehiiv: false,
  },
  pending: 3,
  oldestPendingAt: ago(200),
  workerSeenAt: ago(10),
  workerSince: ago(3_600),
  reachableSince: ago(86_400),
  dueSince: ago(200),
  lastRunAt: ago(1),
  limiterOpensAt: null,
  failedCount: 0,
  failedSince: null,
  recentCount: 5,
  dayBeforeCount: null,
  failedLogins: 20,
  failedLoginsSince: ago(600),
  visitorsHiddenSince: null,
  comparedAt: ago(3_600),
  backedUpAt: ago(3_600),
  archivedAt: ago(60),
  backupFailingSince: null,
  logDroppedSince: null,
  trialFailingSince: null,
  mailFailingSince: null,
  outageReportedSince: null,
  failing: null,
};

const stateOf = (changes: Partial<SyncFacts>) =>
  toState(findConditions({ ...FINE, ...changes }, MAX_PENDING_MS));
const health = (changes: Partial<SyncFacts['health']>) => ({
  health: { ...FINE.health, ...changes },
});

test('an outage that is only on record does not hide that nothing moves', () => {
  const kinds = findConditions(
    { ...FINE, outageReportedSince: ago(300), lastRunAt: ago(7_200) },
    MAX_PENDING_MS,
  );

  expect(kinds.map(({ kind }) => kind)).toEqual(['outage', 'stalled']);
});

describe('the state of the sync', () => {
  test.for([
    ['running', 'leads move', {}],
    ['running', 'nothing is due', { dueSince: null, lastRunAt: null }],
    ['no-worker', 'no worker was seen for half a minute', { workerSeenAt: ago(31) }],
    ['running', 'a worker was seen half a minute ago', { workerSeenAt: ago(30) }],
    [
      'running',
      'Postgres has just returned, so no worker could be seen',
      { workerSeenAt: ago(300), lastRunAt: ago(300), reachableSince: ago(30) },
    ],
    [
      'no-worker',
      'no worker is seen half a minute after Postgres returned',
      { workerSeenAt: ago(300), lastRunAt: ago(300), reachableSince: ago(31) },
    ],
    [
      'no-worker',
      'the clock has stepped back an hour since a worker was seen',
      { workerSeenAt: ago(-3_600) },
    ],
    [
      'paused',
      'a setting is wrong',
      health({ pausedSince: ago(5), pauseSetting: 'BEEHIIV_API_KEY' }),
    ],
    [
      'no-worker',
      'nobody could end the pause',
      { workerSeenAt: ago(31), ...health({ pausedSince: ago(5) }) },
    ],
    [
      'outage',
      'five leads in a row have failed',
      health({ failureStreak: 5, transientSince: ago(5) }),
    ],
    ['running', 'four have', health({ failureStreak: 4, transientSince: ago(5) })],
    [
      'outage',
      'one was reported, and only updates are accepted since',
      { outageReportedSince: ago(300) },
    ],
    [
      'running',
      'one was reported, and nothing waits',
      { outageReportedSince: ago(300), pending: 0 },
    ],
    [
      'running',
      'one was reported, and an addition was accepted since',
      { outageReportedSince: ago(300), ...health({ lastAddedAt: ago(1) }) },
    ],
    [
      'outage',
      'one was reported, and the last addition was accepted before',
      { outageReportedSince: ago(300), ...health({ lastAddedAt: ago(301) }) },
    ],
    [
      'outage',
      'the newest answer is an error, and for a minute a lead has waited',
      { failing: { since: ago(61), isLimited: false } },
    ],
    [
      'running',
      'the newest answer is an error since a minute ago',
      { failing: { since: ago(60), isLimited: false } },
    ],
    [
      'running',
      'the newest answer is an error, and no lead waits for long',
      { failing: { since: ago(61), isLimited: false }, oldestPendingAt: ago(60) },
    ],
    ['stalled', 'no due lead was claimed for a minute', { lastRunAt: ago(61) }],
    ['running', 'the worker has just started', { lastRunAt: null, workerSince: ago(20) }],
    [
      'running',
      'a pause has just ended',
      { lastRunAt: null, ...health({ nextProbeAt: ago(-10) }) },
    ],
    [
      'running',
      'a 429 has closed the rate limiter',
      { lastRunAt: ago(200), limiterOpensAt: ago(-100) },
    ],
    [
      'stalled',
      'the clock has stepped back an hour',
      { lastRunAt: ago(-3_400), limiterOpensAt: ago(-3_500) },
    ],
    [
      'running',
      'leads fail, or wait for long',
      { failedCount: 1, failedSince: ago(9), oldestPendingAt: ago(3_600) },
    ],
  ] as const)('the state of the sync is %s if %s', ([state, , changes]) => {
    expect(stateOf(changes)).toBe(state);
  });
});

describe('the conditions', () => {
  test('all conditions are listed, the gravest first', () => {
    const facts = {
      ...FINE,
      ...health({ failureStreak: 5, transientSince: ago(9) }),
      workerSeenAt: ago(99),
    };

    const kinds = findConditions(
      { ...facts, oldestPendingAt: ago(901), failedSince: ago(60) },
      MAX_PENDING_MS,
    );

    expect(kinds.map(({ kind }) => kind)).toEqual([
      'no-worker',
      'outage',
      'pending-too-long',
      'leads-failed',
    ]);
  });

  test('a pause takes the place of the outage before it', () => {
    const facts = {
      ...FINE,
      outageReportedSince: ago(300),
      ...health({ pausedSince: ago(5), failureStreak: 5 }),
    };

    expect(findConditions(facts, MAX_PENDING_MS).map(({ kind }) => kind)).toEqual(['paused']);
  });

  test.for([
    [1, ago(200), false, 'Beehiiv does not answer. 1 lead waits since 08:56, nothing is lost.'],
    [
      3,
      new Date('2026-11-19T17:20:00Z'),
      true,
      'Beehiiv limits our requests. 3 leads wait, the first since 17:20 on Thursday 19 November, ' +
        'nothing is lost.',
    ],
  ] as const)(
    '%i leads that wait since %j are named if errors alone come back',
    ([pending, oldestPendingAt, isLimited, text]) => {
      const facts = { ...FINE, pending, oldestPendingAt, failing: { since: ago(180), isLimited } };

      expect(findConditions(facts, Infinity)).toEqual([{ kind: 'outage', since: ago(180), text }]);
    },
  );

  test('an outage has one start, before and after it is reported', () => {
    const failing = { since: ago(180), isLimited: false };
    const startOf = (changes: Partial<SyncFacts>) =>
      findConditions({ ...FINE, ...changes }, Infinity).map(({ since }) => since);
    const streak = health({ failureStreak: 5, transientSince: ago(9) });

    expect(startOf({ failing })).toEqual([ago(180)]);
    expect(startOf({ failing, ...streak })).toEqual([ago(180)]);
    expect(startOf({ ...streak, outageReportedSince: ago(180) })).toEqual([ago(180)]);
  });

  test('more than 20 failed logins are a condition', () => {
    expect(findConditions({ ...FINE, failedLogins: 21 }, MAX_PENDING_MS)).toEqual([
      {
        kind: 'unusual-traffic',
        cause: 'logins',
        since: ago(600),
        text: '21 logins failed within 15 minutes.',
      },
    ]);
  });

  test('two causes of one kind are two conditions, so that none hides the other', () => {
    const facts = { ...FINE, failedLogins: 21, visitorsHiddenSince: ago(900) };

    expect(findConditions(facts, MAX_PENDING_MS, true)).toMatchObject([
      { kind: 'unusual-traffic', cause: 'logins', since: ago(600) },
      { kind: 'unusual-traffic', cause: 'hidden', since: ago(900) },
    ]);
  });

  test.for([
    [199, 0, undefined],
    [412, 2_956, '412 leads in five minutes, 40 times the usual number.'],
    [412, 0, '412 leads in five minutes, and none on the day before.'],
    [412, 11_900, undefined],
    [412, null, undefined],
  ] as const)(
    '%i leads in five minutes, after %j on the day before, are reported as %j',
    ([recentCount, dayBeforeCount, text]) => {
      expect(findConditions({ ...FINE, recentCount, dayBeforeCount }, MAX_PENDING_MS)).toEqual(
        text === undefined
          ? []
          : [{ kind: 'unusual-traffic', cause: 'flood', since: ago(300), text }],
      );
    },
  );

  test.for([
    [36, []],
    [37, ['nightly-missed']],
  ] as const)(
    'after %i hours without a comparison with Beehiiv, the conditions are %j',
    ([hours, kinds]) => {
      const found = findConditions({ ...FINE, comparedAt: ago(hours * 3_600) }, MAX_PENDING_MS);

      expect(found.map(({ kind }) => kind)).toEqual(kinds);
      expect(toState(found)).toBe('running');
    },
  );
});

test.for([
  ['26 h after the newest backup nothing is wrong', { backedUpAt: ago(26 * 3_600) }, []],
  ['a backup is late after 26 h', { backedUpAt: ago(26 * 3_600 + 1) }, ['late']],
  ['the log may be five minutes behind', { archivedAt: ago(300) }, []],
  ['the log is behind after five minutes', { archivedAt: ago(301) }, ['log']],
  ['a failed backup', { backupFailingSince: ago(9) }, ['failed']],
  ['a dropped part of the log', { logDroppedSince: ago(9) }, ['dropped']],
  ['a failed trial restore', { trialFailingSince: ago(9) }, ['trial']],
  ['no backup service', { backedUpAt: null, archivedAt: null }, []],
] as const)('%s', ([, changes, causes]) => {
  const found = findConditions({ ...FINE, ...changes }, MAX_PENDING_MS);

  expect(found.map(({ kind, cause }) => [kind, cause])).toEqual(
    causes.map((cause) => ['backup-failing', cause]),
  );
  expect(toState(found)).toBe('running');
});

test('due leads stand still since the latest event that explains a wait', () => {
  expect(findStalledSince({ ...FINE, dueSince: null })).toBeNull();
  expect(findStalledSince({ ...FINE, lastRunAt: ago(90), limiterOpensAt: ago(70) })).toEqual(
    ago(70),
  );
});
