import { expect } from 'vitest';

import { test } from './drill.fixture.ts';

const TEN_MINUTES_MS = 600_000;

const withClock = (shiftMs: number) => ({
  NODE_OPTIONS: `--import=${new URL('shift-clock.mjs', import.meta.url).href}`,
  CLOCK_SHIFT_MS: String(shiftMs),
});

test('clocks ten minutes fast and ten minutes slow change no waiting time', async ({ drill }) => {
  const [, ahead, behind] = await Promise.all([
    drill.startApi(withClock(TEN_MINUTES_MS)),
    drill.startWorker({ ...withClock(TEN_MINUTES_MS), BEEHIIV_REQUESTS_PER_MINUTE: '1200' }),
    drill.startWorker({ ...withClock(-TEN_MINUTES_MS), BEEHIIV_REQUESTS_PER_MINUTE: '1200' }),
  ]);
  expect(readShiftMs(ahead.log())).toBeGreaterThan(TEN_MINUTES_MS - 60_000);
  expect(readShiftMs(behind.log())).toBeLessThan(60_000 - TEN_MINUTES_MS);

  drill.beehiiv('status', { status: 503, times: 6 });
  await Promise.all(Array.from({ length: 15 }, () => drill.ledger.submit()));
  await drill.settle(10_000);
  drill.beehiiv('rate-limit', { delayMs: 2_000, times: 2 });
  await Promise.all(Array.from({ length: 15 }, () => drill.ledger.submit()));
  await drill.settle(15_000);

  const { rows } = await drill.db.raw(
    'select count(distinct worker)::int as workers from lead_sync_attempts',
  );
  expect(rows[0].workers).toBe(2);
  expect(await drill.audit()).toEqual([]);
});

/** Returns the difference between a process's clock and ours, by its last log line. */
function readShiftMs(log: string[]): number {
  const { time } = JSON.parse(log.at(-1) ?? '{}') as { time: number | string };
  return new Date(time).getTime() - Date.now();
}
