import type { Database } from '@site/platform/database/connect';
import { takeSlot } from './slots.repository.ts';
import type { Urgency } from './slots.repository.ts';
import { setTimeout as sleep } from 'node:timers/promises';

/** Every request to the newsletter, of any kind, waits here for a slot. */
export type RateLimiter = {
  /**
   * Waits for a slot, and takes it when the request can leave. Returns false without a slot if the
   * request is no longer needed by then. Rejects when `signal` is aborted.
   */
  waitForSlot(
    signal: AbortSignal,
    urgency?: Urgency,
    isNeeded?: () => Promise<boolean>,
  ): Promise<boolean>;
};

/** The longest wait between two tries: a 429's reset may be minutes ahead, and background work depends on the leads. */
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
      // A slot taken early is void if a 429 has come meanwhile.
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
