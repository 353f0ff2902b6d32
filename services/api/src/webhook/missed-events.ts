import { isDatabaseUnavailable } from '@site/platform/database/connect';
import type { Database } from '@site/platform/database/connect';
import type { Row } from '@site/platform/database/tables';
import type Stripe from 'stripe';
import { STRIPE_EVENT_TYPES } from './event-effects.ts';
import { isLiveKey } from '../stripe/stripe-key.ts';
import { toDelivery, toRetry } from './stripe-event.ts';
import { findStored, listParkedEvents } from './webhook.repository.ts';
import { takeDelivery } from './webhook.service.ts';
import type { WebhookDeps } from './webhook.service.ts';

/*
 * Looks in Stripe's list for events that were not delivered: the sign of a wrong secret or a blocked endpoint, whose
 * deliveries we never see. Before: `stripe-watch.ts` and the doctor. Next: `webhook.service.ts`.
 */

const LOOK_BACK_MS = 24 * 60 * 60_000;
/** Stripe usually delivers within seconds. */
const LATE_MS = 10 * 60_000;
/** Enough for a day of most accounts. What is left is listed at the next look. */
const MAX_LISTED = 1_000;

/** Lists the events of the last day that should have been delivered and are not stored, oldest first. */
export async function listMissedEvents(
  { db, stripe }: { db: Database; stripe: Stripe },
  now: Date,
): Promise<Stripe.Event[]> {
  const watch = await db<Row<'stripe_watch'>>('stripe_watch').first('since');
  const from = Math.max(now.getTime() - LOOK_BACK_MS, watch?.since.getTime() ?? 0);
  const listed = await stripe.events
    .list({
      types: [...STRIPE_EVENT_TYPES],
      created: { gte: Math.floor(from / 1_000), lte: Math.floor((now.getTime() - LATE_MS) / 1_000) },
      limit: 100,
    })
    .autoPagingToArray({ limit: MAX_LISTED });
  const stored = await findStored(
    db,
    listed.map(({ id }) => id),
  );
  return listed.filter(({ id }) => !stored.has(id)).toReversed();
}

/** After this many in a row it is not the events: Stripe is unreachable, and the next look begins again. */
const MAX_FAILURES = 3;

/**
 * Applies the events that were not delivered, and tries again those that waited for a permission. Returns how many were not
 * delivered. One that fails does not hold up the others. Throws if Stripe is unreachable.
 */
export async function applyMissedEvents(deps: WebhookDeps): Promise<number> {
  const missed = await listMissedEvents(deps, deps.clock.now());
  if (missed.length > 0) deps.log.error({ missed: missed.length }, 'stripe events were not delivered');
  const isLive = isLiveKey(deps.settings.stripe.secretKey);
  const waiting = await listParkedEvents(deps.db, { isForPermission: true });
  const deliveries = [
    ...missed.map((event) => toDelivery(event, JSON.stringify(event), 'listing')),
    ...waiting.map((event) => toRetry(event, isLive)),
  ];
  let failures = 0;
  for (const delivery of deliveries) {
    try {
      await takeDelivery(deps, delivery);
      failures = 0;
    } catch (error) {
      failures += 1;
      if (failures === MAX_FAILURES || isDatabaseUnavailable(error)) throw error;
    }
  }
  return missed.length;
}
