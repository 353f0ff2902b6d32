import { isDeepStrictEqual } from 'node:util';
import { epochSeconds } from '../../clock.ts';
import { getActivePrice } from '../catalog/catalog.store.ts';
import type { Price } from '../catalog/price.store.ts';
import { toPlan } from '../catalog/price.store.ts';
import { assignGiven } from '../wire/assign-given.ts';
import { changedValues } from '../wire/changed-values.ts';
import { mergeMetadata } from '../wire/parameters.ts';
import { invalidRequest, missing, onlyOneOf } from '../wire/stripe-fault.ts';
import type { BillingDeps } from './billing.store.ts';
import { redeem } from './discount.service.ts';
import { billPeriod } from './invoice.service.ts';
import type {
  CancellationDetails,
  CreateParameters,
  UpdateParameters,
} from './subscription.schema.ts';
import type { Subscription, SubscriptionItem } from './subscription.store.ts';
import { addInterval, buildSubscription, buildSubscriptionItem } from './subscription.store.ts';
import { isTrialEndNear, remind } from './trial-reminder.ts';

const DAY_SECONDS = 24 * 60 * 60;

/** Updates a subscription and emits the event with the previous values. */
export function updateSubscription(
  deps: BillingDeps,
  subscription: Subscription,
  params: UpdateParameters,
): Subscription {
  if (subscription.status === 'canceled' || subscription.status === 'incomplete_expired') {
    throw invalidRequest(
      'A canceled subscription can only update its cancellation_details and metadata.',
    );
  }
  if (params.cancel_at_period_end !== undefined && params.cancel_at !== undefined) {
    throw onlyOneOf('cancel_at', 'cancel_at_period_end');
  }
  const before = structuredClone(subscription);
  if (params.items) setItems(deps, subscription, params.items);
  if (params.discounts !== undefined) setDiscounts(deps, subscription, params.discounts ?? []);
  if (params.trial_end !== undefined) setTrialEnd(deps, subscription, params.trial_end);
  setCancellation(deps, subscription, params);
  const { default_payment_method: method, pause_collection: pause } = params;
  if (method !== undefined) deps.store.paymentMethods.get(method, 'default_payment_method');
  assignGiven(subscription, {
    default_payment_method: method,
    description: params.description,
    trial_settings: params.trial_settings && {
      end_behavior: { billing_cycle_anchor: null, ...params.trial_settings.end_behavior },
    },
    pause_collection: pause && { behavior: pause.behavior, resumes_at: pause.resumes_at ?? null },
    metadata: mergeMetadata(subscription.metadata, params.metadata),
  });
  const startOf = (one: Subscription) => one.items.data[0]?.current_period_start;
  const isNewPeriod = before.status === 'trialing' || startOf(before) !== startOf(subscription);
  if (isNewPeriod && subscription.status === 'active') {
    billPeriod(deps, subscription, 'subscription_update');
  }
  if (params.trial_end !== undefined && isTrialEndNear(deps, subscription))
    remind(deps, subscription);
  const previous = changedValues(before, subscription);
  if (Object.keys(previous).length > 0)
    deps.emit('customer.subscription.updated', subscription, previous);
  return subscription;
}

/**
 * Creates a subscription without a checkout and charges it, unless it starts with a trial. If the charge fails, or
 * needs the cardholder, the subscription is incomplete until its first invoice is paid.
 */
