// oxlint-disable vitest/expect-expect -- the compiler checks the expectations here
import type Stripe from 'stripe';
import { describe, expectTypeOf, test } from 'vitest';
import type { Customer, PaymentMethod } from './billing/customer.store.ts';
import type { Discount } from './billing/discount.store.ts';
import type { Invoice } from './billing/invoice.store.ts';
import type { Charge, Dispute, InvoicePayment, Refund } from './billing/payment.store.ts';
import type { Subscription, SubscriptionItem } from './billing/subscription.store.ts';
import type { Coupon } from './catalog/coupon.store.ts';
import type { Price } from './catalog/price.store.ts';
import type { Product } from './catalog/product.store.ts';
import type { Session, SessionLineItem } from './checkout/checkout-session.store.ts';
import type { EventObject } from './events/event.store.ts';

type RequiredKey<T> = { [K in keyof T]-?: object extends Pick<T, K> ? never : K }[keyof T];

/** Required by the SDK's types and missing from our object. */
type Lacking<Theirs, Ours> = Exclude<RequiredKey<Theirs>, keyof Ours>;

/** Present in our object and unknown to the SDK's types. */
type Invented<Theirs, Ours> = Exclude<keyof Ours, keyof Theirs>;

// `npm run check` compiles this file; nothing happens when it runs.
describe('objects have what the SDK’s types require and nothing that they do not know', () => {
  test('checkouts, subscriptions and customers', () => {
    expectTypeOf<Lacking<Stripe.Checkout.Session, Session>>().toBeNever();
    expectTypeOf<Invented<Stripe.Checkout.Session, Session>>().toBeNever();
    expectTypeOf<Lacking<Stripe.LineItem, SessionLineItem>>().toBeNever();
    expectTypeOf<Lacking<Stripe.Subscription, Subscription>>().toBeNever();
    expectTypeOf<Invented<Stripe.Subscription, Subscription>>().toBeNever();
    expectTypeOf<Lacking<Stripe.SubscriptionItem, SubscriptionItem>>().toBeNever();
    expectTypeOf<Lacking<Stripe.Customer, Customer>>().toBeNever();
    expectTypeOf<Lacking<Stripe.PaymentMethod, PaymentMethod>>().toBeNever();
  });

  test('invoices and payments', () => {
    expectTypeOf<Lacking<Stripe.Invoice, Invoice>>().toBeNever();
    expectTypeOf<Invented<Stripe.Invoice, Invoice>>().toBeNever();
    expectTypeOf<Lacking<Stripe.InvoicePayment, InvoicePayment>>().toBeNever();
    expectTypeOf<Lacking<Stripe.Charge, Charge>>().toBeNever();
    expectTypeOf<Invented<Stripe.Charge, Charge>>().toBeNever();
    expectTypeOf<Lacking<Stripe.Refund, Refund>>().toBeNever();
    expectTypeOf<Lacking<Stripe.Dispute, Dispute>>().toBeNever();
    expectTypeOf<Invented<Stripe.Dispute, Dispute>>().toBeNever();
  });

  test('catalog and discounts', () => {
    expectTypeOf<Lacking<Stripe.Product, Product>>().toBeNever();
    expectTypeOf<Lacking<Stripe.Price, Price>>().toBeNever();
    expectTypeOf<Lacking<Stripe.Coupon, Coupon>>().toBeNever();
    expectTypeOf<Lacking<Stripe.Discount, Discount>>().toBeNever();
  });

  test('events', () => {
    expectTypeOf<Lacking<Stripe.Event, EventObject>>().toBeNever();
  });
});
