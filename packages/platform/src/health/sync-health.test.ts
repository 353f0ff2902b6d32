import { test } from '@site/testing/fixtures';
import { expect } from 'vitest';
import { OUTAGE_STREAK, readSyncHealth, REFUSAL_STREAK } from './sync-health.ts';

test.for([
  [{ failureStreak: OUTAGE_STREAK - 1, refusalStreak: REFUSAL_STREAK - 1 }, true, false],
  [{ failureStreak: OUTAGE_STREAK, refusalStreak: 0 }, true, true],
  [{ failureStreak: 0, refusalStreak: REFUSAL_STREAK }, false, true],
] as const)(
  'the schema has the limits of the policy: %o',
  async ([streaks, isPausedBySetting, waitsForBeehiiv], { db }) => {
    const pause = {
      pausedSince: new Date(),
      pauseReason: 'wrong',
      pauseSetting: 'BEEHIIV_API_KEY',
    };
    await db('sync_health').update({ ...streaks, ...pause });

    expect(await readSyncHealth(db)).toMatchObject({ isPausedBySetting, waitsForBeehiiv });
  },
);
