import Stripe from 'stripe';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import { epochSeconds } from '../clock.ts';
import type { Collection } from './wire/collection.ts';
import type { Endpoint } from './wire/endpoint.ts';
import { list } from './wire/endpoint.ts';
import { newId } from './wire/objects.ts';
import { flag, integer, text } from './wire/parameters.ts';

/** The only version the sandbox accepts: the SDK's own. */
export const API_VERSION: string = Stripe.API_VERSION;

export type EventType =
  | 'checkout.session.completed'
  | 'checkout.session.expired'
  | 'customer.updated'
  | 'customer.subscription.created'
  | 'customer.subscription.updated'
  | 'customer.subscription.deleted'
  | 'customer.subscription.trial_will_end'
  | 'invoice.created'
  | 'invoice.finalized'
  | 'invoice.paid'
  | 'invoice.payment_failed'
  | 'invoice.voided'
  | 'invoice.marked_uncollectible'
  | 'credit_note.created'
  | 'charge.refunded'
  | 'refund.created'
  | 'refund.updated'
  | 'refund.failed'
  | 'charge.dispute.created'
  | 'charge.dispute.updated'
  | 'charge.dispute.closed';
export type EventObject = ReturnType<typeof buildEvent>;

/** Records an event and sends it to the webhook endpoint. */
export type Emit = (type: EventType, object: object, previousAttributes?: object) => void;

export type EventDeps = {
  store: { events: Collection<EventObject> };
  clock: Clock;
  /** The URL for deliveries, or null. */
  webhookUrl: () => string | null;
};

const KEPT_SECONDS = 30 * 24 * 60 * 60;

let currentKey: string | null = null;

/** Runs a call whose events name its idempotency key. */
export function runUnderKey<T>(key: string | undefined, run: () => T): T {
  currentKey = key ?? null;
  try {
    return run();
  } finally {
    currentKey = null;
  }
}

/** Builds an event with a copy of the object as it is now. */
export function buildEvent(
  clock: Clock,
  type: EventType,
  object: object,
  previousAttributes?: object,
) {
  return {
    id: newId('evt'),
    object: 'event' as const,
    api_version: API_VERSION,
    created: epochSeconds(clock),
    data: {
      object: structuredClone(object) as Record<string, unknown>,
      ...(previousAttributes && { previous_attributes: previousAttributes }),
    },
    livemode: false,
    /** 1 until the webhook endpoint has accepted it. */
    pending_webhooks: 0,
    request: { id: null, idempotency_key: currentKey },
    type,
  };
}

/** Events, and the single webhook endpoint of the account. */
export function eventEndpoints({ store, clock, webhookUrl }: EventDeps): Endpoint[] {
  return [
    list(
      '/events',
      store.events,
      {
        created: z
          .strictObject({ gte: integer().default(0), lte: integer().default(Infinity) })
          .optional(),
        delivery_success: flag.optional(),
        types: z.array(text()).max(20, { error: 'At most 20 types' }).optional(),
      },
      (event, { created, delivery_success: isDelivered, types }) =>
        event.created >= Math.max(epochSeconds(clock) - KEPT_SECONDS, created?.gte ?? 0) &&
        event.created <= (created?.lte ?? Infinity) &&
        (types === undefined || types.includes(event.type)) &&
        (isDelivered === undefined || (event.pending_webhooks === 0) === isDelivered),
    ),
    list('/webhook_endpoints', {
      newestFirst: () => [webhookUrl()].flatMap((url) => (url === null ? [] : toEndpoint(url))),
    }),
  ];
}

const toEndpoint = (url: string) => ({
  id: 'we_sandbox',
  object: 'webhook_endpoint',
  api_version: API_VERSION,
  created: 1_700_000_000,
  enabled_events: ['*'],
  livemode: false,
  metadata: {},
  status: 'enabled',
  url,
});
