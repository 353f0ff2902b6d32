import { epochSeconds } from '../../clock.ts';
import type { Moment } from '../billing/due.ts';
import { getActivePrice, productName } from '../catalog/catalog.store.ts';
import type { Coupon } from '../catalog/coupon.store.ts';
import { randomText } from '../wire/ids.ts';
import { mergeMetadata } from '../wire/parameters.ts';
import { invalidRequest, missing, onlyOneOf } from '../wire/stripe-fault.ts';
import type { SessionParameters } from './checkout-session.schema.ts';
import type { CheckoutDeps, CheckoutOrder, CheckoutRecord } from './checkout-session.store.ts';
import {
  buildLineItem,
  buildSession,
  copyExpired,
  customerDetails,
} from './checkout-session.store.ts';

const MIN_LIFETIME_SECONDS = 30 * 60;
const LONGEST_LIFETIME_SECONDS = 24 * 60 * 60;
const MIN_TRIAL_SECONDS = 48 * 60 * 60;
/** The caller's clock may differ slightly from ours. */
const CLOCK_LEEWAY_SECONDS = 60;

/** Opens a checkout for a subscription. Contradictory parameters are refused. */
export function createCheckout(deps: CheckoutDeps, params: SessionParameters): CheckoutRecord {
  refuseContradictions(deps, params);
  const order = toOrder(deps, params);
  const session = buildSession(deps.clock, params, order, deps.publicUrl());
  const customer =
    params.customer === undefined
      ? undefined
      : deps.store.customers.get(params.customer, 'customer');
  if (customer?.email) session.customer_details = customerDetails(customer.email, customer.name);
  const lineItems = order.items.map((item) =>
    buildLineItem(order, item, productName(deps.store, item.price.product)),
  );
  return deps.store.checkouts.insert({ id: session.id, session, order, lineItems });
}

