import { createHash } from 'node:crypto';
import type { Clock } from '@site/platform/process/clock';
import type Stripe from 'stripe';
import { callUnderKeys, OPERATOR_REQUEST } from '../stripe/repeatable-call.ts';
import type { Deadline } from '@site/platform/process/with-timeout';
import { OFFER, UPSELL_PLANS, formatPence, intervalOf, orderPricePence } from '@site/schema/offer';
import type { OfferPhase, OrderedPlan } from '@site/schema/offer';
import type { SubscribeButton } from '@site/schema/lead';
import { TERMS_CONSENT } from '../stripe/terms.ts';

const CALL_TIMEOUT_MS = 4_000;
/** A returning visitor needs at least this long to pay. */
const MIN_LIFETIME_MS = 30 * 60_000;

/** The same caller with the same parameters gets the same session. */
export type SessionRequest = { params: Stripe.Checkout.SessionCreateParams; caller: string };

/** `endsAt`: when Stripe ends the session, at most a day later. */
export type OpenedSession = { id: string; url: string; endsAt: Date };

export function callOptions(deadline: Deadline): Stripe.RequestOptions {
  return { timeout: Math.max(1, Math.min(CALL_TIMEOUT_MS, deadline.leftMs())) };
}

/**
 * Opens a checkout and returns its id and URL. A double click gets the same checkout from any
 * process. The idempotency key covers all parameters, so two different orders never share a
 * checkout. If a key returns an ended checkout or an earlier failure, tries the next key. Repeats a
 * transient failure once.
 */
export async function openSession(
  { stripe, clock }: { stripe: Stripe; clock: Clock },
  { params, caller }: SessionRequest,
  deadline: Deadline,
): Promise<OpenedSession | null> {
  return callUnderKeys({
    toKey: (place) =>
      `checkout-${createHash('sha256')
        .update(JSON.stringify([params, caller, place]))
        .digest('hex')}`,
    call: async (options) => {
      const made = await stripe.checkout.sessions.create(params, {
        ...callOptions(deadline),
        ...options,
      });
      // A repeated answer shows the session at its creation.
      const isRepeated = made.lastResponse.headers['idempotent-replayed'] === 'true';
      const session = isRepeated
        ? await stripe.checkout.sessions.retrieve(made.id, {}, callOptions(deadline))
        : made;
      const { id, url } = session;
      const endsAt = new Date(session.expires_at * 1_000);
      return url !== null && isOpen(session, isRepeated ? clock.now() : null)
        ? { id, url, endsAt }
        : null;
    },
    repeats: true,
    leftMs: deadline.leftMs,
  });
}

function isOpen(
  { status, expires_at: expiresAt }: Stripe.Checkout.Session,
  repeatedAt: Date | null,
): boolean {
  return (
    status === 'open' &&
    (repeatedAt === null || expiresAt * 1_000 - repeatedAt.getTime() > MIN_LIFETIME_MS)
  );
}

/** A visitor's order, or an operator's for them. */
export type Order = {
  phase: OfferPhase;
  plan: OrderedPlan;
  /** The operator's request for a payment link. Null for a visitor's order. */
  operatorRequest: string | null;
  /** The page to which a visitor returns without paying. */
  returnTo: '/' | '/sample-sent' | `/subscribe?from=${SubscribeButton}`;
  email: string | null;
  leadId: string | null;
  /** False for an email that had a subscription before. */
  hasTrial: boolean;
  /** True if the visitor must accept the owner's terms on Stripe's page. */
  asksForTerms: boolean;
};

/** The owner's choices for every checkout. */
export type CheckoutChoices = { hasAutomaticTax: boolean; hasPromotionCodes: boolean };

/** Converts an order to Stripe's parameters. Pure: the same order gives the same parameters. */
export function toSessionParameters(
  order: Order,
  priceId: string,
  { publicUrl, checkout }: { publicUrl: string; checkout: CheckoutChoices },
): Stripe.Checkout.SessionCreateParams {
  const { phase, plan, operatorRequest, returnTo, email, leadId, hasTrial, asksForTerms } = order;
  const coupon = UPSELL_PLANS.find((name) => name === plan);
  // A session's metadata does not reach its subscription, so both carry it.
  const metadata = {
    offer_phase: phase,
    plan,
    ...(operatorRequest !== null && { [OPERATOR_REQUEST]: operatorRequest }),
    ...(leadId !== null && { lead_id: leadId }),
  };
  return {
    mode: 'subscription',
    line_items: [{ price: priceId, quantity: 1 }],
    subscription_data: {
      metadata,
      ...(hasTrial && {
        trial_period_days: OFFER.trialDays,
        trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
      }),
    },
    payment_method_collection: 'always',
    ...(email !== null && { customer_email: email }),
    ...(leadId !== null && { client_reference_id: leadId }),
    metadata,
    // Stripe refuses both together: an upsell has its own discount.
    ...(coupon
      ? { discounts: [{ coupon }] }
      : checkout.hasPromotionCodes && { allow_promotion_codes: true }),
    // A tax id is offered, not required: requiring one would turn buyers away.
    ...(checkout.hasAutomaticTax && {
      automatic_tax: { enabled: true },
      billing_address_collection: 'required',
      tax_id_collection: { enabled: true },
    }),
    ...(asksForTerms && TERMS_CONSENT),
    custom_text: { submit: { message: toChargeText(order) } },
    // Stripe replaces the placeholder, so it must not be encoded.
    success_url: `${publicUrl}/thank-you?session_id={CHECKOUT_SESSION_ID}`,
    cancel_url: `${publicUrl}${returnTo}${returnTo.includes('?') ? '&' : '?'}checkout=cancelled`,
    locale: 'en-GB',
    // Otherwise Stripe may show and charge the visitor's local currency.
    adaptive_pricing: { enabled: false },
    // Stripe creates a recovery link when the session expires. Its checkout would count as the
    // visitor's, so a payment link has none.
    ...(operatorRequest === null && { after_expiration: { recovery: { enabled: true } } }),
  };
}

function toChargeText({ phase, plan, hasTrial }: Order): string {
  const interval = intervalOf(plan);
  const period = interval === 'annual' ? 'year' : 'month';
  const price = `${formatPence(orderPricePence(phase, plan))} every ${period} until you cancel`;
  return hasTrial
    ? `Nothing is charged today. After ${OFFER.trialDays} days: ${price}. Cancel at any time; ` +
        'before then you pay nothing.'
    : `This email had a subscription before, so the first payment is taken today: ${price}.`;
}
