import { epochSeconds } from '../../clock.ts';
import { getActivePrice } from '../catalog/catalog.store.ts';
import { assignGiven } from '../wire/assign-given.ts';
import type { Endpoint } from '../wire/endpoint.ts';
import { endpoint, retrieve } from '../wire/endpoint.ts';
import { newId, randomText } from '../wire/ids.ts';
import { isWanted, pageParameters, toPage } from '../wire/list.ts';
import { flag, mergeMetadata } from '../wire/parameters.ts';
import { invalidRequest } from '../wire/stripe-fault.ts';
import type { BillingDeps } from './billing.store.ts';
import type { PortalParameters } from './portal-configuration.schema.ts';
import {
  portalCreateParameters,
  portalSessionParameters,
  portalUpdateParameters,
} from './portal-configuration.schema.ts';
import type { PortalProduct } from './portal-configuration.store.ts';
import {
  buildFeatures,
  buildLoginPage,
  buildPortalConfiguration,
} from './portal-configuration.store.ts';

/** Configurations of the customer portal, and sessions in it. Next: portal.routes.ts, the portal itself. */
export function portalEndpoints(deps: BillingDeps): Endpoint[] {
  const { store, clock, publicUrl } = deps;
  const { portals } = store;
  const loginUrl = () => `${publicUrl()}/p/login`;
  return [
    endpoint('post', '/billing_portal/configurations', portalCreateParameters, (params) => {
      const products = readProducts(deps, params.features);
      const configuration = buildPortalConfiguration(clock, params, loginUrl());
      return portals.insert({ id: configuration.id, configuration, products }).configuration;
    }),

    endpoint(
      'get',
      '/billing_portal/configurations',
      { ...pageParameters, active: flag.optional(), is_default: flag.optional() },
      ({ active, is_default: isDefault, ...page }) => {
        const found = portals
          .newestFirst()
          .map(({ configuration }) => configuration)
          .filter((each) => isWanted(each.active, active) && isWanted(each.is_default, isDefault));
        return toPage('/v1/billing_portal/configurations', found, page);
      },
    ),

    retrieve('/billing_portal/configurations', { get: (id) => portals.get(id).configuration }),

    endpoint('post', '/billing_portal/configurations/:id', portalUpdateParameters, (params, id) => {
      const record = portals.get(id);
      const { configuration } = record;
      if (params.features?.subscription_update?.products !== undefined) {
        record.products = readProducts(deps, params.features);
      }
      const { metadata, features, login_page: login, business_profile: profile, ...given } = params;
      assignGiven(configuration, {
        ...given,
        metadata: mergeMetadata(configuration.metadata, metadata),
        features: features && {
          ...configuration.features,
          ...pickGiven(buildFeatures(features), features),
        },
        login_page: login && buildLoginPage(login.enabled, loginUrl()),
        updated: epochSeconds(clock),
      });
      if (profile) assignGiven(configuration.business_profile, profile);
      return configuration;
    }),

    endpoint(
      'post',
      '/billing_portal/sessions',
      portalSessionParameters,
      ({ customer, configuration: id, return_url: returnUrl }) => {
        store.customers.get(customer, 'customer');
        const found =
          id === undefined ? portals.newestFirst()[0] : portals.get(id, 'configuration');
        if (!found) {
          throw invalidRequest(
            'You can’t create a portal session in test mode until you save your customer portal settings in test mode.',
          );
        }
        return {
          id: newId('bps'),
          object: 'billing_portal.session',
          configuration: found.id,
          created: epochSeconds(clock),
          customer,
          customer_account: null,
          flow: null,
          livemode: false,
          locale: null,
          on_behalf_of: null,
          return_url: returnUrl ?? found.configuration.default_return_url,
          url: `${publicUrl()}/p/session/test_${randomText(40)}`,
        };
      },
    ),
  ];
}

/** Each product's prices must differ in their interval, so that a subscriber can tell them apart. */
function readProducts(
  { store }: BillingDeps,
  features: PortalParameters['features'],
): PortalProduct[] {
  const wanted = features?.subscription_update?.products ?? [];
  for (const [index, { product, prices }] of wanted.entries()) {
    const param = `features[subscription_update][products][${index}]`;
    store.products.get(product, `${param}[product]`);
    const intervals = prices.map((id, place) => {
      const price = getActivePrice(store, id, `${param}[prices][${place}]`);
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
  return wanted;
}

function pickGiven<T extends object>(built: T, given: object): Partial<T> {
  return Object.fromEntries(
    Object.entries(built).filter(([name]) => Object.hasOwn(given, name)),
  ) as Partial<T>;
}
