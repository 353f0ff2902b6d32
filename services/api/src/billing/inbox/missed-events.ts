import { isDatabaseUnavailable } from '@site/platform/database/connect';
import type { Database } from '@site/platform/database/connect';
import { task } from '@site/platform/database/task';
import type Stripe from 'stripe';
import { STRIPE_EVENT_TYPES } from '../reading/event-reading.ts';
import { isLiveKey } from '../../stripe/stripe.client.ts';
import { toDelivery, toRetry } from './stripe-event.ts';
import type { Delivery } from './stripe-event.ts';
import { listParkedEvents } from '../storing/event.repository.ts';
import type { Arrival } from '../storing/event.repository.ts';
import { takeDelivery } from './inbox.service.ts';
import type { EventOutcome, WebhookDeps } from './inbox.service.ts';

/*
 * Looks in Stripe's list for undelivered events. They are the only sign of a wrong secret or a
 * blocked endpoint. Before: `stripe-watch.ts`, the doctor, and `stripe:replay`. Next:
 * `inbox.service.ts`.
 */

const LOOK_BACK_MS = 24 * 60 * 60_000;
/** Stripe usually delivers within seconds. */
const LATE_MS = 10 * 60_000;

/**
 * Lists the events of the last day that should have been delivered and are not stored, oldest
 * first.
 */
export async function listMissedEvents(
  { db, stripe }: { db: Database; stripe: Stripe },
  now: Date,
): Promise<Stripe.Event[]> {
  const watch = await task(db, 'stripe-events').first('since');
  const from = Math.max(now.getTime() - LOOK_BACK_MS, watch?.since.getTime() ?? 0);
  const listed = await listEvents(
    stripe,
    {
      gte: Math.floor(from / 1_000),
      lte: Math.floor((now.getTime() - LATE_MS) / 1_000),
    },
    true,
  );
  const ids = listed.map(({ id }) => id);
  const stored = await db('stripe_events').whereIn('id', ids).pluck<string[]>('id');
  return listed.filter(({ id }) => !stored.includes(id));
}

/** After this many failures in a row Stripe is unreachable, and the next look begins again. */
const MAX_FAILURES = 3;

/**
 * Takes listed events, then retries parked ones. A failing event does not delay the others. Returns
 * the last failure, or null. Throws if Stripe or Postgres is unreachable.
 */
async function takeAll(
  deps: WebhookDeps,
  arrivedBy: Arrival,
  events: readonly Stripe.Event[],
  parked: Awaited<ReturnType<typeof listParkedEvents>>,
  onTaken?: (outcome: EventOutcome, delivery: Delivery) => void,
): Promise<unknown> {
  // An event of the other mode is ignored, and never parked.
  const isLive = isLiveKey(deps.settings.stripe.secretKey);
  const deliveries = [
    ...events.map((event) => toDelivery(event, JSON.stringify(event), arrivedBy)),
    ...parked.map((event) => toRetry(event, isLive)),
  ];
  let failures = 0;
  let last: unknown = null;
  for (const delivery of deliveries) {
    try {
      const outcome = await takeDelivery(deps, delivery);
      onTaken?.(outcome, delivery);
      failures = 0;
    } catch (error) {
      failures += 1;
      last = error;
      if (failures === MAX_FAILURES || isDatabaseUnavailable(error)) throw error;
    }
  }
  return last;
}

/** Applies undelivered events, and retries events that waited for a permission. As `takeAll`. */
export async function applyMissedEvents(deps: WebhookDeps): Promise<void> {
  const missed = await listMissedEvents(deps, deps.clock.now());
  if (missed.length > 0)
    deps.log.error({ missed: missed.length }, 'stripe events were not delivered');
  const waiting = await listParkedEvents(deps.db, { isForPermission: true });
  await takeAll(deps, 'listing', missed, waiting);
}

/** The number of events with each outcome. */
export type ReplayReport = Record<EventOutcome, number>;

/** Stripe keeps events this long. */
export const EVENTS_KEPT_DAYS = 30;

/**
 * Applies the events that Stripe could not deliver since `since`, oldest first, and the parked
 * events. Each is handled like a delivery, so the command is safe to run twice, and during
 * deliveries. With `all`, includes delivered events. Throws if an event could not be taken.
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
  const created = { gte: Math.floor(options.since.getTime() / 1_000) };
  const events = await listEvents(deps.stripe, created, options.all);
  const parked = await listParkedEvents(deps.db);
  const failure = await takeAll(deps, 'replay', events, parked, (outcome, delivery) => {
    report[outcome] += 1;
    options.onProgress?.(report, delivery);
  });
  if (failure !== null) throw failure;
  return report;
}

/** Lists the events we act on, the oldest first: all, or only the undelivered. */
async function listEvents(
  stripe: Stripe,
  created: Stripe.RangeQueryParam,
  all = false,
): Promise<Stripe.Event[]> {
  const events: Stripe.Event[] = [];
  const types = [...STRIPE_EVENT_TYPES];
  const undelivered = all ? {} : { delivery_success: false };
  for await (const event of stripe.events.list({ types, created, ...undelivered, limit: 100 }))
    events.push(event);
  return events.toReversed();
}
