import { z } from 'zod';
import {
  acceptedAll,
  address,
  emptyable,
  flag,
  metadata,
  oneOf,
  text,
} from '../wire/parameters.ts';

const PRORATIONS = ['always_invoice', 'create_prorations', 'none'] as const;
const REASONS = [
  'customer_service',
  'low_quality',
  'missing_features',
  'other',
  'switched_service',
  'too_complex',
  'too_expensive',
  'unused',
] as const;

const features = z.strictObject({
  customer_update: z
    .strictObject({
      enabled: flag,
      allowed_updates: emptyable(
        z.array(oneOf(['address', 'email', 'name', 'phone', 'shipping', 'tax_id'])),
      ),
    })
    .optional(),
  invoice_history: z.strictObject({ enabled: flag }).optional(),
  payment_method_update: z.strictObject({ enabled: flag }).optional(),
  subscription_cancel: z
    .strictObject({
      enabled: flag,
      mode: oneOf(['at_period_end', 'immediately']).optional(),
      proration_behavior: oneOf(PRORATIONS).optional(),
      cancellation_reason: z
        .strictObject({ enabled: flag, options: emptyable(z.array(oneOf(REASONS))) })
        .optional(),
    })
    .optional(),
  subscription_update: z
    .strictObject({
      enabled: flag,
      default_allowed_updates: emptyable(z.array(oneOf(['price', 'promotion_code', 'quantity']))),
      products: emptyable(
        z.array(z.strictObject({ product: text(), prices: z.array(text()).min(1) })).max(10, {
          error: 'At most 10 products',
        }),
      ),
      proration_behavior: oneOf(PRORATIONS).optional(),
      trial_update_behavior: oneOf(['continue_trial', 'end_trial']).optional(),
    })
    .optional(),
});

const shared = {
  business_profile: z
    .strictObject({
      headline: emptyable(text(60)),
      privacy_policy_url: address.optional(),
      terms_of_service_url: address.optional(),
    })
    .optional(),
  default_return_url: emptyable(address),
  login_page: z.strictObject({ enabled: flag }).optional(),
  metadata,
  name: emptyable(text()),
};

export const portalCreateParameters = { ...shared, features };
export const portalUpdateParameters = {
  ...shared,
  features: features.optional(),
  active: flag.optional(),
};
export type PortalParameters = z.output<z.ZodObject<typeof portalUpdateParameters>>;

export const portalSessionParameters = {
  customer: text(),
  configuration: text().optional(),
  return_url: address.optional(),
  ...acceptedAll('flow_data', 'locale'),
};
