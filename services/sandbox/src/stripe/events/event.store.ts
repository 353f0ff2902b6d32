import Stripe from 'stripe';
import type { Clock } from '../../clock.ts';
import { epochSeconds } from '../../clock.ts';
import type { Collection } from '../wire/collection.ts';
import { newId } from '../wire/ids.ts';

/** The only version the sandbox accepts: the SDK's own. */
export const API_VERSION: string = Stripe.API_VERSION;

export const EVENT_TYPES = [
  'checkout.session.completed',
  'checkout.session.expired',
  'customer.updated',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.trial_will_end',
  'invoice.created',
  'invoice.finalized',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.marked_uncollectible',
  'invoice.voided',
  'charge.refunded',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];
export type EventObject = ReturnType<typeof buildEvent>;

/** Records what happened and sends it to the webhook endpoint. */
export type Emit = (type: EventType, object: object, previousAttributes?: object) => void;

export type EventDeps = {
  store: { events: Collection<EventObject> };
  clock: Clock;
  /** Where events are delivered; null if nowhere. */
  webhookUrl: () => string | null;
};

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
    request: { id: null, idempotency_key: null },
    type,
  };
}
