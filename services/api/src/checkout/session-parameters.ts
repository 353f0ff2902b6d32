import { OFFER, UPSELLS, formatPence, listPricePence, upsellPricePence } from '@site/schema/offer';
import type { BillingInterval, OfferPhase, UpsellPlan } from '@site/schema/offer';
import type { SubscribeButton } from '@site/schema/lead';
import type Stripe from 'stripe';
import { TERMS_CONSENT } from '../stripe/terms.ts';

/** A visitor's order. A null `plan` is the ordinary subscription. */
export type Order = {
  phase: OfferPhase;
  plan: UpsellPlan | null;
  /** The page to which a visitor returns without paying. */
  returnTo: '/' | '/sample-sent' | `/subscribe?from=${SubscribeButton}`;
  email: string | null;
  leadId: string | null;
  /** False for an email that has had its trial. */
  hasTrial: boolean;
  /** True if the visitor must accept the owner's terms on Stripe's page. */
  asksForTerms: boolean;
};

/** The owner's choices for every checkout. */
export type CheckoutChoices = { hasAutomaticTax: boolean; hasPromotionCodes: boolean };

export function intervalOf(plan: UpsellPlan | null): BillingInterval {
  return plan === null ? 'monthly' : UPSELLS[plan].interval;
}

/** Converts an order to Stripe's parameters. Pure: the same order gives the same parameters. */
export function toSessionParameters(
  order: Order,
  priceId: string,
  { publicUrl, checkout }: { publicUrl: string; checkout: CheckoutChoices },
): Stripe.Checkout.SessionCreateParams {
  const { phase, plan, returnTo, email, leadId, hasTrial, asksForTerms } = order;
  // A session's metadata does not reach its subscription, so both carry it.
  const metadata = {
    offer_phase: phase,
    plan: plan ?? 'monthly',
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
    ...(plan !== null
      ? { discounts: [{ coupon: plan }] }
      : checkout.hasPromotionCodes && { allow_promotion_codes: true }),
    // A tax id is offered, not required: requiring one would turn buyers away.
    ...(checkout.hasAutomaticTax && {
      automatic_tax: { enabled: true },
      billing_address_collection: 'required',
      tax_id_collection: { enabled: true },
    }),
    ...(asksForTerms && TERMS_CONSENT),
    custom_text: { submit: { message: describeCharge(order) } },
    // Stripe replaces the placeholder, so it must not be encoded.
    success_url: `${publicUrl}/thank-you?session_id={CHECKOUT_SESSION_ID}`,
    cancel_url: `${publicUrl}${returnTo}${returnTo.includes('?') ? '&' : '?'}checkout=cancelled`,
    locale: 'en-GB',
    // Otherwise Stripe may show and charge the visitor's local currency.
    adaptive_pricing: { enabled: false },
    // Stripe creates a recovery link when the session expires.
    after_expiration: { recovery: { enabled: true } },
  };
}

function describeCharge({ phase, plan, hasTrial }: Order): string {
  const interval = intervalOf(plan);
  const pence = plan === null ? listPricePence(phase, interval) : upsellPricePence(phase, plan);
  const price = `${formatPence(pence)} every ${interval === 'annual' ? 'year' : 'month'} until you cancel`;
  return hasTrial
    ? `Nothing is charged today. After ${OFFER.trialDays} days: ${price}. Cancel at any time; before then you pay nothing.`
    : `This address has had its trial, so the first payment is taken today: ${price}.`;
}
