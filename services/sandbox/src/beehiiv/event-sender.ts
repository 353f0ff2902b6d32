import type { BeehiivEventType } from '@site/schema/beehiiv-events';
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import { epochSeconds } from '../clock.ts';
import type { Webhook } from './beehiiv.store.ts';

const RETRY_DELAYS_MS = [0, 1_000, 5_000, 30_000];
/** With `shuffle`, an event is late by up to this much, so that the order changes. */
const SHUFFLED_BY_MS = 500;

/** Faults of the delivery: late, out of order, twice, and never. */
export type EventFaults = { delayMs: number; shuffle: boolean; duplicate: boolean; drop: boolean };
const NO_FAULTS: EventFaults = { delayMs: 0, shuffle: false, duplicate: false, drop: false };

export type EventSender = ReturnType<typeof createEventSender>;

/** Sends events to the registered webhooks, unsigned. Retries anything but a 2xx a few times. */
export function createEventSender(clock: Clock, webhooks: () => readonly Webhook[]) {
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  let faults = NO_FAULTS;

  async function deliver(url: string, body: string, lateMs: number): Promise<void> {
    for (const waitMs of [lateMs, ...RETRY_DELAYS_MS.slice(1)]) {
      await delay(waitMs, undefined, { ref: false, signal: stop.signal });
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'beehiiv' },
        body,
        redirect: 'manual',
        signal: stop.signal,
      }).catch(() => undefined);
      await answer?.body?.cancel();
      if (answer?.ok) return;
    }
  }

  return {
    /** Starts the deliveries without waiting for them. */
    send(type: BeehiivEventType, data: object, afterMs = 0): void {
      if (faults.drop) return;
      const event = {
        uid: `evt_${randomUUID()}`,
        event_timestamp: epochSeconds(clock),
        event_type: type,
        data,
      };
      const late = () => (faults.shuffle ? Math.random() * SHUFFLED_BY_MS : 0);
      for (const { url, event_types: types } of webhooks()) {
        if (!types.includes(type)) continue;
        for (let copies = faults.duplicate ? 2 : 1; copies > 0; copies -= 1)
          deliver(url, JSON.stringify(event), afterMs + faults.delayMs + late()).catch(() => {});
      }
    },
    setFaults(next: { [K in keyof EventFaults]?: EventFaults[K] | undefined }): EventFaults {
      faults = { ...NO_FAULTS, ...next } as EventFaults;
      return faults;
    },
    close: () => stop.abort(),
  };
}
