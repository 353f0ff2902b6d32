import { error, ok, warning } from '@site/platform/doctor/findings';
import type { Finding } from '@site/platform/doctor/findings';
import { isSandboxValue } from '@site/platform/settings/production';
import Stripe from 'stripe';
import { isStripeError } from '../stripe/stripe-failure.ts';
import { STRIPE_EVENT_TYPES } from '../webhook/event-effects.ts';

const CHECK = 'Stripe webhook';

/** Checks that Stripe has our webhook address, and sends the events we use in the API version we read. */
export async function examineWebhook(stripe: Stripe, publicUrl: string): Promise<Finding[]> {
  const url = `${publicUrl}/api/stripe/webhook`;
  let endpoints: Stripe.WebhookEndpoint[];
  try {
    endpoints = (await stripe.webhookEndpoints.list({ limit: 100 })).data;
  } catch (fault) {
    if (!isStripeError(fault)) throw fault;
    return [
      warning(
        CHECK,
        `cannot be read with this key (${fault.statusCode ?? 'no answer'})`,
        `See in Stripe's dashboard that events are sent to ${url}.`,
      ),
    ];
  }
  const endpoint = endpoints.find((each) => each.url.replace(/\/+$/, '') === url);
  if (endpoint) return examineEndpoint(endpoint);
  // Stripe cannot reach a loopback address.
  return isSandboxValue(publicUrl)
    ? [
        warning(
          CHECK,
          `Stripe cannot reach ${url}`,
          `Forward events with Stripe's CLI: stripe listen --forward-to ${url}`,
        ),
      ]
    : [
        error(
          CHECK,
          `Stripe sends no events to ${url}`,
          `Add that endpoint in Stripe's dashboard, version ${Stripe.API_VERSION}, events ${STRIPE_EVENT_TYPES.join(', ')}; its secret goes into STRIPE_WEBHOOK_SECRET.`,
        ),
      ];
}

function examineEndpoint(endpoint: Stripe.WebhookEndpoint): Finding[] {
  if (endpoint.status !== 'enabled') {
    return [error(CHECK, `the endpoint is ${endpoint.status}`, "Enable it in Stripe's dashboard.")];
  }
  const events: string[] = endpoint.enabled_events;
  const missing = events.includes('*')
    ? []
    : STRIPE_EVENT_TYPES.filter((type) => !events.includes(type));
  if (missing.length > 0) {
    return [
      error(
        CHECK,
        `these events are not sent: ${missing.join(', ')}`,
        "Add them to the endpoint in Stripe's dashboard.",
      ),
    ];
  }
  if (endpoint.api_version !== Stripe.API_VERSION) {
    return [
      warning(
        CHECK,
        `events come in version ${endpoint.api_version ?? 'of the account'}, and are read as ${Stripe.API_VERSION}`,
        `Create the endpoint again with version ${Stripe.API_VERSION}.`,
      ),
    ];
  }
  return [ok(CHECK, `${endpoint.url}, with every event we act on`)];
}
