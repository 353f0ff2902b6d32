import { isDeepStrictEqual } from 'node:util';
import { epochSeconds } from '../../clock.ts';
import type { Coupon } from '../catalog.ts';
import { getRecurringPrice } from '../catalog.ts';
import { assignGiven, changedValues, newId } from '../wire/objects.ts';
import { mergeMetadata } from '../wire/parameters.ts';
import { invalidRequest, missing, onlyOneOf } from '../wire/stripe-fault.ts';
import type { BillingDeps } from './billing.store.ts';
import { billPeriod } from './invoice.service.ts';
import type { CreateParameters, UpdateParameters } from './subscription.schema.ts';
import type { Subscription } from './subscription.ts';
import { addInterval, buildSubscription, isOver } from './subscription.ts';

/** Updates a subscription and emits the event with the previous values. */
export function updateSubscription(
  deps: BillingDeps,
  subscription: Subscription,
  params: UpdateParameters,
): Subscription {
  if (isOver(subscription)) {
    throw invalidRequest(
      'A canceled subscription can only update its cancellation_details and metadata.',
    );
  }
  if (params.cancel_at_period_end !== undefined && params.cancel_at !== undefined) {
    throw onlyOneOf('cancel_at', 'cancel_at_period_end');
  }
  const before = structuredClone(subscription);
  const hasNewPeriod = setPrices(deps, subscription, params.items ?? []);
  if (params.discounts !== undefined) {
    subscription.discounts = (params.discounts ?? []).map(({ coupon: id }, index) =>
      redeem(deps, deps.store.coupons.get(id, `discounts[${index}][coupon]`), subscription),
    );
  }
  setCancellation(deps, subscription, params);
  const { default_payment_method: method } = params;
  if (method !== undefined) deps.store.paymentMethods.get(method, 'default_payment_method');
  assignGiven(subscription, {
    default_payment_method: method,
    pause_collection: params.pause_collection,
    metadata: mergeMetadata(subscription.metadata, params.metadata),
  });
  if (hasNewPeriod) billPeriod(deps, subscription, 'subscription_update');
  const previous = changedValues(before, subscription);
  if (previous) deps.emit('customer.subscription.updated', subscription, previous);
  return subscription;
}

/**
 * Creates a subscription without a checkout and charges it. If the charge fails, or needs the
 * cardholder, the subscription is incomplete until its first invoice is paid.
 */
export function createSubscription(deps: BillingDeps, params: CreateParameters): Subscription {
  const { default_payment_method: method } = params;
  const customer = deps.store.customers.get(params.customer, 'customer');
  if (deps.store.paymentMethods.get(method, 'default_payment_method').customer !== customer.id) {
    throw missing('PaymentMethod', method, 'default_payment_method');
  }
  const subscription = deps.store.subscriptions.insert(
    buildSubscription(deps.clock, {
      customer: customer.id,
      defaultPaymentMethod: method,
      metadata: mergeMetadata({}, params.metadata),
      items: params.items.map(({ price }, index) => ({
        price: getRecurringPrice(deps.store, price, `items[${index}][price]`),
        quantity: 1,
      })),
      trialDays: null,
    }),
  );
  customer.currency = subscription.currency;
  billPeriod(deps, subscription, 'subscription_create');
  deps.emit('customer.subscription.created', subscription);
  return subscription;
}

/** Cancels a subscription immediately. */
export function cancelSubscription(
  deps: BillingDeps,
  subscription: Subscription,
  details: UpdateParameters['cancellation_details'],
): Subscription {
  if (isOver(subscription)) throw missing('subscription', subscription.id);
  assignGiven(subscription.cancellation_details, { feedback: details?.feedback });
  subscription.canceled_at = null;
  endSubscription(deps, subscription, 'cancellation_requested');
  return subscription;
}

/**
 * Ends a subscription now. If it was cancelled earlier, `canceled_at` keeps the time of that
 * request.
 */
export function endSubscription(
  deps: BillingDeps,
  subscription: Subscription,
  reason: string | null,
): void {
  const now = epochSeconds(deps.clock);
  subscription.status = 'canceled';
  subscription.canceled_at ??= now;
  subscription.ended_at = now;
  subscription.cancellation_details.reason = reason;
  deps.emit('customer.subscription.deleted', subscription);
}

/**
 * Puts a coupon on a subscription in its current form. Later changes to the coupon leave the
 * subscription alone. Returns the discount's id.
 */
export function redeem(
  { store, clock }: Pick<BillingDeps, 'store' | 'clock'>,
  coupon: Coupon,
  subscription: Subscription,
): string {
  const live = store.coupons.find(coupon.id);
  if (live) live.times_redeemed += 1;
  const { id } = store.discounts.insert({
    id: newId('di'),
    object: 'discount',
    customer: subscription.customer,
    end: null,
    source: { coupon: coupon.id, type: 'coupon' },
    start: epochSeconds(clock),
    subscription: subscription.id,
  });
  store.redemptions.insert({ id, coupon: structuredClone(coupon) });
  return id;
}

/**
 * Changes the prices of items. Returns true if one has another interval, which starts a new period
 * at once, except during a trial.
 */
function setPrices(
  { store, clock }: BillingDeps,
  subscription: Subscription,
  changes: NonNullable<UpdateParameters['items']>,
): boolean {
  let hasNewPeriod = false;
  for (const [index, change] of changes.entries()) {
    const price = getRecurringPrice(store, change.price, `items[${index}][price]`);
    const item = subscription.items.data.find(({ id }) => id === change.id);
    if (!item) throw missing('subscription_item', change.id, `items[${index}][id]`);
    const isNewInterval = !isDeepStrictEqual(price.recurring, item.price.recurring);
    item.price = price;
    if (!isNewInterval || subscription.status === 'trialing') continue;
    item.current_period_start = epochSeconds(clock);
    item.current_period_end = addInterval(item.current_period_start, price.recurring);
    hasNewPeriod = subscription.status === 'active';
  }
  return hasNewPeriod;
}

function setCancellation(
  { clock }: BillingDeps,
  subscription: Subscription,
  {
    cancel_at_period_end: isAtPeriodEnd,
    cancel_at: at,
    cancellation_details: details,
  }: UpdateParameters,
): void {
  if (isAtPeriodEnd !== undefined || at !== undefined) {
    const periodEnd = subscription.items.data[0]?.current_period_end ?? null;
    subscription.cancel_at_period_end = isAtPeriodEnd ?? false;
    subscription.cancel_at = isAtPeriodEnd ? periodEnd : (at ?? null);
    const isEnding = subscription.cancel_at !== null;
    subscription.canceled_at = isEnding ? epochSeconds(clock) : null;
    subscription.cancellation_details.reason = isEnding ? 'cancellation_requested' : null;
  }
  if (details?.feedback !== undefined) {
    subscription.cancellation_details = {
      feedback: details.feedback,
      reason: 'cancellation_requested',
    };
  }
}
