import { z } from 'zod';
import { epochSeconds } from '../../clock.ts';
import type { Endpoint } from '../wire/endpoint.ts';
import { endpoint } from '../wire/endpoint.ts';
import { acceptedAll, flag, mergeMetadata, metadata, oneOf, text } from '../wire/parameters.ts';
import { buildProduct } from './product.store.ts';
import type { Product } from './product.store.ts';
import { invalidRequest, missing } from '../wire/stripe-fault.ts';
import type { StripeDeps } from '../stripe.store.ts';

const emptyable = z.preprocess((value) => (value === '' ? null : value), text().nullable()).optional();
const images = z.preprocess((value) => (value === '' ? [] : value), z.array(text()).max(8)).optional();

export function productEndpoints({ store, clock }: StripeDeps): Endpoint[] {
  const find = (id: string): Product => {
    const product = store.products.find(id);
    if (!product) throw missing('product', id);
    return product;
  };

  return [
    endpoint(
      'post',
      '/products',
      {
        id: text(500).optional(),
        name: text(),
        active: flag.optional(),
        description: text(40_000).optional(),
        images,
        metadata,
        statement_descriptor: text(22).optional(),
        tax_code: text().optional(),
        type: oneOf(['service', 'good']).optional(),
        unit_label: text(12).optional(),
        url: text().optional(),
        ...acceptedAll('marketing_features', 'package_dimensions', 'shippable', 'tax_details'),
      },
      (params) => {
        if (params.id !== undefined && store.products.find(params.id)) {
          throw invalidRequest('Product already exists.', 'id', 'resource_already_exists');
        }
        const product = buildProduct(clock, { ...params, metadata: mergeMetadata({}, params.metadata) });
        return store.products.insert(product);
      },
    ),

    endpoint('get', '/products/:id', {}, (_params, path) => find(path['id'] ?? '')),

    endpoint(
      'post',
      '/products/:id',
      {
        name: text().optional(),
        active: flag.optional(),
        default_price: text().optional(),
        description: emptyable,
        images,
        metadata,
        statement_descriptor: text(22).optional(),
        tax_code: emptyable,
        unit_label: emptyable,
        url: emptyable,
        ...acceptedAll('marketing_features', 'package_dimensions', 'shippable', 'tax_details'),
      },
      (params, path) => {
        const product = find(path['id'] ?? '');
        if (params.default_price !== undefined && store.prices.find(params.default_price)?.product !== product.id) {
          throw missing('price', params.default_price, 'default_price');
        }
        product.name = params.name ?? product.name;
        product.active = params.active ?? product.active;
        product.default_price = params.default_price ?? product.default_price;
        product.images = params.images ?? product.images;
        product.statement_descriptor = params.statement_descriptor ?? product.statement_descriptor;
        if (params.description !== undefined) product.description = params.description;
        if (params.tax_code !== undefined) product.tax_code = params.tax_code;
        if (params.unit_label !== undefined) product.unit_label = params.unit_label;
        if (params.url !== undefined) product.url = params.url;
        product.metadata = mergeMetadata(product.metadata, params.metadata);
        product.updated = epochSeconds(clock);
        return product;
      },
    ),
  ];
}
