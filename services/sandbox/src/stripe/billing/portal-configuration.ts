import { z } from 'zod';
import { epochSeconds } from '../../clock.ts';
import { getRecurringPrice } from '../catalog.ts';
import type { Endpoint } from '../wire/endpoint.ts';
import { endpoint, list, retrieve } from '../wire/endpoint.ts';
import { assignGiven, newId } from '../wire/objects.ts';
import { emptyable, flag, mergeMetadata, metadata, oneOf, text } from '../wire/parameters.ts';
import { invalidRequest } from '../wire/stripe-fault.ts';
import type { BillingDeps } from './billing.store.ts';

// Configurations of the customer portal. Next: portal.routes.ts, the portal itself.

/** A product whose subscriptions may change to one of these prices. */
type PortalProduct = { product: string; prices: string[] };
/** A configuration as the API shows it, and the products, which it shows only if asked. */
export type PortalRecord = {
  id: string;
  configuration: PortalConfiguration;
  products: PortalProduct[];
};
export type PortalConfiguration = ReturnType<typeof buildConfiguration>;

const features = z.strictObject({
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
          options: z.array(
            oneOf([
              'customer_service',
              'low_quality',
              'missing_features',
              'other',
              'switched_service',
              'too_complex',
              'too_expensive',
              'unused',
            ]),
          ),
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
type Features = z.output<typeof features>;

const createParameters = {
  features,
  login_page: z.strictObject({ enabled: flag }).default({ enabled: false }),
  metadata,
};
const updateParameters = {
  features: features.optional(),
  active: flag.optional(),
  login_page: z.strictObject({ enabled: flag }).optional(),
  metadata,
  name: emptyable(text()),
};

export function portalEndpoints({ store, clock, publicUrl }: BillingDeps): Endpoint[] {
  const { portals } = store;
  const toLoginPage = (enabled: boolean) => ({
    enabled,
    url: enabled ? `${publicUrl()}/p/login` : null,
  });
  const buildNew = (params: z.output<z.ZodObject<typeof createParameters>>) =>
    buildConfiguration({
      created: epochSeconds(clock),
      features: toFeatures(params.features),
      login_page: toLoginPage(params.login_page.enabled),
      metadata: mergeMetadata({}, params.metadata),
    });
  return [
    endpoint('post', '/billing_portal/configurations', createParameters, (params) => {
      const products = readProducts(store, params.features) ?? [];
      const configuration = buildNew(params);
      return portals.insert({ id: configuration.id, configuration, products }).configuration;
    }),
    list(
      '/billing_portal/configurations',
      { newestFirst: () => portals.newestFirst().map(({ configuration }) => configuration) },
      { active: flag.optional() },
    ),
    retrieve('/billing_portal/configurations', { get: (id) => portals.get(id).configuration }),
    endpoint('post', '/billing_portal/configurations/:id', updateParameters, (params, id) => {
      const record = portals.get(id);
      const { configuration } = record;
      record.products = readProducts(store, params.features) ?? record.products;
      assignGiven(configuration, {
        active: params.active,
        name: params.name,
        metadata: mergeMetadata(configuration.metadata, params.metadata),
        features: params.features && toFeatures(params.features, configuration.features),
        login_page: params.login_page && toLoginPage(params.login_page.enabled),
      });
      return configuration;
    }),
  ];
}

type Shown = {
  created: number;
  features: ReturnType<typeof toFeatures>;
  login_page: { enabled: boolean; url: string | null };
  metadata: Record<string, string>;
};

function buildConfiguration(shown: Shown) {
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

/** What a feature is that no parameter names. */
const OFF = features.required().parse({
  customer_update: { enabled: 'false' },
  invoice_history: { enabled: 'false' },
  payment_method_update: { enabled: 'false' },
  subscription_cancel: { enabled: 'false' },
  subscription_update: { enabled: 'false' },
});

/** Renders all features, without the products. One that the parameters leave out stays as it was. */
function toFeatures({ subscription_update: update, ...given }: Features, before = OFF) {
  const { products: _, ...shown } = update ?? before.subscription_update;
  return { ...before, ...withoutUndefined(given), subscription_update: shown };
}

const withoutUndefined = <T extends object>(value: T) =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as {
    [K in keyof T]: NonNullable<T[K]>;
  };

/** Each product's prices must differ in their interval, so that a subscriber can tell them apart. */
function readProducts(
  store: BillingDeps['store'],
  { subscription_update: update }: Features = {},
): PortalProduct[] | undefined {
  for (const [index, { product, prices }] of (update?.products ?? []).entries()) {
    const param = `features[subscription_update][products][${index}]`;
    store.products.get(product, `${param}[product]`);
    const intervals = prices.map((id, place) => {
      const price = getRecurringPrice(store, id, `${param}[prices][${place}]`);
      if (price.product !== product) {
        throw invalidRequest(
          `The price ${id} does not belong to the product ${product}.`,
          `${param}[prices][${place}]`,
        );
      }
      return `${price.recurring?.interval} ${price.recurring?.interval_count}`;
    });
    if (new Set(intervals).size < intervals.length) {
      throw invalidRequest(
        'All prices of a product must have unique billing intervals.',
        `${param}[prices]`,
      );
    }
  }
  return update?.products;
}
