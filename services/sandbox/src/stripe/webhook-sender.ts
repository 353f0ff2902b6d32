import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import Stripe from 'stripe';
import { assignGiven } from './wire/objects.ts';
import type { EventObject } from './events.ts';

const ANSWER_TIMEOUT_MS = 10_000;
const DEFAULT_RETRY_DELAYS_MS = [1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000, 900_000];

/**
 * `shuffle` delays each delivery at random, so that the order changes. `duplicate` sends each event
 * twice. `updatedFirst` announces a new period before its invoice.
 */
export type Disorder = { shuffle: boolean; duplicate: boolean; updatedFirst: boolean };

const LATEST_MS = 250;

type WebhookSenderOptions = {
  url: string | null;
  secret: string;
  retryDelaysMs?: readonly number[] | undefined;
  touched: () => void;
};

/** Delivers signed events to the product. Anything but a 2xx is retried with increasing delays. */
export function createWebhookSender(options: WebhookSenderOptions) {
  const retryDelaysMs = options.retryDelaysMs ?? DEFAULT_RETRY_DELAYS_MS;
  const stop = new AbortController();
  // Every delivery in progress listens to this signal.
  setMaxListeners(0, stop.signal);
  const underWay = new Set<Promise<void>>();
  let url = options.url;
  const disorder: Disorder = { shuffle: false, duplicate: false, updatedFirst: false };

  async function deliver(event: EventObject): Promise<void> {
    for (const waitMs of [0, ...retryDelaysMs]) {
      await delay(waitMs, undefined, { ref: false, signal: stop.signal });
      if (url === null) return;
      if (await isAccepted(event, url)) {
        event.pending_webhooks = 0;
        options.touched();
        return;
      }
    }
  }

  async function isAccepted(event: EventObject, target: string): Promise<boolean> {
    const payload = JSON.stringify({ ...event, pending_webhooks: 1 }, null, 2);
    // Each attempt has its own signature, over the time of delivery.
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: options.secret });
    // Not AbortSignal.timeout: on Node 20, inside AbortSignal.any, it may be garbage-collected
    // before it fires.
    const tooLong = new AbortController();
    const timer = setTimeout(() => tooLong.abort(), ANSWER_TIMEOUT_MS);
    try {
      const response = await fetch(target, {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'stripe-signature': signature,
          'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        },
        body: payload,
        redirect: 'manual',
        signal: AbortSignal.any([stop.signal, tooLong.signal]),
      });
      await response.body?.cancel();
      return response.ok;
    } catch {
      return false;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    /** Starts the delivery without waiting for it. */
    send(event: EventObject): void {
      event.pending_webhooks = url === null ? 0 : 1;
      if (url === null) return;
      for (let copies = disorder.duplicate ? 2 : 1; copies > 0; copies -= 1) {
        const lateMs = disorder.shuffle ? Math.random() * LATEST_MS : 0;
        const delivery = delay(lateMs, undefined, { ref: false, signal: stop.signal })
          .then(() => deliver(event))
          .catch(() => {})
          .finally(() => underWay.delete(delivery));
        underWay.add(delivery);
      }
    },
    setDisorder(next: { [K in keyof Disorder]?: Disorder[K] | undefined }): void {
      assignGiven(disorder, next);
    },
    isUpdatedFirst: () => disorder.updatedFirst,
    url: () => url,
    setUrl(next: string | null): void {
      url = next;
    },
    /** Resolves when every delivery in progress was accepted or abandoned. */
    async settled(): Promise<void> {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    async close(): Promise<void> {
      stop.abort();
      await Promise.all(underWay);
    },
  };
}
