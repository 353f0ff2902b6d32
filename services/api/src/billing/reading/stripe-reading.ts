import type { CheckoutReading } from './checkout-reading.ts';
import type { ChargeSnapshot, DisputeSnapshot, InvoiceSnapshot } from './payment-snapshots.ts';
import type { Foreign, SubscriptionSnapshot } from './subscription-reading.ts';

/** Stripe's data about one subscription, or a checkout without one, read just after `readAt`. */
export type StripeReading = {
  readAt: string;
  stripeSubscriptionId: string | null;
  /** `foreign`: it belongs to another product now. Null for a checkout that started none. */
  subscription: SubscriptionSnapshot | Foreign | null;
  /** The checkout that started it, or that ended without one. */
  checkout?: CheckoutReading;
  invoices?: InvoiceSnapshot[];
  charge?: ChargeSnapshot;
  dispute?: DisputeSnapshot;
};

/** Returns the reading of a subscription, which may have become another product's. */
export const toReading = (
  subscription: SubscriptionSnapshot | Foreign,
  stripeSubscriptionId: string,
  readAt: string,
): StripeReading => ({ readAt, stripeSubscriptionId, subscription });

/** Returns the reading of a checkout that has ended or is paid. */
export const toCheckoutReading = (checkout: CheckoutReading): StripeReading => {
  const subscription = checkout.state === 'complete' ? checkout.subscription : null;
  const stripeSubscriptionId = subscription?.stripeSubscriptionId ?? null;
  return { readAt: checkout.readAt, stripeSubscriptionId, subscription, checkout };
};
