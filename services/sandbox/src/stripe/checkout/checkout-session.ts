import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import { epochSeconds } from '../../clock.ts';
import type { BillingDeps } from '../billing/billing.store.ts';
import { fullPence } from '../billing/subscription.ts';
import type { Coupon, Price } from '../catalog.ts';
import { discountPence } from '../catalog.ts';
import type { Collection } from '../wire/collection.ts';
import { newId, randomText } from '../wire/objects.ts';
import {
  address,
  emailAddress,
  flag,
  integer,
  mergeMetadata,
  metadata,
  oneOf,
  text,
} from '../wire/parameters.ts';

export type Session = ReturnType<typeof buildSession>;
export type SessionLineItem = ReturnType<typeof buildLineItem>;

/** The order behind a session, fixed when the session is created. */
export type CheckoutOrder = {
  items: { price: Price; quantity: number }[];
  coupon: Coupon | null;
  trialPeriodDays: number | null;
  missingPaymentMethod: (typeof MISSING_PAYMENT_METHOD)[number];
  metadata: Record<string, string>;
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

const MISSING_PAYMENT_METHOD = ['cancel', 'create_invoice', 'pause'] as const;
const DEFAULT_LIFETIME_SECONDS = 24 * 60 * 60;

// prettier-ignore
const LOCALES = [
  'auto', 'bg', 'cs', 'da', 'de', 'el', 'en', 'en-GB', 'es', 'es-419', 'et', 'fi', 'fil', 'fr', 'fr-CA', 'hi-IN',
  'hr', 'hu', 'id', 'it', 'ja', 'ko', 'lt', 'lv', 'ms', 'mt', 'nb', 'nl', 'pl', 'pt', 'pt-BR', 'ro', 'ru', 'sk', 'sl',
  'sv', 'th', 'tr', 'vi', 'zh', 'zh-HK', 'zh-TW',
] as const;

const switchedOn = z.strictObject({ enabled: flag });

/** Parameters of `POST /v1/checkout/sessions`. */
export const sessionParameters = {
  mode: z.literal('subscription'),
  line_items: z
    .array(z.strictObject({ price: text(), quantity: integer(1, 999_999) }))
    .min(1)
    .max(20, { error: 'At most 20 line items with recurring prices' }),
  subscription_data: z
    .strictObject({
      metadata,
      trial_period_days: integer(1, 730).optional(),
      trial_settings: z
        .strictObject({
          end_behavior: z.strictObject({ missing_payment_method: oneOf(MISSING_PAYMENT_METHOD) }),
        })
        .optional(),
    })
    .optional(),
  payment_method_collection: z.literal('always').default('always'),
  customer_email: emailAddress.optional(),
  client_reference_id: text(200).optional(),
  metadata,
  discounts: z
    .array(z.strictObject({ coupon: text() }))
    .max(1, { error: 'At most one discount can be applied to a session' })
    .optional(),
  allow_promotion_codes: flag.optional(),
  success_url: address,
  cancel_url: address.optional(),
  locale: oneOf(LOCALES).optional(),
  after_expiration: z.strictObject({ recovery: switchedOn }).optional(),
  adaptive_pricing: switchedOn.default({ enabled: false }),
  automatic_tax: switchedOn.default({ enabled: false }),
  billing_address_collection: oneOf(['auto', 'required']).optional(),
  consent_collection: z.strictObject({ terms_of_service: oneOf(['none', 'required']) }).optional(),
  custom_text: z.strictObject({ submit: z.strictObject({ message: text(1_200) }) }).optional(),
  tax_id_collection: switchedOn.optional(),
};
export type SessionParameters = z.output<z.ZodObject<typeof sessionParameters>>;

export function hasTrial(order: CheckoutOrder): boolean {
  return order.trialPeriodDays !== null;
}

/** Returns the price of one billing period in pence, before and after the discount. */
export function periodPence(order: CheckoutOrder): {
  subtotal: number;
  discount: number;
  total: number;
} {
  const subtotal = fullPence(order.items);
  const discount = order.coupon ? discountPence(order.coupon, subtotal) : 0;
  return { subtotal, discount, total: subtotal - discount };
}

export function buildLineItem(
  order: CheckoutOrder,
  item: CheckoutOrder['items'][number],
  description: string,
) {
  const subtotal = hasTrial(order) ? 0 : fullPence([item]);
  const discount = order.coupon ? discountPence(order.coupon, subtotal) : 0;
  return {
    id: newId('li'),
    object: 'item' as const,
    amount_discount: discount,
    amount_subtotal: subtotal,
    amount_total: subtotal - discount,
    currency: item.price.currency,
    description,
    price: item.price,
    quantity: item.quantity,
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
  const { subtotal, discount, total } = hasTrial(order)
    ? { subtotal: 0, discount: 0, total: 0 }
    : periodPence(order);
  const recovery = params.after_expiration?.recovery;
  return {
    id,
    object: 'checkout.session' as const,
    adaptive_pricing: params.adaptive_pricing,
    after_expiration: recovery
      ? {
          recovery: {
            enabled: recovery.enabled,
            expires_at: null as number | null,
            url: null as string | null,
          },
        }
      : null,
    allow_promotion_codes: params.allow_promotion_codes ?? null,
    amount_subtotal: subtotal,
    amount_total: total,
    automatic_tax: { enabled: params.automatic_tax.enabled, status: null as 'complete' | null },
    billing_address_collection: params.billing_address_collection ?? null,
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    consent: null as { promotions: null; terms_of_service: 'accepted' } | null,
    consent_collection: params.consent_collection ?? null,
    created: now,
    currency: order.items[0]?.price.currency ?? 'gbp',
    custom_text: { submit: params.custom_text?.submit ?? null },
    customer: null as string | null,
    customer_details:
      params.customer_email === undefined ? null : customerDetails(params.customer_email, null),
    customer_email: params.customer_email ?? null,
    discounts: order.coupon ? [{ coupon: order.coupon.id, promotion_code: null }] : [],
    expires_at: now + DEFAULT_LIFETIME_SECONDS,
    invoice: null as string | null,
    livemode: false,
    locale: params.locale ?? null,
    metadata: mergeMetadata({}, params.metadata),
    mode: params.mode,
    payment_method_collection: params.payment_method_collection,
    payment_status: 'unpaid' as 'paid' | 'unpaid' | 'no_payment_required',
    recovered_from: null as string | null,
    status: 'open' as 'open' | 'complete' | 'expired',
    subscription: null as string | null,
    success_url: params.success_url,
    ...(params.tax_id_collection && {
      tax_id_collection: { enabled: params.tax_id_collection.enabled, required: 'never' as const },
    }),
    total_details: { amount_discount: discount, amount_shipping: 0, amount_tax: 0 },
    url: hostedPageUrl(publicUrl, id) as string | null,
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
): CheckoutRecord {
  const id = newId('cs_test', 58);
  const created = epochSeconds(clock);
  const copy: Session = structuredClone(session);
  const recovery = copy.after_expiration?.recovery;
  if (recovery) Object.assign(recovery, { expires_at: null, url: null });
  return {
    id,
    session: {
      ...copy,
      id,
      created,
      expires_at: created + DEFAULT_LIFETIME_SECONDS,
      recovered_from: session.id,
      status: 'open',
      url: hostedPageUrl(publicUrl, id),
    },
    order,
    lineItems: lineItems.map((item) => ({ ...item, id: newId('li') })),
  };
}

export function customerDetails(email: string, name: string | null, taxId = '') {
  const taxIds = taxId === '' ? [] : [{ type: 'gb_vat' as const, value: taxId }];
  return { email, name, phone: null, tax_ids: taxIds };
}
