import { z } from 'zod';
import { newId } from '../wire/objects.ts';
import { flag, oneOf, text } from '../wire/parameters.ts';
import { cancellationReason } from './subscription.schema.ts';

/** A product whose subscriptions may change to one of these prices. */
export type PortalProduct = { product: string; prices: string[] };
/** A configuration in the API's form, and the products, which the API shows only on request. */
export type PortalRecord = {
  id: string;
  configuration: PortalConfiguration;
  products: PortalProduct[];
};
export type PortalConfiguration = ReturnType<typeof buildConfiguration>;

export const features = z.strictObject({
  customer_update: z
    .strictObject({
      enabled: flag,
      allowed_updates: z
        .array(oneOf(['address', 'email', 'name', 'phone', 'shipping', 'tax_id']))
        .default([]),
    })
    .optional(),
  invoice_history: z.strictObject({ enabled: flag }).optional(),
  payment_method_update: z.strictObject({ enabled: flag }).optional(),
  subscription_cancel: z
    .strictObject({
      enabled: flag,
      mode: oneOf(['at_period_end', 'immediately']).default('at_period_end'),
      cancellation_reason: z
        .strictObject({
          enabled: flag,
          options: z.array(cancellationReason),
        })
        .default({ enabled: false, options: [] }),
    })
    .optional(),
  subscription_update: z
    .strictObject({
      enabled: flag,
      default_allowed_updates: z.array(oneOf(['price', 'promotion_code', 'quantity'])).default([]),
      products: z
        .array(z.strictObject({ product: text(), prices: z.array(text()).min(1) }))
        .max(10, { error: 'At most 10 products' })
        .optional(),
      proration_behavior: oneOf(['always_invoice', 'create_prorations', 'none']).default('none'),
      trial_update_behavior: oneOf(['continue_trial', 'end_trial']).default('end_trial'),
    })
    .optional(),
});
export type Features = z.output<typeof features>;

type Shown = {
  created: number;
  features: ReturnType<typeof toFeatures>;
  login_page: { enabled: boolean; url: string | null };
  metadata: Record<string, string>;
};

export function buildConfiguration(shown: Shown) {
  return {
    id: newId('bpc'),
    object: 'billing_portal.configuration' as const,
    active: true,
    is_default: false,
    livemode: false,
    name: null as string | null,
    ...shown,
  };
}

/** The default of a feature that no parameter names. */
const OFF = features.required().parse({
  customer_update: { enabled: 'false' },
  invoice_history: { enabled: 'false' },
  payment_method_update: { enabled: 'false' },
  subscription_cancel: { enabled: 'false' },
  subscription_update: { enabled: 'false' },
});

/**
 * Renders all features, without the products. Features missing from the parameters stay unchanged.
 */
export function toFeatures({ subscription_update: update, ...given }: Features, before = OFF) {
  const { products: _, ...shown } = update ?? before.subscription_update;
  return { ...before, ...withoutUndefined(given), subscription_update: shown };
}

const withoutUndefined = <T extends object>(value: T) =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as {
    [K in keyof T]: NonNullable<T[K]>;
  };
