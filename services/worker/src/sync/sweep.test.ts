import { advanceSyncClock, storeLead } from '@site/testing/builders';
import { test } from '@site/testing/fixtures';
import { createLogger } from '@site/platform/process/logger';
import { expect } from 'vitest';
import { createSweeper } from './sweep.ts';

test('a lead that falls due during a sweep is queued at once', async ({ db }) => {
  await storeLead(db, { nextAttemptAt: new Date(Date.now() + 1_000) });
  const counted: number[] = [];
  const syncQueue = {
    async topUp(due: number) {
      counted.push(due);
      if (counted.length === 1) await advanceSyncClock(db, 2);
      return due;
    },
  };
  const stop = new AbortController();
  const log = createLogger({ service: 'worker', level: 'silent' });

  const sweeper = createSweeper({ db, syncQueue, log, probe: () => Promise.resolve() });
  const running = sweeper.run(stop.signal);

  await expect.poll(() => counted, { timeout: 4_000, interval: 20 }).toContain(1);
  stop.abort();
  await running;
});
