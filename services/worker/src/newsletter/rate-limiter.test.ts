import { requestRemoval, storeLead } from '@site/testing/builders';
import { test } from '@site/testing/fixtures';
import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import { setMaxListeners } from 'node:events';
import { describe, expect } from 'vitest';
import {
  createRateLimiter,
  forgetRate,
  pauseSlots,
  slotSpacingMs,
  takeSlot,
} from './rate-limiter.ts';

const PER_MINUTE = 150;
const SPACING_MS = slotSpacingMs(PER_MINUTE);
const never = new AbortController().signal;

/** Stops the sync's clock, so that only the test moves it. */
async function stopClock(db: Database): Promise<(ms: number) => Promise<void>> {
  let elapsedMs = 0;
  const set = () =>
    query(
      db,
      `create or replace function sync_now() returns timestamptz language sql stable as
       $$ select timestamptz '2026-01-05 09:00Z' + interval '${elapsedMs} milliseconds' $$`,
    );
  await set();
  return async (ms) => {
    elapsedMs += ms;
    await set();
  };
}

async function readBookedMs(db: Database): Promise<number> {
  const { ms } = await queryOne<{ ms: number }>(
    db,
    'select extract(epoch from greatest(next_slot_at, sync_now()) - sync_now())::float8 * 1000 as ms from rate_limiter',
  );
  return ms;
}

test('an outdated rate is forgotten', async ({ db }) => {
  await takeSlot(db, PER_MINUTE, 'lead');
  expect(await db('rate_limiter').first('requestsPerMinute')).toEqual({
    requestsPerMinute: PER_MINUTE,
  });

  await forgetRate(db);

  expect(await db('rate_limiter').first('requestsPerMinute')).toEqual({ requestsPerMinute: null });
});

describe('the slots', () => {
  test('a minute holds nearly the whole allowance, and never more', () => {
    const inOneMinute = Math.floor(60_000 / SPACING_MS) + 1;

    expect(inOneMinute).toBeLessThanOrEqual(150);
    expect(inOneMinute).toBeGreaterThanOrEqual(143);
  });

  test.for(['lead', 'background'] as const)(
    'slots go on at once after the clock has stepped back an hour (%s)',
    async (urgency, { db }) => {
      const pass = await stopClock(db);
      await takeSlot(db, PER_MINUTE, urgency);
      await pass(-3_600_000);

      expect(await takeSlot(db, PER_MINUTE, urgency)).toEqual({ isTaken: true, waitMs: 0 });
      expect((await takeSlot(db, PER_MINUTE, 'lead')).isTaken).toBe(false);
      await pass(SPACING_MS);
      expect(await takeSlot(db, PER_MINUTE, 'lead')).toEqual({ isTaken: true, waitMs: 0 });
    },
  );

  test('slots continue after the clock steps back behind a 429', async ({ db }) => {
    const pass = await stopClock(db);
    await pauseSlots(db, 300_000);
    expect(await takeSlot(db, PER_MINUTE, 'lead')).toEqual({ isTaken: false, waitMs: 300_000 });

    await pass(-10 * 60_000);

    expect(await takeSlot(db, PER_MINUTE, 'lead')).toEqual({ isTaken: true, waitMs: 0 });
  });

  test('slots are taken one at a time, when they are free', async ({ db }) => {
    const pass = await stopClock(db);
    const take = () => takeSlot(db, PER_MINUTE, 'lead');

    const first = await Promise.all(Array.from({ length: 20 }, take));
    const early = await take();
    await pass(SPACING_MS);
    const second = await Promise.all(Array.from({ length: 20 }, take));

    expect([first, second].map((tries) => tries.filter((slot) => slot.isTaken).length)).toEqual([
      1, 1,
    ]);
    expect(early).toMatchObject({ isTaken: false, waitMs: expect.closeTo(SPACING_MS, 0) });
  });

  test('slots keep their times with late timers, and no burst follows a stall', async ({ db }) => {
    const pass = await stopClock(db);
    const take = async () => (await takeSlot(db, PER_MINUTE, 'lead')).isTaken;
    await take();
    await pass(SPACING_MS + 100);
    await take();
    const booked = await readBookedMs(db);
    await pass(30_000);

    expect(booked).toBeCloseTo(SPACING_MS - 100, 0);
    expect([await take(), await take()]).toEqual([true, false]);
  });

  const waiting = {
    lead: (db: Database) => storeLead(db, { nextAttemptAt: new Date(0) }),
    erasure: (db: Database) =>
      requestRemoval(db, 'erasure', 'ada@x.example', { nextAttemptAt: new Date(0) }),
  };
  test.for(['lead', 'erasure'] as const)(
    'background work gets one slot in five while a due %s waits',
    async (what, { db }) => {
      const pass = await stopClock(db);
      await waiting[what](db);
      const taken = { lead: 0, background: 0 };

      for (let tick = 0; tick < 200; tick++) {
        for (const urgency of ['lead', 'background'] as const) {
          if ((await takeSlot(db, PER_MINUTE, urgency)).isTaken) taken[urgency] += 1;
        }
        await pass(100);
      }

      // 20 s have 48 slots.
      expect(taken.background).toBeGreaterThanOrEqual(9);
      expect(taken.background).toBeLessThanOrEqual(10);
      expect(taken.lead).toBeGreaterThanOrEqual(37);
    },
  );

  test('slots are all free for background work while no lead waits', async ({ db }) => {
    const pass = await stopClock(db);
    const slots = [];
    for (let n = 0; n < 5; n++) {
      slots.push((await takeSlot(db, PER_MINUTE, 'background')).isTaken);
      await pass(SPACING_MS);
    }

    expect(slots).toEqual([true, true, true, true, true]);
  });
});

