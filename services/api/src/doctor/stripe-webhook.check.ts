import { error, ok, warning } from '@site/platform/doctor/findings';
import type { Finding } from '@site/platform/doctor/findings';
import { isSandboxValue } from '@site/platform/settings/production';
import Stripe from 'stripe';
import { isStripeError } from '../stripe/stripe-failure.ts';
import { STRIPE_EVENT_TYPES } from '../webhook/event-effects.ts';

const CHECK = 'Stripe webhook';

/** Checks that Stripe has our webhook URL, and sends the events we use in the API version we read. */
export async function examineWebhook(stripe: Stripe, publicUrl: string): Promise<Finding> {
  const url = `${publicUrl}/api/stripe/webhook`;
  let endpoint: Stripe.WebhookEndpoint | undefined;
  try {
    const { data } = await stripe.webhookEndpoints.list({ limit: 100 });
    endpoint = data.find((each) => each.url.replace(/\/+$/, '') === url);
  } catch (fault) {
    if (!isStripeError(fault)) throw fault;
    const message = `cannot be read with this key (${fault.statusCode ?? 'no answer'})`;
    return warning(CHECK, message, `See in Stripe's dashboard that events are sent to ${url}.`);
  }
  if (!endpoint && isSandboxValue(publicUrl))
    return warning(
      CHECK,
      `Stripe cannot reach ${url}`,
      `Forward events with Stripe's CLI: stripe listen --forward-to ${url}`,
    );
  if (!endpoint)
    return error(
      CHECK,
      `Stripe sends no events to ${url}`,
      `Add that endpoint in Stripe's dashboard, version ${Stripe.API_VERSION}, events ${STRIPE_EVENT_TYPES.join(', ')}; its secret goes into STRIPE_WEBHOOK_SECRET.`,
    );
  const { status, enabled_events: events, api_version: version } = endpoint;
  const missing = STRIPE_EVENT_TYPES.filter((type) => !events.includes(type));
  if (status !== 'enabled')
    return error(CHECK, `the endpoint is ${status}`, "Enable it in Stripe's dashboard.");
  if (!events.includes('*') && missing.length > 0)
    return error(
      CHECK,
      `these events are not sent: ${missing.join(', ')}`,
      "Add them to the endpoint in Stripe's dashboard.",
    );
  if (version !== Stripe.API_VERSION)
    return warning(
      CHECK,
      `events come in version ${version ?? 'of the account'}, and are read as ${Stripe.API_VERSION}`,
      `Create the endpoint again with version ${Stripe.API_VERSION}.`,
    );
  return ok(CHECK, `${url}, with every event we act on`);
}
