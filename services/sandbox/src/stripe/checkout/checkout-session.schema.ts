import { z } from 'zod';
import { MISSING_PAYMENT_METHOD } from '../billing/subscription.store.ts';
import {
  acceptedAll,
  address,
  emailAddress,
  flag,
  integer,
  metadata,
  oneOf,
  text,
} from '../wire/parameters.ts';

// prettier-ignore
const LOCALES = [
  'auto', 'bg', 'cs', 'da', 'de', 'el', 'en', 'en-GB', 'es', 'es-419', 'et', 'fi', 'fil', 'fr', 'fr-CA', 'hi-IN',
  'hr', 'hu', 'id', 'it', 'ja', 'ko', 'lt', 'lv', 'ms', 'mt', 'nb', 'nl', 'pl', 'pt', 'pt-BR', 'ro', 'ru', 'sk', 'sl',
  'sv', 'th', 'tr', 'vi', 'zh', 'zh-HK', 'zh-TW',
] as const;

const message = z.preprocess(
  (value) => (value === '' ? null : value),
  z.strictObject({ message: text(1_200) }).nullable(),
);

/** Parameters of `POST /v1/checkout/sessions`. Those without an effect here are accepted and ignored. */
export const sessionParameters = {
  mode: oneOf(['payment', 'setup', 'subscription']),
  line_items: z
    .array(
      z.strictObject({
        price: text(),
        quantity: integer(1, 999_999).optional(),
        metadata,
        ...acceptedAll('adjustable_quantity', 'tax_rates'),
      }),
    )
    .min(1)
    .max(20, { error: 'At most 20 line items with recurring prices' }),
  subscription_data: z
    .strictObject({
      description: text(500).optional(),
      metadata,
      trial_period_days: integer(1, 730).optional(),
      trial_end: integer().optional(),
      trial_settings: z
        .strictObject({
          end_behavior: z.strictObject({ missing_payment_method: oneOf(MISSING_PAYMENT_METHOD) }),
        })
        .optional(),
      billing_mode: z
        .strictObject({
          type: oneOf(['classic', 'flexible']).optional(),
          ...acceptedAll('flexible'),
        })
        .optional(),
      ...acceptedAll(
        'application_fee_percent',
        'billing_cycle_anchor',
        'billing_cycle_anchor_config',
        'default_tax_rates',
        'invoice_settings',
        'pending_invoice_item_interval',
        'proration_behavior',
      ),
    })
    .optional(),
  payment_method_collection: oneOf(['always', 'if_required']).optional(),
  customer: text().optional(),
  customer_email: emailAddress.optional(),
  client_reference_id: text(200).optional(),
  metadata,
  discounts: z
    .array(z.strictObject({ coupon: text().optional(), promotion_code: text().optional() }))
    .max(1, { error: 'At most one discount can be applied to a session' })
    .optional(),
  allow_promotion_codes: flag.optional(),
  success_url: address.optional(),
  cancel_url: address.optional(),
  locale: oneOf(LOCALES).optional(),
  ui_mode: oneOf(['hosted_page', 'embedded_page', 'elements', 'form']).optional(),
  expires_at: integer().optional(),
  after_expiration: z
    .strictObject({
      recovery: z
        .strictObject({ enabled: flag, allow_promotion_codes: flag.optional() })
        .optional(),
    })
    .optional(),
  adaptive_pricing: z.strictObject({ enabled: flag.optional() }).optional(),
  allowed_payment_method_types: z.array(text()).optional(),
  excluded_payment_method_types: z.array(text()).optional(),
  automatic_tax: z.strictObject({ enabled: flag, ...acceptedAll('liability') }).optional(),
  billing_address_collection: oneOf(['auto', 'required']).optional(),
  consent_collection: z
    .strictObject({
      promotions: oneOf(['auto', 'none']).optional(),
      terms_of_service: oneOf(['none', 'required']).optional(),
      ...acceptedAll('payment_method_reuse_agreement'),
    })
    .optional(),
  currency: text(3).optional(),
  customer_creation: oneOf(['always', 'if_required']).optional(),
  custom_text: z
    .strictObject({
      submit: message.optional(),
      after_submit: message.optional(),
      shipping_address: message.optional(),
      terms_of_service_acceptance: message.optional(),
    })
    .optional(),
  phone_number_collection: z.strictObject({ enabled: flag }).optional(),
  submit_type: oneOf(['auto', 'book', 'donate', 'pay', 'subscribe']).optional(),
  tax_id_collection: z.strictObject({ enabled: flag, ...acceptedAll('required') }).optional(),
  ...acceptedAll(
    'branding_settings',
    'custom_fields',
    'customer_update',
    'integration_identifier',
    'name_collection',
    'optional_items',
    'origin_context',
    'payment_method_configuration',
    'payment_method_options',
    'saved_payment_method_options',
    'wallet_options',
  ),
};
export type SessionParameters = z.output<z.ZodObject<typeof sessionParameters>>;
