import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import Stripe from 'stripe';
import { assignGiven } from '../wire/assign-given.ts';
import type { EventObject } from './event.store.ts';

const ANSWER_TIMEOUT_MS = 10_000;
const DEFAULT_RETRY_DELAYS_MS = [1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000, 900_000];

/** How deliveries are made worse than they usually are: late by chance, so in any order, and twice. */
export type Disorder = { shuffle: boolean; duplicate: boolean };

const LATEST_MS = 250;

type WebhookSenderOptions = {
  url: string | null;
  secret: string;
  retryDelaysMs?: readonly number[] | undefined;
  touched: () => void;
};

/** Delivers events to the product, signed; what is not taken with a 2xx is sent again, ever more slowly. */
export function createWebhookSender(options: WebhookSenderOptions) {
  const retryDelaysMs = options.retryDelaysMs ?? DEFAULT_RETRY_DELAYS_MS;
  const stop = new AbortController();
  // Every delivery under way listens to it.
  setMaxListeners(0, stop.signal);
  const underWay = new Set<Promise<void>>();
  let url = options.url;
  const disorder: Disorder = { shuffle: false, duplicate: false };

  async function deliver(event: EventObject): Promise<void> {
    for (const waitMs of [0, ...retryDelaysMs]) {
      await delay(waitMs, undefined, { ref: false, signal: stop.signal });
      if (url === null) return;
      if (await isTaken(event, url)) {
        event.pending_webhooks = 0;
        options.touched();
        return;
      }
    }
  }

  async function isTaken(event: EventObject, target: string): Promise<boolean> {
    const payload = JSON.stringify({ ...event, pending_webhooks: 1 }, null, 2);
    // Signed with the time of the delivery, not of the event: each attempt carries a fresh signature.
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: options.secret });
    // A timer of its own: on Node 20 a time-out inside AbortSignal.any may be collected before it fires.
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
    /** Starts the delivery and does not wait for it. */
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
    url: () => url,
    setUrl(next: string | null): void {
      url = next;
    },
    /** Resolves when every delivery that is under way has been taken or given up. */
    async settled(): Promise<void> {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    async close(): Promise<void> {
      stop.abort();
      await Promise.all(underWay);
    },
  };
}
