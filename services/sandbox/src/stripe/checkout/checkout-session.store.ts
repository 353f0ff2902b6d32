import type { Clock } from '../../clock.ts';
import { epochSeconds } from '../../clock.ts';
import type { BillingDeps } from '../billing/billing.store.ts';
import type { MissingPaymentMethod } from '../billing/subscription.store.ts';
import type { Coupon } from '../catalog/coupon.store.ts';
import { discountPence } from '../catalog/coupon.store.ts';
import type { Price } from '../catalog/price.store.ts';
import type { Collection } from '../wire/collection.ts';
import { newId, randomText } from '../wire/ids.ts';
import { mergeMetadata } from '../wire/parameters.ts';
import { nulls } from '../wire/nulls.ts';
import type { SessionParameters } from './checkout-session.schema.ts';

export type SessionStatus = 'open' | 'complete' | 'expired';
export type PaymentStatus = 'paid' | 'unpaid' | 'no_payment_required';
export type Session = ReturnType<typeof buildSession>;
export type SessionLineItem = ReturnType<typeof buildLineItem>;

/** The order behind a session, fixed when the session is created. */
export type CheckoutOrder = {
  items: { price: Price; quantity: number }[];
  coupon: Coupon | null;
  trialPeriodDays: number | null;
  trialEnd: number | null;
  missingPaymentMethod: MissingPaymentMethod;
  metadata: Record<string, string>;
  description: string | null;
};

/** A session as the API shows it, and the order behind it. */
export type CheckoutRecord = {
  id: string;
  session: Session;
  order: CheckoutOrder;
  lineItems: SessionLineItem[];
};

export type CheckoutDeps = BillingDeps & {
  store: { checkouts: Collection<CheckoutRecord> };
  /** Marks a change that emits no event, so that the state file is written. */
  touched: () => void;
};

const DEFAULT_LIFETIME_SECONDS = 24 * 60 * 60;

export function hasTrial(order: CheckoutOrder): boolean {
  return order.trialPeriodDays !== null || order.trialEnd !== null;
}

/** Returns the price of one billing period in pence, before and after the discount. */
export function periodPence(order: CheckoutOrder): {
  subtotal: number;
  discount: number;
  total: number;
} {
  const subtotal = order.items.reduce(
    (sum, { price, quantity }) => sum + price.unit_amount * quantity,
    0,
  );
  const discount = order.coupon ? discountPence(order.coupon, subtotal) : 0;
  return { subtotal, discount, total: subtotal - discount };
}

export function buildLineItem(
  order: CheckoutOrder,
  item: CheckoutOrder['items'][number],
  description: string,
) {
  const { price, quantity } = item;
  const subtotal = hasTrial(order) ? 0 : price.unit_amount * quantity;
  const discount = order.coupon && subtotal > 0 ? discountPence(order.coupon, subtotal) : 0;
  return {
    id: newId('li'),
    object: 'item' as const,
    adjustable_quantity: null,
    amount_discount: discount,
    amount_subtotal: subtotal,
    amount_tax: 0,
    amount_total: subtotal - discount,
    currency: price.currency,
    description,
    metadata: {},
    price,
    quantity,
  };
}

