import Stripe from 'stripe';
import type { Clock } from '../../clock.ts';
import { epochSeconds } from '../../clock.ts';
import { newId } from '../wire/ids.ts';

/** The one version this stand-in speaks: the SDK's own. */
export const API_VERSION: string = Stripe.API_VERSION;

export const EVENT_TYPES = [
  'checkout.session.completed',
  'checkout.session.expired',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.trial_will_end',
  'invoice.created',
  'invoice.finalized',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.voided',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.closed',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];
export type EventObject = ReturnType<typeof buildEvent>;

/** What happened, with the object as it was at that moment. */
export function buildEvent(clock: Clock, type: EventType, object: object, previousAttributes?: object) {
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
    /** 1 until the webhook endpoint has taken it. */
    pending_webhooks: 0,
    request: { id: null, idempotency_key: null },
    type,
  };
}
