import { z } from 'zod';
import { epochSeconds } from '../../clock.ts';
import { getRecurringPrice } from '../catalog.ts';
import type { Endpoint } from '../wire/endpoint.ts';
import { endpoint, list, retrieve } from '../wire/endpoint.ts';
import { assignGiven } from '../wire/objects.ts';
import { emptyable, flag, mergeMetadata, metadata, text } from '../wire/parameters.ts';
import { invalidRequest } from '../wire/stripe-fault.ts';
import type { BillingDeps } from './billing.store.ts';
import type { Features, PortalProduct } from './portal-configuration.ts';
import { buildConfiguration, features, toFeatures } from './portal-configuration.ts';

// Configurations of the customer portal. Next: portal.routes.ts, the portal itself.

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

/**
 * Each product's prices must differ in their interval, so that a subscriber can tell them apart.
 */
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
