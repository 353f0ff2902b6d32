import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import { IS_ANY_DUE } from '@site/platform/outbox/pending';

/*
 * The slots of the rate limiter: one row for all processes, on the database's clock. Slots are evenly spaced, so that no
 * 60 seconds hold more than the allowance. A slot is taken when it is free and used at once: a process that stops leaves
 * no gap behind, and a 429 finds nothing booked ahead.
 */

/** Leads come first. While they wait, background work gets one slot in five. */
export type Urgency = 'lead' | 'background';

/** Slightly more than an even share of a minute, so that late timers never squeeze in one request too many. */
const SPACING_MARGIN = 1.025;

/** How far the slots may lag behind the clock. At most two requests more then fall into one minute, which the spacing leaves room for. */
const LATEST_SECONDS = 1;

const BACKGROUND_SHARE = 5;

/** Milliseconds between two slots: 410 at 150 requests per minute. */
export function slotSpacingMs(requestsPerMinute: number): number {
  return (60_000 / requestsPerMinute) * SPACING_MARGIN;
}

/** The time of the next slot. After an idle or a stalled time, slots start from now, so that no burst follows. */
const NEXT_SLOT = `
  case when next_slot_at > sync_now() - interval '${LATEST_SECONDS} seconds' then next_slot_at else sync_now() end`;

const TAKE: Record<Urgency, string> = {
  lead: `
    update rate_limiter set next_slot_at = ${NEXT_SLOT} + make_interval(secs => :spacing), requests_per_minute = :requestsPerMinute
    where greatest(next_slot_at, resumes_at) <= sync_now()`,
  // One spacing early, while no lead can take the slot. Otherwise a lead's request could always be first.
  background: `
    update rate_limiter set next_slot_at = ${NEXT_SLOT} + make_interval(secs => :spacing), requests_per_minute = :requestsPerMinute,
      next_background_slot_at = ${NEXT_SLOT} + make_interval(secs => :spacing::float8 * ${BACKGROUND_SHARE})
    where next_slot_at <= sync_now() + make_interval(secs => :spacing) and resumes_at <= sync_now() and (
      next_background_slot_at <= sync_now() or not (${IS_ANY_DUE})
    )`,
};

/** A slot is at most two spacings ahead, a background slot seven, and a reset five minutes. */
const [MAX_AHEAD, MAX_BACKGROUND_AHEAD, MAX_RESET] = [4, 9, `interval '305 seconds'`];

/** Corrects times that are too far ahead, because the clock has stepped back since. Returns true if any was. */
async function dropImpossibleTimes(db: Database, spacing: number): Promise<boolean> {
  const dropped = await query(
    db,
    `update rate_limiter set next_slot_at = least(next_slot_at, sync_now()),
       next_background_slot_at = least(next_background_slot_at, sync_now()),
       resumes_at = case when resumes_at > sync_now() + ${MAX_RESET} then sync_now() else resumes_at end
     where next_slot_at > sync_now() + make_interval(secs => :spacing::float8 * ${MAX_AHEAD})
       or next_background_slot_at > sync_now() + make_interval(secs => :spacing::float8 * ${MAX_BACKGROUND_AHEAD})
       or resumes_at > sync_now() + ${MAX_RESET} returning id`,
    { spacing },
  );
  return dropped.length > 0;
}

/**
 * Takes the next slot if it is free. `waitMs` says how long to wait: before its request if the slot was taken, otherwise
 * before the next try.
 */
export async function takeSlot(
  db: Database,
  requestsPerMinute: number,
  urgency: Urgency,
): Promise<{ isTaken: boolean; waitMs: number }> {
  const spacing = slotSpacingMs(requestsPerMinute) / 1_000;
  const { isTaken, waitMs } = await queryOne<{ isTaken: boolean; waitMs: number }>(
    db,
    `with taken as (${TAKE[urgency]} returning next_slot_at - make_interval(secs => :spacing) as slot_at)
     select slot_at is not null as is_taken,
       extract(epoch from greatest(coalesce(slot_at, next_slot_at), resumes_at, sync_now()) - sync_now())::float8 * 1000
         as wait_ms
     from rate_limiter left join taken on true`,
    { requestsPerMinute, spacing },
  );
  if (!isTaken && (await dropImpossibleTimes(db, spacing)))
    return takeSlot(db, requestsPerMinute, urgency);
  return { isTaken, waitMs: Math.max(0, waitMs) };
}

/** Lets no request leave for `delayMs`, after a 429. */
export async function pauseSlots(db: Database, delayMs: number): Promise<void> {
  await query(
    db,
    `update rate_limiter set resumes_at = greatest(resumes_at, sync_now() + make_interval(secs => ?))`,
    [delayMs / 1_000],
  );
}

/** Drops the rate of an earlier start, which the console would go on showing. Called where the rate limiter is off. */
export async function forgetRate(db: Database): Promise<void> {
  await db('rate_limiter').update({ requestsPerMinute: null });
}
