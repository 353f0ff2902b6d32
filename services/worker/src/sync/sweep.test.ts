import { advanceSyncClock, storeLead } from '@site/testing/builders';
import { test } from '@site/testing/fixtures';
import { createLogger } from '@site/platform/logger';
import { expect } from 'vitest';
import { createSweeper } from './sweep.ts';

test('a lead that falls due during a sweep is queued when it does, not five seconds later', async ({ db }) => {
  const lead = await storeLead(db, { nextAttemptAt: new Date(Date.now() + 1_000) });
  const queued: string[] = [];
  let sweeps = 0;
  const syncQueue = {
    countWaiting: () => Promise.resolve(0),
    async wakeAgain(leadIds: string[]) {
      queued.push(...leadIds);
      if (++sweeps === 1) await advanceSyncClock(db, 2);
    },
  };
  const stop = new AbortController();
  const log = createLogger({ service: 'worker', level: 'silent' });

  const sweeper = createSweeper({ db, syncQueue, log, probe: () => Promise.resolve() });
  const running = sweeper.run(stop.signal);

  await expect.poll(() => queued, { timeout: 4_000, interval: 20 }).toContain(lead.id);
  stop.abort();
  await running;
});
