import { advanceSyncClock } from '@site/testing/builders';
import { test } from '@site/testing/fixtures';
import { describe, expect } from 'vitest';
import { pauseSlots, isSlotValid, slotSpacingMs, takeSlot } from './slots.repository.ts';

describe('the rate limiter', () => {
  test('spaces slots so that a minute holds nearly the whole allowance, and no more', () => {
    const inOneMinute = Math.floor(60_000 / slotSpacingMs(150)) + 1;

    expect(inOneMinute).toBeLessThanOrEqual(150);
    expect(inOneMinute).toBeGreaterThanOrEqual(143);
  });

  test('gives each slot to one caller only', async ({ db }) => {
    const slots = await Promise.all(Array.from({ length: 20 }, () => takeSlot(db, 600)));

    const waits = slots.map((slot) => slot.waitMs).sort((a, b) => a - b);
    const last = waits.at(-1)!;
    // 19 spacings after the first, less the time that the calls took.
    expect(last).toBeGreaterThan(18 * slotSpacingMs(600) - 1_000);
    expect(new Set(waits.map((wait) => Math.round(wait * 1_000))).size).toBe(20);
  });

  test('pauses after a 429, and makes earlier slots void', async ({ db }) => {
    const before = await takeSlot(db, 150);

    await pauseSlots(db, 60_000);
    const after = await takeSlot(db, 150);

    expect(await isSlotValid(db, before)).toBe(false);
    expect(await isSlotValid(db, after)).toBe(true);
    expect(after.waitMs).toBeGreaterThan(55_000);
    await advanceSyncClock(db, 61);
    expect((await takeSlot(db, 150)).waitMs).toBeLessThan(1_000);
  });

  test('refuses a slot that is used too late, so that a stall is not followed by a burst', async ({ db }) => {
    const slot = await takeSlot(db, 150);
    const inTime = await isSlotValid(db, slot);
    await advanceSyncClock(db, 5);

    expect([inTime, await isSlotValid(db, slot)]).toEqual([true, false]);
  });
});
