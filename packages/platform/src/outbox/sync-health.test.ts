import { test } from '@site/testing/fixtures';
import { expect } from 'vitest';
import { OUTAGE_STREAK, readSyncHealth, REFUSAL_STREAK } from './sync-health.ts';

test.for([
  [{ transientStreak: OUTAGE_STREAK - 1, permanentStreak: REFUSAL_STREAK - 1 }, true, false],
  [{ transientStreak: OUTAGE_STREAK, permanentStreak: 0 }, true, true],
  [{ transientStreak: 0, permanentStreak: REFUSAL_STREAK }, false, true],
] as const)(
  'the schema has the limits of the policy: %o',
  async ([streaks, isBlocked, isFailing], { db }) => {
    const pause = {
      pausedSince: new Date(),
      pauseReason: 'wrong',
      pauseSetting: 'BEEHIIV_API_KEY',
    };
    await db('sync_health').update({ ...streaks, ...pause });

    expect(await readSyncHealth(db)).toMatchObject({ isBlocked, isFailing });
  },
);
