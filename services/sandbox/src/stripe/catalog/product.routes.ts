import { z } from 'zod';
import { epochSeconds } from '../../clock.ts';
import { assignGiven } from '../wire/assign-given.ts';
import type { Endpoint } from '../wire/endpoint.ts';
import { endpoint, list, retrieve } from '../wire/endpoint.ts';
import {
  acceptedAll,
  emptyable,
  flag,
  mergeMetadata,
  metadata,
  oneOf,
  text,
} from '../wire/parameters.ts';
import { invalidRequest, missing } from '../wire/stripe-fault.ts';
import type { CatalogDeps } from './catalog.store.ts';
import { buildProduct } from './product.store.ts';

const images = z
  .preprocess((value) => (value === '' ? [] : value), z.array(text()).max(8))
  .optional();
const ownParameters = {
  active: flag.optional(),
  images,
  metadata,
  statement_descriptor: text(22).optional(),
  ...acceptedAll('marketing_features', 'package_dimensions', 'shippable', 'tax_details'),
};

export function productEndpoints({ store, clock }: CatalogDeps): Endpoint[] {
  return [
    endpoint(
      'post',
      '/products',
      {
        ...ownParameters,
        id: text(500).optional(),
        name: text(),
        description: text(40_000).optional(),
        tax_code: text().optional(),
        type: oneOf(['service', 'good']).optional(),
        unit_label: text(12).optional(),
        url: text().optional(),
      },
      (params) => {
        if (params.id !== undefined && store.products.find(params.id)) {
          throw invalidRequest('Product already exists.', 'id', 'resource_already_exists');
        }
        const product = buildProduct(clock, {
          ...params,
          metadata: mergeMetadata({}, params.metadata),
        });
        return store.products.insert(product);
      },
    ),

    list('/products', store.products),
    retrieve('/products', store.products),

    endpoint(
      'post',
      '/products/:id',
      {
        ...ownParameters,
        name: text().optional(),
        default_price: text().optional(),
        description: emptyable(text()),
        tax_code: emptyable(text()),
        unit_label: emptyable(text()),
        url: emptyable(text()),
      },
      (params, id) => {
        const product = store.products.get(id);
        const { default_price: defaultPrice } = params;
        if (defaultPrice !== undefined && store.prices.find(defaultPrice)?.product !== product.id) {
          throw missing('price', defaultPrice, 'default_price');
        }
        assignGiven(product, {
          name: params.name,
          active: params.active,
          default_price: defaultPrice,
          description: params.description,
          images: params.images,
          statement_descriptor: params.statement_descriptor,
          tax_code: params.tax_code,
          unit_label: params.unit_label,
          url: params.url,
          metadata: mergeMetadata(product.metadata, params.metadata),
          updated: epochSeconds(clock),
        });
        return product;
      },
    ),
  ];
}