export function buildSession(
  clock: Clock,
  params: SessionParameters,
  order: CheckoutOrder,
  publicUrl: string,
) {
  const id = newId('cs_test', 58);
  const now = epochSeconds(clock);
  const { subtotal, discount, total } = periodPence(order);
  const isTrial = hasTrial(order);
  return {
    id,
    object: 'checkout.session' as const,
    adaptive_pricing: { enabled: params.adaptive_pricing?.enabled ?? false },
    after_expiration: params.after_expiration?.recovery
      ? {
          recovery: {
            allow_promotion_codes: params.after_expiration.recovery.allow_promotion_codes ?? false,
            enabled: params.after_expiration.recovery.enabled,
            expires_at: null as number | null,
            url: null as string | null,
          },
        }
      : null,
    allow_promotion_codes: params.allow_promotion_codes ?? null,
    allowed_payment_method_types: params.allowed_payment_method_types ?? null,
    amount_subtotal: isTrial ? 0 : subtotal,
    amount_total: isTrial ? 0 : total,
    automatic_tax: {
      enabled: params.automatic_tax?.enabled ?? false,
      liability: null,
      provider: null,
      status: null as 'complete' | null,
    },
    billing_address_collection: params.billing_address_collection ?? null,
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    consent: null as { promotions: null; terms_of_service: 'accepted' | null } | null,
    consent_collection: params.consent_collection
      ? {
          payment_method_reuse_agreement: null,
          promotions: params.consent_collection.promotions ?? 'none',
          terms_of_service: params.consent_collection.terms_of_service ?? 'none',
        }
      : null,
    created: now,
    currency: order.items[0]?.price.currency ?? 'gbp',
    custom_fields: [],
    custom_text: {
      after_submit: params.custom_text?.after_submit ?? null,
      shipping_address: params.custom_text?.shipping_address ?? null,
      submit: params.custom_text?.submit ?? null,
      terms_of_service_acceptance: params.custom_text?.terms_of_service_acceptance ?? null,
    },
    customer: params.customer ?? null,
    customer_creation: params.customer === undefined ? ('always' as const) : null,
    customer_details:
      params.customer_email === undefined ? null : customerDetails(params.customer_email, null),
    customer_email: params.customer_email ?? null,
    discounts: order.coupon ? [{ coupon: order.coupon.id, promotion_code: null }] : [],
    expires_at: params.expires_at ?? now + DEFAULT_LIFETIME_SECONDS,
    invoice: null as string | null,
    livemode: false,
    locale: params.locale ?? null,
    managed_payments: { enabled: false },
    metadata: mergeMetadata({}, params.metadata),
    mode: 'subscription' as const,
    payment_method_collection: params.payment_method_collection ?? 'always',
    payment_method_options: {},
    payment_method_types: params.allowed_payment_method_types ?? ['card'],
    payment_status: 'unpaid' as PaymentStatus,
    phone_number_collection: { enabled: params.phone_number_collection?.enabled ?? false },
    recovered_from: null as string | null,
    shipping_options: [],
    status: 'open' as SessionStatus,
    submit_type: params.submit_type ?? null,
    subscription: null as string | null,
    success_url: params.success_url ?? null,
    ...(params.tax_id_collection && {
      tax_id_collection: { enabled: params.tax_id_collection.enabled, required: 'never' },
    }),
    total_details: { amount_discount: isTrial ? 0 : discount, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page' as const,
    url: hostedPageUrl(publicUrl, id) as string | null,
    ...nulls('client_secret', 'collected_information', 'currency_conversion', 'customer_account'),
    ...nulls(
      'integration_identifier',
      'invoice_creation',
      'origin_context',
      'payment_intent',
      'payment_link',
    ),
    ...nulls(
      'payment_method_configuration_details',
      'permissions',
      'saved_payment_method_options',
      'setup_intent',
    ),
    ...nulls('shipping_address_collection', 'shipping_cost', 'wallet_options'),
  };
}

/** Stripe's own URLs carry a fragment too. Query parameters must be added before it. */
function hostedPageUrl(publicUrl: string, id: string): string {
  return `${publicUrl}/c/pay/${id}#fid${randomText(80)}`;
}

/** Builds an open copy of an expired session, for a visitor who follows its recovery link. */
export function copyExpired(
  clock: Clock,
  { session, order, lineItems }: CheckoutRecord,
  publicUrl: string,
) {
  const id = newId('cs_test', 58);
  const created = epochSeconds(clock);
  const copy: Session = structuredClone(session);
  const recovery = copy.after_expiration?.recovery;
  if (recovery) Object.assign(recovery, { expires_at: null, url: null });
  if (recovery?.allow_promotion_codes === true && copy.discounts.length === 0)
    copy.allow_promotion_codes = true;
  const fresh: Session = {
    ...copy,
    id,
    created,
    expires_at: created + DEFAULT_LIFETIME_SECONDS,
    recovered_from: session.id,
    status: 'open',
    url: hostedPageUrl(publicUrl, id),
  };
  return {
    id,
    session: fresh,
    order,
    lineItems: lineItems.map((item) => ({ ...item, id: newId('li') })),
  };
}

export function customerDetails(email: string, name: string | null, taxId = '') {
  return {
    email,
    name,
    tax_exempt: 'none' as const,
    tax_ids: taxId === '' ? [] : [{ type: 'gb_vat', value: taxId }],
    ...nulls('address', 'business_name', 'individual_name', 'phone'),
  };
}
