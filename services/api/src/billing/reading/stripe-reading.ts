import type { CheckoutReading, CompleteCheckout } from './checkout-reading.ts';
import type { MoneyReading } from './invoice-reading.ts';
import type { SubscriptionSnapshot } from './subscription-reading.ts';

export type StripeReading =
  | ({ kind: 'money' } & MoneyReading)
  /** All subscriptions of one customer. */
  | { kind: 'customer'; subscriptions: SubscriptionSnapshot[] }
  /** A subscription that belongs to another product. */
  | ({ kind: 'moved' } & Pick<SubscriptionSnapshot, 'stripeSubscriptionId' | 'readAt'>)
  | { kind: 'checkout'; checkout: CompleteCheckout }
  | { kind: 'lost-checkout'; checkout: LostCheckout };
export type LostCheckout = Exclude<CheckoutReading, { state: 'complete' }>;
