import type Stripe from 'stripe';
import { STRIPE_EVENT_TYPES } from './event-effects.ts';
import { isLiveKey } from '../stripe/stripe-key.ts';
import { toDelivery, toRetry } from './stripe-event.ts';
import type { Delivery } from './stripe-event.ts';
import { takeDelivery } from './webhook.service.ts';
import type { EventOutcome, WebhookDeps } from './webhook.service.ts';
import { listParkedEvents } from './webhook.repository.ts';

/** How many events had each outcome. */
export type ReplayReport = Record<EventOutcome, number>;

/** Stripe keeps events this long. */
export const EVENTS_KEPT_DAYS = 30;

/**
 * Applies the events that Stripe could not deliver since `since`, oldest first, and the parked ones. Each is handled
 * like a delivery, so it is safe to run twice, and during deliveries. With `all`, includes events that Stripe
 * delivered. Throws if Stripe or Postgres is unreachable.
 */
export async function replayEvents(
  deps: WebhookDeps,
  options: {
    since: Date;
    all?: boolean;
    onProgress?: (report: ReplayReport, last: { id: string; type: string }) => void;
  },
): Promise<ReplayReport> {
  const report: ReplayReport = { applied: 0, ignored: 0, repeated: 0, parked: 0 };
  const take = async (delivery: Delivery) => {
    report[await takeDelivery(deps, delivery)] += 1;
    options.onProgress?.(report, delivery);
  };
  const missed = await listMissed(deps.stripe, options);
  for (const event of missed) await take(toDelivery(event, JSON.stringify(event), 'replay'));
  // An event of the other mode is ignored, and never parked.
  const isLive = isLiveKey(deps.settings.stripe.secretKey);
  for (const parked of await listParkedEvents(deps.db)) await take(toRetry(parked, isLive));
  return report;
}

/** Returns the oldest first. Stripe lists the newest first. */
async function listMissed(stripe: Stripe, { since, all }: { since: Date; all?: boolean }): Promise<Stripe.Event[]> {
  const events: Stripe.Event[] = [];
  const listed = stripe.events.list({
    types: [...STRIPE_EVENT_TYPES],
    created: { gte: Math.floor(since.getTime() / 1_000) },
    ...(all !== true && { delivery_success: false }),
    limit: 100,
  });
  for await (const event of listed) events.push(event);
  return events.toReversed();
}
