// oxlint-disable vitest/expect-expect -- the compiler checks the expectations here
import type Stripe from 'stripe';
import { expectTypeOf, test } from 'vitest';
import type { Customer, PaymentMethod } from './billing/customer.ts';
import type { Invoice } from './billing/invoice.ts';
import type { Charge, CreditNote, Dispute, InvoicePayment, Refund } from './billing/payment.ts';
import type { PortalConfiguration } from './billing/portal-configuration.ts';
import type { Discount, Subscription, SubscriptionItem } from './billing/subscription.ts';
import type { Coupon, Price, Product } from './catalog.ts';
import type { Session, SessionLineItem } from './checkout/checkout-session.ts';
import type { EventObject } from './events.ts';

/** An object, or a part of it, in its sent form. The SDK makes its decimals from strings. */
type Sent<T> = T extends string
  ? T
  : T extends Stripe.Decimal
    ? string
    : T extends (infer Item)[]
      ? Sent<Item>[]
      : T extends object
        ? { [K in keyof T]?: Sent<T[K]> | undefined }
        : T;

/** Fields that our object has and the SDK's types lack. */
type Invented<Theirs, Ours> = Exclude<keyof Ours, keyof Theirs>;

// `npm run check` compiles this file; nothing happens when it runs.

test('the sandbox’s objects have Stripe’s published types', () => {
  expectTypeOf<Session>().toExtend<Sent<Stripe.Checkout.Session>>();
  expectTypeOf<SessionLineItem>().toExtend<Sent<Stripe.LineItem>>();
  expectTypeOf<Subscription>().toExtend<Sent<Stripe.Subscription>>();
  expectTypeOf<SubscriptionItem>().toExtend<Sent<Stripe.SubscriptionItem>>();
  expectTypeOf<Customer>().toExtend<Sent<Stripe.Customer>>();
  expectTypeOf<PaymentMethod>().toExtend<Sent<Stripe.PaymentMethod>>();
  expectTypeOf<PortalConfiguration>().toExtend<Sent<Stripe.BillingPortal.Configuration>>();
});

test('invoices and payments have Stripe’s published types', () => {
  expectTypeOf<Invoice>().toExtend<Sent<Stripe.Invoice>>();
  expectTypeOf<InvoicePayment>().toExtend<Sent<Stripe.InvoicePayment>>();
  expectTypeOf<Charge>().toExtend<Sent<Stripe.Charge>>();
  expectTypeOf<Refund>().toExtend<Sent<Stripe.Refund>>();
  expectTypeOf<Dispute>().toExtend<Sent<Stripe.Dispute>>();
  expectTypeOf<CreditNote>().toExtend<Sent<Stripe.CreditNote>>();
});

test('catalog and discounts have Stripe’s published types', () => {
  expectTypeOf<Product>().toExtend<Sent<Stripe.Product>>();
  expectTypeOf<Price>().toExtend<Sent<Stripe.Price>>();
  expectTypeOf<Coupon>().toExtend<Sent<Stripe.Coupon>>();
  expectTypeOf<Discount>().toExtend<Sent<Stripe.Discount>>();
});

test('no object has a property that Stripe’s published types lack', () => {
  expectTypeOf<Invented<Stripe.Checkout.Session, Session>>().toBeNever();
  expectTypeOf<Invented<Stripe.Subscription, Subscription>>().toBeNever();
  expectTypeOf<Invented<Stripe.Invoice, Invoice>>().toBeNever();
  expectTypeOf<Invented<Stripe.Charge, Charge>>().toBeNever();
  expectTypeOf<Invented<Stripe.Dispute, Dispute>>().toBeNever();
  expectTypeOf<Invented<Stripe.CreditNote, CreditNote>>().toBeNever();
  expectTypeOf<Invented<Stripe.BillingPortal.Configuration, PortalConfiguration>>().toBeNever();
  expectTypeOf<Invented<Stripe.Event, EventObject>>().toBeNever();
});