export function createSubscription(deps: BillingDeps, params: CreateParameters): Subscription {
  const customer = deps.store.customers.get(params.customer, 'customer');
  const method = params.default_payment_method ?? customer.invoice_settings.default_payment_method;
  if (method === null) {
    throw invalidRequest(
      'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
      undefined,
      'resource_missing',
    );
  }
  if (deps.store.paymentMethods.get(method, 'default_payment_method').customer !== customer.id) {
    throw missing('PaymentMethod', method, 'default_payment_method');
  }
  const items = params.items.map(({ price, quantity }, index) => ({
    price: getRecurringPrice(deps, price, `items[${index}][price]`),
    quantity: quantity ?? 1,
  }));
  const days = params.trial_period_days;
  const subscription = deps.store.subscriptions.insert(
    buildSubscription(deps.clock, {
      customer: customer.id,
      defaultPaymentMethod: method,
      description: params.description ?? null,
      metadata: mergeMetadata({}, params.metadata),
      items,
      trialEnd: days === undefined ? null : epochSeconds(deps.clock) + days * DAY_SECONDS,
      missingPaymentMethod: 'create_invoice',
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
  details: CancellationDetails,
): Subscription {
  if (subscription.status === 'canceled' || subscription.status === 'incomplete_expired') {
    throw missing('subscription', subscription.id);
  }
  setCancellationDetails(subscription, details);
  subscription.canceled_at = null;
  endSubscription(deps, subscription, 'cancellation_requested');
  return subscription;
}

/** Ends a subscription now. If it was cancelled earlier, `canceled_at` keeps the time of that request. */
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

function setItems(
  deps: BillingDeps,
  subscription: Subscription,
  changes: NonNullable<UpdateParameters['items']>,
): void {
  for (const [index, change] of changes.entries()) {
    const price =
      change.price === undefined
        ? undefined
        : getRecurringPrice(deps, change.price, `items[${index}][price]`);
    if (change.id === undefined) {
      if (!price)
        throw invalidRequest(
          'Missing required param: items[price].',
          `items[${index}][price]`,
          'parameter_missing',
        );
      const isTrial = subscription.status === 'trialing';
      const trialEnd = isTrial ? subscription.trial_end : null;
      subscription.items.data.push(
        buildSubscriptionItem(deps.clock, {
          subscription: subscription.id,
          price,
          quantity: change.quantity ?? 1,
          trialEnd,
        }),
      );
      continue;
    }
    const item = subscription.items.data.find(({ id }) => id === change.id);
    if (!item) throw missing('subscription_item', change.id, `items[${index}][id]`);
    if (change.deleted === true)
      subscription.items.data.splice(subscription.items.data.indexOf(item), 1);
    else changeItem(deps, subscription, item, { ...change, price });
  }
  if (subscription.items.data.length === 0)
    throw invalidRequest('A subscription needs at least one item.', 'items');
}

function changeItem(
  deps: BillingDeps,
  subscription: Subscription,
  item: SubscriptionItem,
  change: {
    price: Price | undefined;
    quantity?: number | undefined;
    metadata?: Record<string, string> | null | undefined;
  },
): void {
  item.quantity = change.quantity ?? item.quantity;
  item.metadata = mergeMetadata(item.metadata, change.metadata);
  if (!change.price || change.price.id === item.price.id) return;
  const isNewInterval = !isDeepStrictEqual(change.price.recurring, item.price.recurring);
  item.price = change.price;
  item.plan = toPlan(change.price);
  // A different billing interval starts a new period at once, except during a trial.
  if (isNewInterval && subscription.status !== 'trialing') {
    item.current_period_start = epochSeconds(deps.clock);
    item.current_period_end = addInterval(item.current_period_start, change.price.recurring);
    subscription.billing_cycle_anchor = item.current_period_start;
  }
}

function getRecurringPrice({ store }: BillingDeps, id: string, param: string): Price {
  const price = getActivePrice(store, id, param);
  if (!price.recurring) throw invalidRequest('The price specified is not recurring.', param);
  return price;
}

function setDiscounts(
  deps: BillingDeps,
  subscription: Subscription,
  wanted: {
    coupon?: string | undefined;
    discount?: string | undefined;
    promotion_code?: string | undefined;
  }[],
): void {
  subscription.discounts = wanted.map(
    ({ coupon: couponId, discount, promotion_code: code }, index) => {
      if (discount !== undefined) {
        if (!subscription.discounts.includes(discount))
          throw missing('discount', discount, `discounts[${index}][discount]`);
        return discount;
      }
      if (code !== undefined)
        throw missing('promotion code', code, `discounts[${index}][promotion_code]`);
      const coupon = deps.store.coupons.get(couponId ?? '', `discounts[${index}][coupon]`);
      return redeem(deps, coupon, subscription, null);
    },
  );
}

function setTrialEnd(
  { clock }: BillingDeps,
  subscription: Subscription,
  wanted: 'now' | number,
): void {
  const now = epochSeconds(clock);
  const isOver = wanted === 'now' || wanted <= now;
  if (wanted !== 'now' && isOver)
    throw invalidRequest('Timestamp must be in the future.', 'trial_end');
  subscription.trial_end = wanted === 'now' ? now : wanted;
  subscription.trial_start ??= now;
  subscription.status = isOver ? 'active' : 'trialing';
  subscription.billing_cycle_anchor = subscription.trial_end;
  for (const item of subscription.items.data) {
    item.current_period_start = now;
    item.current_period_end = isOver
      ? addInterval(now, item.price.recurring)
      : subscription.trial_end;
  }
}

function setCancellation(
  { clock }: BillingDeps,
  subscription: Subscription,
  params: UpdateParameters,
): void {
  if (params.cancel_at_period_end !== undefined) {
    subscription.cancel_at_period_end = params.cancel_at_period_end;
    subscription.cancel_at = params.cancel_at_period_end
      ? (subscription.items.data[0]?.current_period_end ?? null)
      : null;
  }
  if (params.cancel_at !== undefined) {
    subscription.cancel_at_period_end = false;
    subscription.cancel_at = params.cancel_at;
  }
  if (params.cancel_at_period_end !== undefined || params.cancel_at !== undefined) {
    subscription.canceled_at = subscription.cancel_at === null ? null : epochSeconds(clock);
    subscription.cancellation_details.reason =
      subscription.cancel_at === null ? null : 'cancellation_requested';
  }
  if (params.cancellation_details)
    setCancellationDetails(subscription, params.cancellation_details);
}

function setCancellationDetails(subscription: Subscription, details: CancellationDetails): void {
  subscription.cancellation_details = {
    ...subscription.cancellation_details,
    reason: 'cancellation_requested',
    ...(details?.comment !== undefined && { comment: details.comment }),
    ...(details?.feedback !== undefined && { feedback: details.feedback }),
  };
}
