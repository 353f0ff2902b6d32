import type { Database } from '@site/platform/database/connect';
import { isSlotValid, takeBackgroundSlot, takeSlot } from './slots.repository.ts';
import { setTimeout as sleep } from 'node:timers/promises';

/** Leads come first. While they wait, background work gets one slot in five. */
export type Urgency = 'lead' | 'background';

/** Every request to the newsletter, of any kind, waits here for a slot. */
export type RateLimiter = {
  /** Waits for a slot. Returns its generation, or null if the rate limiter is off. Rejects when `signal` is aborted. */
  waitForSlot(signal: AbortSignal, urgency?: Urgency): Promise<number | null>;
};

const BACKGROUND_RETRY_MS = 250;

/** Creates the rate limiter, which all processes share. A slot that is missed, or that a 429 makes void, is replaced by a later one. */
export function createRateLimiter(db: Database, requestsPerMinute: number): RateLimiter {
  if (requestsPerMinute === 0) return { waitForSlot: () => Promise.resolve(null) };
  return {
    async waitForSlot(signal, urgency = 'lead') {
      for (;;) {
        const take = urgency === 'lead' ? takeSlot : takeBackgroundSlot;
        const slot = await take(db, requestsPerMinute);
        await sleep(slot?.waitMs ?? BACKGROUND_RETRY_MS, undefined, { signal });
        if (slot && (await isSlotValid(db, slot))) return slot.generation;
      }
    },
  };
}
