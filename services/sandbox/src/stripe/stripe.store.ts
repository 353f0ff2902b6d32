import type { Clock, MovableClock } from '../clock.ts';
import type { CheckoutRecord } from './checkout/checkout-session.store.ts';
import { createCollection } from './wire/collection.ts';
import type { Coupon, Discount } from './catalog/coupon.store.ts';
import type { Customer, PaymentMethod } from './billing/customer.store.ts';
import type { EventObject, EventType } from './events/event.store.ts';
import type { StoredAnswer } from './wire/idempotency.ts';
import { createIdempotencyStore } from './wire/idempotency.ts';
import type { Invoice } from './billing/invoice.store.ts';
import type { Charge, Dispute, InvoicePayment, Refund } from './billing/payment.store.ts';
import type { Price } from './catalog/price.store.ts';
import type { Product } from './catalog/product.store.ts';
import type { Subscription } from './billing/subscription.store.ts';

export type StripeState = {
  products: Product[];
  prices: Price[];
  coupons: Coupon[];
  discounts: Discount[];
  customers: Customer[];
  paymentMethods: PaymentMethod[];
  checkouts: CheckoutRecord[];
  subscriptions: Subscription[];
  invoices: Invoice[];
  events: EventObject[];
  answers: StoredAnswer[];
} & Partial<LaterState>;

/** Kept since later than the rest: a file written before lacks it. */
type LaterState = {
  charges: Charge[];
  invoicePayments: InvoicePayment[];
  refunds: Refund[];
  disputes: Dispute[];
  clockOffsetMs: number;
  billing: BillingState;
};

type BillingState = {
  /** The trial's end of which each subscription's owner was told. */
  remindedOf: Record<string, number | null>;
  /** The account's setting: what becomes of a subscription when every try to charge it has failed. */
  afterDunning: 'cancel' | 'unpaid';
};

export type StripeStore = ReturnType<typeof createStripeStore>;

/** What the endpoints share. */
export type StripeDeps = {
  store: StripeStore;
  clock: Clock;
  /** Origin of the pages that a person opens. */
  publicUrl: () => string;
  /** Where events are delivered; null while there is no such place. */
  webhookUrl: () => string | null;
  /** Records what happened and tells the webhook endpoint. */
  emit: (type: EventType, object: object, previousAttributes?: object) => void;
};

/** The account's objects, in memory. */
export function createStripeStore(clock: MovableClock, touched: () => void) {
  const collections = {
    products: createCollection<Product>(),
    prices: createCollection<Price>(),
    coupons: createCollection<Coupon>(),
    discounts: createCollection<Discount>(),
    customers: createCollection<Customer>(),
    paymentMethods: createCollection<PaymentMethod>(),
    checkouts: createCollection<CheckoutRecord>(),
    subscriptions: createCollection<Subscription>(),
    invoices: createCollection<Invoice>(),
    events: createCollection<EventObject>(),
    charges: createCollection<Charge>(),
    invoicePayments: createCollection<InvoicePayment>(),
    refunds: createCollection<Refund>(),
    disputes: createCollection<Dispute>(),
  };
  const billing: BillingState = { remindedOf: {}, afterDunning: 'cancel' };
  const answers = createIdempotencyStore(clock);

  function load(state: StripeState): void {
    collections.products.load(state.products);
    collections.prices.load(state.prices);
    collections.coupons.load(state.coupons);
    collections.discounts.load(state.discounts);
    collections.customers.load(state.customers);
    collections.paymentMethods.load(state.paymentMethods);
    collections.checkouts.load(state.checkouts);
    collections.subscriptions.load(state.subscriptions);
    collections.invoices.load(state.invoices);
    collections.events.load(state.events);
    collections.charges.load(state.charges ?? []);
    collections.invoicePayments.load(state.invoicePayments ?? []);
    collections.refunds.load(state.refunds ?? []);
    collections.disputes.load(state.disputes ?? []);
    clock.setOffsetMs(state.clockOffsetMs ?? 0);
    Object.assign(billing, state.billing ?? { remindedOf: {}, afterDunning: 'cancel' });
    answers.load(state.answers);
    relinkPrices();
  }

  /** Subscriptions and checkouts show a price as it is now: after loading they hold copies again. */
  function relinkPrices(): void {
    const items = [
      ...collections.subscriptions.snapshot().flatMap((subscription) => subscription.items.data),
      ...collections.checkouts.snapshot().flatMap((record) => [...record.order.items, ...record.lineItems]),
    ];
    for (const item of items) item.price = collections.prices.find(item.price.id) ?? item.price;
  }

  function snapshot(): StripeState {
    return {
      products: collections.products.snapshot(),
      prices: collections.prices.snapshot(),
      coupons: collections.coupons.snapshot(),
      discounts: collections.discounts.snapshot(),
      customers: collections.customers.snapshot(),
      paymentMethods: collections.paymentMethods.snapshot(),
      checkouts: collections.checkouts.snapshot(),
      subscriptions: collections.subscriptions.snapshot(),
      invoices: collections.invoices.snapshot(),
      events: collections.events.snapshot(),
      answers: answers.snapshot(),
      charges: collections.charges.snapshot(),
      invoicePayments: collections.invoicePayments.snapshot(),
      refunds: collections.refunds.snapshot(),
      disputes: collections.disputes.snapshot(),
      clockOffsetMs: clock.offsetMs(),
      billing: structuredClone(billing),
    };
  }

  return {
    ...collections,
    answers,
    billing,
    clock,
    touched,
    snapshot,
    load,
    /** Forgets what was bought; products, prices and coupons stay, as they are set up rather than received. */
    reset(): void {
      const { products, prices, coupons } = snapshot();
      const none = { discounts: [], customers: [], paymentMethods: [], checkouts: [], subscriptions: [], invoices: [] };
      load({ products, prices, coupons, ...none, events: [], answers: [] });
      touched();
    },
    /** Whatever has this id, for `expand`. */
    findAny(id: string): object | undefined {
      return (
        collections.products.find(id) ??
        collections.prices.find(id) ??
        collections.coupons.find(id) ??
        collections.discounts.find(id) ??
        collections.customers.find(id) ??
        collections.paymentMethods.find(id) ??
        collections.subscriptions.find(id) ??
        collections.invoices.find(id) ??
        collections.charges.find(id) ??
        collections.checkouts.find(id)?.session
      );
    },
  };
}
