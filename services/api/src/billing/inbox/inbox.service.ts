import { isDatabaseUnavailable } from '@site/platform/database/connect';
import { codeOf, errorMessage } from '@site/platform/process/logged-error';
import { z } from 'zod';
import { expireCheckouts } from '../storing/expire-checkouts.ts';
import { problem } from '../../http/problem.ts';
import { findPayer } from '../storing/payer-lead.repository.ts';
import type { CompleteCheckout } from '../reading/checkout-reading.ts';
import type { ApiSettings } from '../../settings.ts';
import type { StripeDeps } from '../storing/payer-lead.service.ts';
import { readDatabaseClock } from '../storing/subscription.repository.ts';
import { readerOf } from '../reading/event-reading.ts';
import { withInvoices } from '../reading/invoice-reading.ts';
import { listOpenInvoices } from '../storing/payment.repository.ts';
import { storeReading } from '../storing/store-reading.ts';
import type { ReadingOutcome } from '../storing/store-reading.ts';
import { named, openDelivery } from './stripe-event.ts';
import type { Delivery } from './stripe-event.ts';
import {
  isStripeError,
  isStripeUnreachable,
  readMissingPermission,
  toLoggedFailure,
  toLoggedStripeError,
} from '../../stripe/stripe-failure.ts';
import { isLiveKey } from '../../stripe/stripe.client.ts';
import {
  countRefusedSignature,
  isApplied,
  noteLateDelivery,
  parkEvent,
} from '../storing/event.repository.ts';

/*
 * Handles Stripe's events. An event means only that something changed, and the current state is
 * read from Stripe. Every event leaves one row: applied, ignored or parked. Before:
 * `webhook.routes.ts`. Next: `event-reading.ts`.
 */

export type WebhookDeps = StripeDeps & {
  settings: Pick<ApiSettings, 'stripe'>;
  /** Called with the outcome of every event. */
  onStripeEvent?: (outcome: EventOutcome) => void;
};

export type EventOutcome = ReadingOutcome | 'parked';

/**
 * Handles one delivery. Throws 400 for an invalid signature. Throws 503 while Postgres or Stripe is
 * unreachable, so that Stripe delivers it again. Any other failure would repeat, so it parks the
 * event.
 */
export async function receiveEvent(
  deps: WebhookDeps,
  body: unknown,
  signature: string | undefined,
): Promise<EventOutcome> {
  const { stripe, settings, db, log } = deps;
  let delivery: Delivery;
  try {
    delivery = openDelivery(stripe, body, signature, settings.stripe.webhookSecret);
  } catch (refusal) {
    const count = await countRefusedSignature(db);
    if (count !== null)
      log.warn(
        { count },
        'stripe event refused: its signature does not match STRIPE_WEBHOOK_SECRET',
      );
    throw refusal;
  }
  return takeDelivery(deps, delivery);
}

/** Handles an event of known origin: listed by Stripe, or parked here. */
export async function takeDelivery(deps: WebhookDeps, delivery: Delivery): Promise<EventOutcome> {
  const { db, log } = deps;
  // A parked event is tried again, and so is an ignored event, because a wrong setting may have
  // been the reason.
  if (await isApplied(db, delivery.id)) {
    if (delivery.arrivedBy === 'delivery') await noteLateDelivery(db, delivery.id);
    return 'repeated';
  }
  try {
    const outcome = await applyEvent(deps, delivery);
    log.info({ event: delivery.id, eventType: delivery.type, outcome }, 'stripe event received');
    return outcome;
  } catch (failure) {
    if (isStripeUnreachable(failure)) {
      log.warn(
        { event: delivery.id, ...toLoggedStripeError(failure) },
        'stripe is unreachable, the event will be delivered again',
      );
      throw problem('stripe-unavailable', { retryAfterSeconds: 30 }, { cause: failure });
    }
    if (isDatabaseUnavailable(failure) || isLostRace(failure)) throw failure;
    await parkEvent(
      db,
      delivery,
      named.safeParse(delivery.readable?.object).data?.id ?? null,
      toParkedText(failure),
      readMissingPermission(failure),
    );
    log.error(
      { event: delivery.id, eventType: delivery.type, ...toLoggedFailure(failure) },
      'stripe event parked',
    );
    return 'parked';
  }
}

async function applyEvent(
  deps: WebhookDeps,
  { readable, ...event }: Delivery,
): Promise<EventOutcome> {
  const { db, stripe, settings } = deps;
  if (readable === null) throw new Error('the body is not a Stripe event');
  const read = readerOf(event.type);
  if (!read || readable.isLive !== isLiveKey(settings.stripe.secretKey))
    return storeReading(deps, [], event);
  const objectId = named.parse(readable.object).id;
  const readings = await read(stripe, objectId, await readDatabaseClock(db), readable.object);
  // Expires first, because a recorded event is not delivered again.
  for (const { checkout } of readings)
    if (checkout?.state === 'complete') await expireOtherCheckouts(deps, checkout);
  const whole = readings.map(async (reading) => {
    const open = await listOpenInvoices(db, reading.stripeSubscriptionId);
    return reading.subscription === 'foreign' ? reading : withInvoices(stripe, reading, open);
  });
  const outcome = await storeReading(deps, await Promise.all(whole), event);
  // Another checkout may have opened meanwhile. From now on, one that opens sees the subscription.
  for (const { checkout } of readings)
    if (checkout?.state === 'complete')
      await expireOtherCheckouts(deps, checkout).catch((error: unknown) =>
        deps.log.warn(toLoggedFailure(error), 'other checkouts may still be open'),
      );
  return outcome;
}

/** Expires the other open checkouts of an email that has just paid. */
async function expireOtherCheckouts(
  deps: Pick<WebhookDeps, 'db' | 'stripe'>,
  { id, createdAt: startedAt, recoveredFrom, ...checkout }: CompleteCheckout,
): Promise<void> {
  const { email } = await findPayer(deps.db, {
    ...checkout,
    startedAt,
    checkoutIds: [id, recoveredFrom].filter((each) => each !== null),
  });
  if (email !== null) await expireCheckouts(deps, email, id);
}

/**
 * Returns true if Postgres ended one of two conflicting transactions. The next delivery succeeds.
 */
const isLostRace = (failure: unknown) => ['40001', '40P01'].includes(codeOf(failure));

/** Returns a failure's text for the console's list of parked events. */
function toParkedText(failure: unknown): string {
  if (failure instanceof z.ZodError) {
    const issues = failure.issues
      .map(({ path, message }) => `${path.join('.')}: ${message}`)
      .join('; ');
    return `Its data has an unexpected format: ${issues}.`;
  }
  const permission = readMissingPermission(failure);
  if (permission !== null) return `The Stripe key lacks a permission: ${permission}.`;
  if (isStripeError(failure))
    return (
      `Stripe did not return the object it is about (${failure.statusCode} ` +
      `${failure.code ?? failure.rawType ?? 'without a code'}).`
    );
  return (
    'Applying it failed: ' +
    `${failure instanceof Error ? `${failure.name}: ` : ''}${errorMessage(failure)}.`
  );
}
