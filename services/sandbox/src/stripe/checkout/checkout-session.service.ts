import { epochSeconds } from '../../clock.ts';
import type { Moment } from '../billing/due.ts';
import { getRecurringPrice, productName } from '../catalog.ts';
import type { Endpoint } from '../wire/endpoint.ts';
import { endpoint, list, retrieve } from '../wire/endpoint.ts';
import { randomText } from '../wire/objects.ts';
import { mergeMetadata } from '../wire/parameters.ts';
import { invalidRequest, onlyOneOf } from '../wire/stripe-fault.ts';
import type {
  CheckoutDeps,
  CheckoutOrder,
  CheckoutRecord,
  SessionParameters,
} from './checkout-session.ts';
import { buildLineItem, buildSession, copyExpired, sessionParameters } from './checkout-session.ts';

const RECOVERY_SECONDS = 30 * 24 * 60 * 60;

export function checkoutSessionEndpoints(deps: CheckoutDeps): Endpoint[] {
  const { checkouts } = deps.store;
  const get = (id: string) => {
    expireDueCheckouts(deps);
    return checkouts.get(id);
  };
  return [
    endpoint('post', '/checkout/sessions', sessionParameters, (params) =>
      createCheckout(deps, params),
    ),
    list('/checkout/sessions', {
      newestFirst: () => checkouts.newestFirst().map(({ session }) => session),
    }),
    retrieve('/checkout/sessions', { get: (id) => get(id).session }),
    endpoint('post', '/checkout/sessions/:id/expire', {}, (_params, id) => {
      const record = get(id);
      expireCheckout(deps, record);
      return record.session;
    }),
  ];
}

/** Opens a checkout for a subscription. Contradictory parameters are refused. */
function createCheckout(deps: CheckoutDeps, params: SessionParameters) {
  if (params.consent_collection?.terms_of_service === 'required' && !deps.store.billing.hasTerms) {
    throw invalidRequest(
      'You cannot collect consent to your terms of service unless a URL is set in the Stripe Dashboard.',
      'consent_collection[terms_of_service]',
    );
  }
  if (params.discounts && params.allow_promotion_codes !== undefined) {
    throw onlyOneOf('allow_promotion_codes', 'discounts');
  }
  const order = toOrder(deps, params);
  const session = buildSession(deps.clock, params, order, deps.publicUrl());
  const lineItems = order.items.map((item) =>
    buildLineItem(order, item, productName(deps.store, item.price.product)),
  );
  return deps.store.checkouts.insert({ id: session.id, session, order, lineItems }).session;
}

/** Expires an open checkout. */
function expireCheckout(deps: CheckoutDeps, { session }: CheckoutRecord): void {
  if (session.status !== 'open') {
    throw invalidRequest(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`,
    );
  }
  session.status = 'expired';
  session.url = null;
  if (session.after_expiration?.recovery.enabled) {
    session.after_expiration.recovery.url = `${deps.publicUrl()}/r/${session.id}#${randomText(20)}`;
    session.after_expiration.recovery.expires_at = epochSeconds(deps.clock) + RECOVERY_SECONDS;
  }
  deps.emit('checkout.session.expired', session);
}

/**
 * Opens a copy of an expired checkout from its recovery link. Returns null without a valid link.
 */
export function recoverCheckout(deps: CheckoutDeps, record: CheckoutRecord): CheckoutRecord | null {
  const recovery = record.session.after_expiration?.recovery;
  if (recovery?.expires_at == null || recovery.expires_at <= epochSeconds(deps.clock)) return null;
  const recovered = deps.store.checkouts.insert(copyExpired(deps.clock, record, deps.publicUrl()));
  deps.touched();
  return recovered;
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

function toOrder({ store }: CheckoutDeps, params: SessionParameters): CheckoutOrder {
  const { line_items: lines, subscription_data: subscription } = params;
  const items = lines.map(({ price, quantity }, index) => ({
    price: getRecurringPrice(store, price, `line_items[${index}][price]`),
    quantity,
  }));
  const [discount] = params.discounts ?? [];
  return {
    items,
    coupon: discount ? store.coupons.get(discount.coupon, 'discounts[0][coupon]') : null,
    trialPeriodDays: subscription?.trial_period_days ?? null,
    missingPaymentMethod:
      subscription?.trial_settings?.end_behavior.missing_payment_method ?? 'create_invoice',
    metadata: mergeMetadata({}, subscription?.metadata),
  };
}
