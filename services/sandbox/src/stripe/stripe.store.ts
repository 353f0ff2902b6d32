import type { MovableClock } from '../clock.ts';
import type { BillingState } from './billing/billing.store.ts';
import { createBilling } from './billing/billing.store.ts';
import { createCatalog } from './catalog.ts';
import type { CheckoutDeps, CheckoutRecord } from './checkout/checkout-session.ts';
import type { EventDeps, EventObject } from './events.ts';
import type { Contents } from './wire/collection.ts';
import { contentsOf, createCollection, loadContents } from './wire/collection.ts';
import type { StoredAnswer } from './wire/idempotency.ts';
import { createIdempotencyStore } from './wire/idempotency.ts';

export type StripeStore = ReturnType<typeof createStripeStore>;

/** The contents of the state file. An older file may lack parts. */
export type StripeState = Partial<
  Contents<ReturnType<typeof createCollections>> & {
    answers: StoredAnswer[];
    clockOffsetMs: number;
    billing: BillingState;
  }
>;

/** The state shared by endpoints and pages. Each folder declares the part that it uses. */
export type StripeDeps = CheckoutDeps & EventDeps & { store: StripeStore; clock: MovableClock };

/** Keeps the account's objects in memory. */
export function createStripeStore(clock: MovableClock, touched: () => void) {
  const collections = createCollections();
  const billing: BillingState = defaultBilling();
  const answers = createIdempotencyStore(clock);

  function load(state: StripeState): void {
    loadContents(collections, state);
    clock.setOffsetMs(state.clockOffsetMs ?? 0);
    Object.assign(billing, state.billing ?? defaultBilling());
    answers.load(state.answers ?? []);
    relinkPrices();
  }

  /**
   * Makes subscriptions and checkouts share the price objects again. A loaded file holds copies.
   */
  function relinkPrices(): void {
    const items = [
      ...collections.subscriptions.snapshot().flatMap((subscription) => subscription.items.data),
      ...collections.checkouts
        .snapshot()
        .flatMap((record) => [...record.order.items, ...record.lineItems]),
    ];
    for (const item of items) item.price = collections.prices.find(item.price.id) ?? item.price;
  }

  return {
    ...collections,
    answers,
    billing,
    load,
    snapshot: (): StripeState => ({
      ...contentsOf(collections),
      answers: answers.snapshot(),
      clockOffsetMs: clock.offsetMs(),
      billing: structuredClone(billing),
    }),
    /** Clears purchases. Products, prices, coupons and the portal's configuration stay. */
    reset(): void {
      const { products, prices, coupons, portals } = contentsOf(collections);
      load({ products, prices, coupons, portals });
      touched();
    },
    /** Finds the object of any kind with this id, for `expand`. */
    findAny: (id: string): object | undefined =>
      Object.values<{ find(id: string): object | undefined }>(collections)
        .map((collection) => collection.find(id))
        .find((found) => found !== undefined),
  };
}

function createCollections() {
  return {
    ...createCatalog(),
    ...createBilling(),
    checkouts: createCollection<CheckoutRecord>('checkout.session'),
    events: createCollection<EventObject>('event'),
  };
}

function defaultBilling(): BillingState {
  return { remindedOf: {}, afterDunning: 'cancel', hasTerms: true };
}
