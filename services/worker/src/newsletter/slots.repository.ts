import type { Database } from '@site/platform/database/connect';

/*
 * One rate limiter for every request to the newsletter, of any kind and from any process: one row, on the
 * database's clock. Slots are spaced evenly, so that no 60 s hold more than the allowance.
 */

/**
 * Permission for one request at a moment. It is void when the rate limiter's generation has moved on, or when that
 * moment has passed: what a stall held up would leave all at once.
 */
export type Slot = { at: Date; waitMs: number; generation: number };

/** A little more than an even share of the minute, so that late timers never put one request too many into it. */
const SPACING_MARGIN = 1.025;

/** A slot used so late still leaves every minute its allowance: two slots more at the most. */
const LATEST_SECONDS = 1;

/** Milliseconds between two slots at a rate: 410 at 150 a minute. */
export function slotSpacingMs(requestsPerMinute: number): number {
  return (60_000 / requestsPerMinute) * SPACING_MARGIN;
}

/** Background work gets one slot in so many while leads wait. */
const BACKGROUND_SHARE = 5;

/** Takes the next free slot for a lead's request, and says how long until it, in milliseconds. */
export async function takeSlot(db: Database, requestsPerMinute: number): Promise<Slot> {
  const slot = await tryTakeSlot(db, requestsPerMinute, 'lead');
  if (!slot) throw new Error('rate_limiter has lost its row: run the migrations again');
  return slot;
}

/** Takes a slot for background work; null while leads wait and it has had its share of the slots. */
export async function takeBackgroundSlot(db: Database, requestsPerMinute: number): Promise<Slot | null> {
  return tryTakeSlot(db, requestsPerMinute, 'background');
}

async function tryTakeSlot(
  db: Database,
  requestsPerMinute: number,
  urgency: 'lead' | 'background',
): Promise<Slot | null> {
  const { rows } = await db.raw(
    `update rate_limiter set next_slot_at = greatest(next_slot_at, sync_now()) + make_interval(secs => :spacing),
       requests_per_minute = :requestsPerMinute,
       next_background_slot_at = case when :isBackground
         then greatest(next_slot_at, sync_now()) + make_interval(secs => :spacing::float8 * ${BACKGROUND_SHARE})
         else next_background_slot_at end
     where not :isBackground or next_background_slot_at <= sync_now() or not exists (
       select from leads where beehiiv_status = 'pending' and next_attempt_at <= sync_now()
     )
     returning generation, next_slot_at - make_interval(secs => :spacing) as at, extract(epoch from next_slot_at - make_interval(secs => :spacing) - sync_now()) * 1000 as wait_ms`,
    { requestsPerMinute, spacing: slotSpacingMs(requestsPerMinute) / 1_000, isBackground: urgency === 'background' },
  );
  const [row] = rows;
  return row ? { at: row.at, generation: row.generation, waitMs: Math.max(0, Number(row.waitMs)) } : null;
}

/** True while a slot may still be used: nobody has closed the rate limiter since, and its moment has not passed. */
export async function isSlotValid(db: Database, { at, generation }: Slot): Promise<boolean> {
  const row = await db('rate_limiter')
    .where({ generation })
    .whereRaw('sync_now() <= ?::timestamptz + make_interval(secs => ?)', [at, LATEST_SECONDS])
    .first('id');
  return row !== undefined;
}

/** After a 429: nobody sends for `delayMs`, and every slot handed out before is void. */
export async function pauseSlots(db: Database, delayMs: number): Promise<void> {
  await db.raw(
    `update rate_limiter set generation = generation + 1,
       next_slot_at = greatest(next_slot_at, sync_now() + make_interval(secs => ?))`,
    [delayMs / 1_000],
  );
}
