import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';

/*
 * The slots of the rate limiter: one row for all processes, on the database's clock. Slots are evenly spaced, so that no
 * 60 seconds hold more than the allowance.
 */

/** Permission for one request, at a time. It is void if that time has passed, or if a 429 has raised the generation since. */
export type Slot = { at: Date; waitMs: number; generation: number };

/** Slightly more than an even share of a minute, so that late timers never squeeze in one request too many. */
const SPACING_MARGIN = 1.025;

/** How late a slot may be used. At most two requests more then fall into one minute, which the spacing leaves room for. */
const LATEST_SECONDS = 1;

/** Milliseconds between two slots: 410 at 150 requests per minute. */
export function slotSpacingMs(requestsPerMinute: number): number {
  return (60_000 / requestsPerMinute) * SPACING_MARGIN;
}

/** While leads wait, background work gets one slot in this many. */
const BACKGROUND_SHARE = 5;

/** Takes the next free slot for a lead's request. */
export async function takeSlot(db: Database, requestsPerMinute: number): Promise<Slot> {
  const slot = await tryTakeSlot(db, requestsPerMinute, 'lead');
  if (!slot) throw new Error('rate_limiter has lost its row: run the migrations again');
  return slot;
}

/** Takes a slot for background work. Returns null if leads wait and background work has had its share. */
export async function takeBackgroundSlot(db: Database, requestsPerMinute: number): Promise<Slot | null> {
  return tryTakeSlot(db, requestsPerMinute, 'background');
}

async function tryTakeSlot(
  db: Database,
  requestsPerMinute: number,
  urgency: 'lead' | 'background',
): Promise<Slot | null> {
  const [slot] = await query<Slot>(
    db,
    `update rate_limiter set next_slot_at = greatest(next_slot_at, sync_now()) + make_interval(secs => :spacing),
       requests_per_minute = :requestsPerMinute,
       next_background_slot_at = case when :isBackground
         then greatest(next_slot_at, sync_now()) + make_interval(secs => :spacing::float8 * ${BACKGROUND_SHARE})
         else next_background_slot_at end
     where not :isBackground or next_background_slot_at <= sync_now() or not exists (
       select from leads where beehiiv_status = 'pending' and next_attempt_at <= sync_now()
     )
     returning generation, next_slot_at - make_interval(secs => :spacing) as at,
       (extract(epoch from next_slot_at - make_interval(secs => :spacing) - sync_now()) * 1000)::float8 as wait_ms`,
    { requestsPerMinute, spacing: slotSpacingMs(requestsPerMinute) / 1_000, isBackground: urgency === 'background' },
  );
  return slot ? { ...slot, waitMs: Math.max(0, slot.waitMs) } : null;
}

/** Returns true if a slot may still be used: no 429 since, and not too late. */
export async function isSlotValid(db: Database, { at, generation }: Slot): Promise<boolean> {
  const row = await db('rate_limiter')
    .where({ generation })
    .whereRaw('sync_now() <= ?::timestamptz + make_interval(secs => ?)', [at, LATEST_SECONDS])
    .first('id');
  return row !== undefined;
}

/** Pauses all requests for `delayMs` after a 429, and makes earlier slots void. */
export async function pauseSlots(db: Database, delayMs: number): Promise<void> {
  await query(
    db,
    `update rate_limiter set generation = generation + 1,
       next_slot_at = greatest(next_slot_at, sync_now() + make_interval(secs => ?))`,
    [delayMs / 1_000],
  );
}