/** Expires an open checkout. */
export function expireCheckout(deps: CheckoutDeps, { session }: CheckoutRecord): void {
  if (session.status !== 'open') {
    throw invalidRequest(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`,
    );
  }
  session.status = 'expired';
  session.url = null;
  if (session.after_expiration?.recovery.enabled) {
    session.after_expiration.recovery.url = `${deps.publicUrl()}/r/${session.id}#${randomText(20)}`;
    session.after_expiration.recovery.expires_at = epochSeconds(deps.clock) + 30 * 24 * 60 * 60;
  }
  deps.emit('checkout.session.expired', session);
}

/** Opens a copy of an expired checkout from its recovery link. Returns null without a valid link. */
export function recoverCheckout(deps: CheckoutDeps, record: CheckoutRecord): CheckoutRecord | null {
  const recovery = record.session.after_expiration?.recovery;
  if (recovery?.expires_at == null || recovery.expires_at <= epochSeconds(deps.clock)) return null;
  const recovered = deps.store.checkouts.insert(copyExpired(deps.clock, record, deps.publicUrl()));
  deps.touched();
  return recovered;
}

/** Finds a checkout or throws Stripe's refusal. Checkouts whose time is over are expired first. */
export function getCheckout(deps: CheckoutDeps, id: string): CheckoutRecord {
  expireDueCheckouts(deps);
  return deps.store.checkouts.get(id);
}

/** Expires every open checkout whose time is over. */
export function expireDueCheckouts(deps: CheckoutDeps): void {
  const now = epochSeconds(deps.clock);
  for (const { at, act } of dueCheckouts(deps)) if (at <= now) act();
}

/** Lists when each open checkout expires. */
export function dueCheckouts(deps: CheckoutDeps): Moment[] {
  return deps.store.checkouts
    .snapshot()
    .filter(({ session }) => session.status === 'open')
    .map((record) => ({ at: record.session.expires_at, act: () => expireCheckout(deps, record) }));
}

function refuseContradictions({ clock, store }: CheckoutDeps, params: SessionParameters): void {
  const { subscription_data: subscription, expires_at: expiresAt } = params;
  if (params.mode !== 'subscription') {
    throw invalidRequest(
      `The sandbox supports the mode subscription only, not ${params.mode}.`,
      'mode',
    );
  }
  if (params.ui_mode !== undefined && params.ui_mode !== 'hosted_page') {
    throw invalidRequest(
      `The sandbox supports the hosted page only, not ${params.ui_mode}.`,
      'ui_mode',
    );
  }
  if (params.success_url === undefined) {
    throw invalidRequest(
      'Missing required param: success_url.',
      'success_url',
      'parameter_missing',
    );
  }
  if (params.customer_creation !== undefined) {
    throw invalidRequest(
      '`customer_creation` can only be used in `payment` mode.',
      'customer_creation',
    );
  }
  if (params.customer !== undefined && params.customer_email !== undefined) {
    throw onlyOneOf('customer', 'customer_email');
  }
  if (params.consent_collection?.terms_of_service === 'required' && !store.billing.hasTerms) {
    throw invalidRequest(
      'You cannot collect consent to your terms of service unless a URL is set in the Stripe Dashboard.',
      'consent_collection[terms_of_service]',
    );
  }
  if (params.discounts && params.allow_promotion_codes !== undefined) {
    throw onlyOneOf('allow_promotion_codes', 'discounts');
  }
  const now = epochSeconds(clock);
  if (expiresAt !== undefined && expiresAt < now + MIN_LIFETIME_SECONDS - CLOCK_LEEWAY_SECONDS) {
    throw invalidRequest(
      'The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.',
      'expires_at',
    );
  }
  if (
    expiresAt !== undefined &&
    expiresAt > now + LONGEST_LIFETIME_SECONDS + CLOCK_LEEWAY_SECONDS
  ) {
    throw invalidRequest(
      'The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.',
      'expires_at',
    );
  }
  if (subscription?.trial_end !== undefined && subscription.trial_period_days !== undefined) {
    throw onlyOneOf('subscription_data[trial_end]', 'subscription_data[trial_period_days]');
  }
  if (subscription?.trial_end !== undefined && subscription.trial_end < now + MIN_TRIAL_SECONDS) {
    throw invalidRequest(
      'The `trial_end` date has to be at least 2 days in the future.',
      'subscription_data[trial_end]',
    );
  }
}

function toOrder(deps: CheckoutDeps, params: SessionParameters): CheckoutOrder {
  const items = params.line_items.map(({ price: id, quantity }, index) => {
    const param = `line_items[${index}][price]`;
    const price = getActivePrice(deps.store, id, param);
    if (!price.recurring) {
      throw invalidRequest(
        'You must provide at least one recurring price in `subscription` mode when using prices.',
        param,
      );
    }
    if (quantity === undefined) {
      throw invalidRequest(
        'Quantity is required. Add `quantity` to the line item.',
        `line_items[${index}][quantity]`,
      );
    }
    return { price, quantity };
  });
  if (new Set(items.map(({ price }) => price.currency)).size > 1) {
    throw invalidRequest('All prices of a session must have the same currency.', 'line_items');
  }
  const { subscription_data: subscription } = params;
  return {
    items,
    coupon: toCoupon(
      deps,
      params,
      items.map(({ price }) => price.product),
    ),
    trialPeriodDays: subscription?.trial_period_days ?? null,
    trialEnd: subscription?.trial_end ?? null,
    missingPaymentMethod:
      subscription?.trial_settings?.end_behavior.missing_payment_method ?? 'create_invoice',
    metadata: mergeMetadata({}, subscription?.metadata),
    description: subscription?.description ?? null,
  };
}

function toCoupon(
  { store, clock }: CheckoutDeps,
  params: SessionParameters,
  products: string[],
): Coupon | null {
  const discount = params.discounts?.[0];
  if (!discount) return null;
  if (discount.promotion_code !== undefined) {
    throw missing('promotion code', discount.promotion_code, 'discounts[0][promotion_code]');
  }
  const id = discount.coupon;
  if (id === undefined) {
    throw invalidRequest(
      'You must specify either `coupon` or `promotion_code`.',
      'discounts[0]',
      'parameter_missing',
    );
  }
  const coupon = store.coupons.get(id, 'discounts[0][coupon]');
  const isOver = coupon.redeem_by !== null && coupon.redeem_by <= epochSeconds(clock);
  const isSpent =
    coupon.max_redemptions !== null && coupon.times_redeemed >= coupon.max_redemptions;
  if (isOver || isSpent)
    throw invalidRequest(
      `Coupon ${id} is used up or expired and cannot be redeemed.`,
      'discounts[0][coupon]',
      'coupon_expired',
    );
  if (
    coupon.applies_to &&
    !products.some((product) => coupon.applies_to?.products.includes(product))
  ) {
    throw invalidRequest(
      'The coupon does not apply to anything in this session.',
      'discounts[0][coupon]',
    );
  }
  return coupon;
}
