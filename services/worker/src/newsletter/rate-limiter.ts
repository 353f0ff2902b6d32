import type { Database } from '@site/platform/database/connect';
import { setTimeout as sleep } from 'node:timers/promises';
import { query, queryOne } from '@site/platform/database/query';
import { renewEmail } from '@site/platform/outbox/email-lease';

/** Every request to the newsletter, of any kind, waits here for a slot. */
export type RateLimiter = {
  /**
   * Waits for a slot, and takes it when the request can leave. Returns false without a slot if the
   * request is no longer needed. Rejects when `signal` is aborted.
   */
  waitForSlot(
    signal: AbortSignal,
    urgency?: Urgency,
    isNeeded?: () => Promise<boolean>,
  ): Promise<boolean>;
};

/**
 * The longest wait between two tries. A 429's reset may be minutes ahead, and background work
 * depends on the leads.
 */
const LONGEST_WAIT_MS = { lead: 5_000, background: 500 };

const always = () => Promise.resolve(true);

type Wait = (ms: number, signal: AbortSignal) => Promise<unknown>;
const wait: Wait = (ms, signal) => sleep(ms, undefined, { signal });

/**
 * Creates the rate limiter that all processes share. In each process, waiting requests take turns,
 * and only the first asks the database.
 */
export function createRateLimiter(
  db: Database,
  requestsPerMinute: number,
  waitFor = wait,
): RateLimiter {
  if (requestsPerMinute === 0) return { waitForSlot: always };

  async function take(
    signal: AbortSignal,
    urgency: Urgency,
    isNeeded: () => Promise<boolean>,
  ): Promise<boolean> {
    for (;;) {
      signal.throwIfAborted();
      if (!(await isNeeded())) return false;
      const { isTaken, waitMs } = await takeSlot(db, requestsPerMinute, urgency);
      if (isTaken && waitMs === 0) return true;
      await waitFor(Math.min(LONGEST_WAIT_MS[urgency], Math.max(1, Math.ceil(waitMs))), signal);
      // A slot taken early is void if a 429 arrived meanwhile.
      if (isTaken && (await db('rate_limiter').whereRaw('resumes_at <= sync_now()').first('id')))
        return true;
    }
  }

  const turns: Record<Urgency, Promise<unknown>> = {
    lead: Promise.resolve(),
    background: Promise.resolve(),
  };
  return {
    waitForSlot(signal, urgency = 'lead', isNeeded = always) {
      const turn = turns[urgency].then(() => take(signal, urgency, isNeeded));
      turns[urgency] = turn.catch(() => undefined);
      return turn;
    },
  };
}

/*
 * The slots of the rate limiter: one row for all processes, on the database's clock. Slots are
 * evenly spaced, so no 60 seconds exceed the allowance. A slot is used as soon as it is taken, so a
 * stopped process leaves no gap, and a 429 finds no booked slots.
 */

/** Leads come first. While they wait, background work gets one slot in five. */
export type Urgency = 'lead' | 'background';

/**
 * Slightly more than an even share of a minute, so that late timers never add a request too many.
 */
const SPACING_MARGIN = 1.025;

/** Returns the milliseconds between two slots: 410 at 150 requests per minute. */
export function slotSpacingMs(requestsPerMinute: number): number {
  return (60_000 / requestsPerMinute) * SPACING_MARGIN;
}

/**
 * Corrects times that are too far ahead, because the clock has stepped back. Returns true if it
 * corrected any. A slot is at most two spacings ahead, a background slot seven, a reset five
 * minutes.
 */
async function dropImpossibleTimes(db: Database, spacing: number): Promise<boolean> {
  const dropped = await query(
    db,
    `update rate_limiter set
       next_slot_at = least(next_slot_at, sync_now()),
       next_background_slot_at = least(next_background_slot_at, sync_now()),
       resumes_at = case
         when resumes_at > sync_now() + interval '305 seconds' then sync_now()
         else resumes_at
       end
     where next_slot_at > sync_now() + make_interval(secs => 4 * :spacing::float8)
       or next_background_slot_at > sync_now() + make_interval(secs => 9 * :spacing::float8)
       or resumes_at > sync_now() + interval '305 seconds'
     returning id`,
    { spacing },
  );
  return dropped.length > 0;
}

/**
 * Takes the next slot if it is free. `waitMs` is the wait before its request if the slot was taken,
 * otherwise before the next try.
 */
export async function takeSlot(
  db: Database,
  requestsPerMinute: number,
  urgency: Urgency,
): Promise<{ isTaken: boolean; waitMs: number }> {
  const spacing = slotSpacingMs(requestsPerMinute) / 1_000;
  const { isTaken, waitMs } = await queryOne<{ isTaken: boolean; waitMs: number }>(
    db,
    'select * from take_slot(:requestsPerMinute, make_interval(secs => :spacing), :isBackground)',
    { requestsPerMinute, spacing, isBackground: urgency === 'background' },
    'take slot',
  );
  if (!isTaken && (await dropImpossibleTimes(db, spacing)))
    return takeSlot(db, requestsPerMinute, urgency);
  return { isTaken, waitMs: Math.max(0, waitMs) };
}

/** Lets no request leave for `delayMs`, after a 429. */
export async function pauseSlots(db: Database, delayMs: number): Promise<void> {
  await query(
    db,
    `update rate_limiter set
       resumes_at = greatest(resumes_at, sync_now() + make_interval(secs => :delay))`,
    { delay: delayMs / 1_000 },
  );
}

/**
 * Forgets the rate of an earlier start, which the console would otherwise keep showing. Called when
 * the rate limiter is off.
 */
export async function forgetRate(db: Database): Promise<void> {
  await db('rate_limiter').update({ requestsPerMinute: null });
}

/** A third of a lease, so that one renewal may fail. */
const RENEW_EVERY_MS = 15_000;

/**
 * Renews a lease until `wait` settles. At a low rate, or after a 429, the wait for a slot may
 * outlast a lease. The caller must check afterwards that it still holds the lease.
 */
export async function withLeaseRenewal<T>(
  renew: () => Promise<unknown>,
  wait: Promise<T>,
): Promise<T> {
  const timer = setInterval(() => void renew().catch(() => undefined), RENEW_EVERY_MS);
  try {
    return await wait;
  } finally {
    clearInterval(timer);
  }
}

/**
 * Waits for a slot and renews the lease before a further request. Returns false if the lease was
 * lost.
 */
export type PrepareNext = () => Promise<boolean>;

/** Creates the preparation for each further request of a run that leases an email. */
export function createPrepareNext(
  { db, rateLimiter }: { db: Database; rateLimiter: RateLimiter },
  leasedBy: string,
  signal: AbortSignal,
  urgency?: Urgency,
): PrepareNext {
  const renew = () => renewEmail(db, leasedBy);
  return async () => {
    await withLeaseRenewal(renew, rateLimiter.waitForSlot(signal, urgency));
    return renew();
  };
}