describe('the rate limiter', () => {
  test('the rate limiter books nothing ahead and loses nothing when callers stop', async ({
    db,
  }) => {
    const stopping = new AbortController();
    setMaxListeners(0, stopping.signal);
    let granted = 0;
    const waits = Array.from({ length: 20 }, () => createRateLimiter(db, PER_MINUTE)).flatMap(
      (limiter) =>
        Array.from({ length: 16 }, () =>
          limiter.waitForSlot(stopping.signal).then(() => (granted += 1)),
        ),
    );
    await expect.poll(() => granted, { timeout: 5_000 }).toBeGreaterThan(1);

    const whileWaiting = await readBookedMs(db);
    stopping.abort();
    const ends = await Promise.allSettled(waits);

    expect(whileWaiting).toBeLessThanOrEqual(SPACING_MS);
    expect(await readBookedMs(db)).toBeLessThanOrEqual(SPACING_MS);
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(granted);
  });

  test('the rate limiter resumes at the reset after a 429', async ({ db }) => {
    const pass = await stopClock(db);
    let waitedMs = 0;
    const limiter = createRateLimiter(db, PER_MINUTE, async (ms) => {
      waitedMs += ms;
      await pass(ms);
    });
    await limiter.waitForSlot(never);
    await pauseSlots(db, 5_000);

    await limiter.waitForSlot(never);

    expect(waitedMs).toBeGreaterThanOrEqual(5_000);
    expect(waitedMs).toBeLessThanOrEqual(5_000 + SPACING_MS);
  });

  test('no slot is taken for a request that is no longer needed', async ({ db }) => {
    const limiter = createRateLimiter(db, PER_MINUTE);

    expect(await limiter.waitForSlot(never, 'lead', () => Promise.resolve(false))).toBe(false);

    expect(await takeSlot(db, PER_MINUTE, 'lead')).toMatchObject({ isTaken: true });
  });

  test('no slot is taken for a process that is stopping', async ({ db }) => {
    await expect(
      createRateLimiter(db, PER_MINUTE).waitForSlot(AbortSignal.abort()),
    ).rejects.toThrow('aborted');

    expect(await takeSlot(db, PER_MINUTE, 'lead')).toMatchObject({ isTaken: true });
  });
});
