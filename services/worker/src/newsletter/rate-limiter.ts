import type { Database } from '@site/platform/database/connect';
import { isSlotValid, takeBackgroundSlot, takeSlot } from './slots.repository.ts';
import { setTimeout as sleep } from 'node:timers/promises';

/** Leads come first; background work (look-ups nobody waits for) takes one slot in five while leads wait. */
export type Urgency = 'lead' | 'background';

/** Every request to the newsletter, of any kind, waits here for its slot. */
export type RateLimiter = {
  /** Waits for a slot and returns its generation; null where the rate limiter is off. Rejects when `signal` says the worker stops. */
  pass(signal: AbortSignal, urgency?: Urgency): Promise<number | null>;
};

const BACKGROUND_ASKS_AGAIN_MS = 250;

/** The rate limiter of all processes together. A slot that a 429 made void while it waited, or that was missed, is given up for a later one. */
export function createRateLimiter(db: Database, requestsPerMinute: number): RateLimiter {
  if (requestsPerMinute === 0) return { pass: () => Promise.resolve(null) };
  return {
    async pass(signal, urgency = 'lead') {
      for (;;) {
        const take = urgency === 'lead' ? takeSlot : takeBackgroundSlot;
        const slot = await take(db, requestsPerMinute);
        await sleep(slot?.waitMs ?? BACKGROUND_ASKS_AGAIN_MS, undefined, { signal });
        if (slot && (await isSlotValid(db, slot))) return slot.generation;
      }
    },
  };
}
