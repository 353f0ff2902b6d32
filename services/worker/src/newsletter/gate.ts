import type { Database } from '@site/platform/database/connect';
import { isSlotValid, takeSlot } from '@site/platform/outbox/gate';
import type { Slot } from '@site/platform/outbox/gate';
import { setTimeout as sleep } from 'node:timers/promises';

/** Every request to the newsletter, of any kind, waits here for its slot. */
export type Gate = {
  /** Waits for a slot and returns its generation; null where the gate is off. Rejects when `signal` says the worker stops. */
  pass(signal: AbortSignal): Promise<number | null>;
};

/** The gate of all processes together. A slot that a 429 made void while it waited is given up for a later one. */
export function createGate(db: Database, requestsPerMinute: number): Gate {
  if (requestsPerMinute === 0) return { pass: () => Promise.resolve(null) };
  return {
    async pass(signal) {
      for (;;) {
        const slot: Slot = await takeSlot(db, requestsPerMinute);
        await sleep(slot.waitMs, undefined, { signal });
        if (await isSlotValid(db, slot.generation)) return slot.generation;
      }
    },
  };
}
