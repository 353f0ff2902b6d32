import { z } from 'zod';
import { assignGiven } from '../wire/assign-given.ts';
import type { Endpoint } from '../wire/endpoint.ts';
import { endpoint } from '../wire/endpoint.ts';
import { isWanted, pageParameters, toPage } from '../wire/list.ts';
import {
  acceptedAll,
  currency,
  decimal,
  emptyable,
  flag,
  integer,
  isInRange,
  mergeMetadata,
  metadata,
  oneOf,
  range,
  text,
} from '../wire/parameters.ts';
import { invalidRequest, onlyOneOf } from '../wire/stripe-fault.ts';
import type { CatalogDeps } from './catalog.store.ts';
import type { Price } from './price.store.ts';
import { buildPrice, INTERVALS, TAX_BEHAVIORS } from './price.store.ts';
import { buildProduct } from './product.store.ts';

const MAX_LOOKUP_KEYS = 10;

const recurring = z.strictObject({
  interval: oneOf(INTERVALS),
  interval_count: integer(1, 1_095).optional(),
  usage_type: oneOf(['licensed']).optional(),
  trial_period_days: integer(1).optional(),
});

const productData = z.strictObject({
  id: text().optional(),
  name: text(),
  active: flag.optional(),
  metadata,
  statement_descriptor: text(22).optional(),
  tax_code: text().optional(),
  unit_label: text(12).optional(),
});

export function priceEndpoints({ store, clock }: CatalogDeps): Endpoint[] {
  /** Frees a lookup key for its new price. A key that another price holds moves only with `transfer_lookup_key`. */
  function claimLookupKey(key: string, isTransfer: boolean, claimant?: Price): void {
    const holder = store.prices
      .newestFirst()
      .find((price) => price.lookup_key === key && price !== claimant);
    if (!holder) return;
    if (!isTransfer) {
      const message = `A price (\`${holder.id}\`) already uses that lookup key.`;
      throw invalidRequest(message, 'lookup_key', 'resource_already_exists');
    }
    holder.lookup_key = null;
  }

  function createProduct(input: z.output<typeof productData>): string {
    return store.products.insert(
      buildProduct(clock, { ...input, metadata: mergeMetadata({}, input.metadata) }),
    ).id;
  }

  return [
    endpoint(
      'post',
      '/prices',
      {
        currency,
        product: text().optional(),
        product_data: productData.optional(),
        unit_amount: integer(0, 99_999_999).optional(),
        unit_amount_decimal: decimal.optional(),
        recurring: recurring.optional(),
        active: flag.optional(),
        lookup_key: text(200).optional(),
        transfer_lookup_key: flag.optional(),
        metadata,
        nickname: text().optional(),
        tax_behavior: oneOf(TAX_BEHAVIORS).optional(),
        billing_scheme: oneOf(['per_unit']).optional(),
      },
      (params) => {
        const { product: productId, product_data: newProduct } = params;
        if (productId !== undefined && newProduct) throw onlyOneOf('product', 'product_data');
        if (params.unit_amount !== undefined && params.unit_amount_decimal !== undefined) {
          throw onlyOneOf('unit_amount', 'unit_amount_decimal');
        }
        const unitAmount = params.unit_amount ?? params.unit_amount_decimal;
        if (unitAmount === undefined) {
          throw invalidRequest(
            'Missing required param: unit_amount.',
            'unit_amount',
            'parameter_missing',
          );
        }
        if (productId === undefined && !newProduct) {
          throw invalidRequest('Missing required param: product.', 'product', 'parameter_missing');
        }
        if (productId !== undefined) store.products.get(productId, 'product');
        if (params.lookup_key !== undefined)
          claimLookupKey(params.lookup_key, params.transfer_lookup_key ?? false);
        const product = newProduct ? createProduct(newProduct) : (productId ?? '');
        const own = {
          product,
          unit_amount: unitAmount,
          metadata: mergeMetadata({}, params.metadata),
        };
        return store.prices.insert(buildPrice(clock, { ...params, ...own }));
      },
    ),

    endpoint(
      'get',
      '/prices',
      {
        ...pageParameters,
        active: flag.optional(),
        created: range,
        currency: currency.optional(),
        lookup_keys: z
          .array(text(200))
          .max(MAX_LOOKUP_KEYS, { error: `At most ${MAX_LOOKUP_KEYS} lookup keys` })
          .optional(),
        product: text().optional(),
        recurring: z
          .strictObject({
            interval: oneOf(INTERVALS).optional(),
            ...acceptedAll('meter', 'usage_type'),
          })
          .optional(),
        type: oneOf(['one_time', 'recurring']).optional(),
      },
      (params) => {
        const { lookup_keys: lookupKeys } = params;
        const prices = store.prices
          .newestFirst()
          .filter((price) => isWanted(price.active, params.active))
          .filter(
            (price) => lookupKeys === undefined || lookupKeys.includes(price.lookup_key ?? ''),
          )
          .filter((price) => isWanted(price.product, params.product))
          .filter((price) => isWanted(price.type, params.type))
          .filter((price) => isWanted(price.currency, params.currency))
          .filter((price) => isWanted(price.recurring?.interval, params.recurring?.interval))
          .filter((price) => isInRange(price.created, params.created));
        return toPage('/v1/prices', prices, params);
      },
    ),

    endpoint(
      'post',
      '/prices/:id',
      {
        active: flag.optional(),
        lookup_key: emptyable(text(200)),
        transfer_lookup_key: flag.optional(),
        metadata,
        nickname: emptyable(text()),
        tax_behavior: oneOf(TAX_BEHAVIORS).optional(),
        ...acceptedAll('currency_options'),
      },
      (params, id) => {
        const price = store.prices.get(id);
        if (params.tax_behavior !== undefined && price.tax_behavior !== 'unspecified') {
          throw invalidRequest(
            'The tax behavior of a price cannot be changed once it is set.',
            'tax_behavior',
          );
        }
        if (params.lookup_key)
          claimLookupKey(params.lookup_key, params.transfer_lookup_key ?? false, price);
        assignGiven(price, {
          active: params.active,
          lookup_key: params.lookup_key,
          nickname: params.nickname,
          tax_behavior: params.tax_behavior,
          metadata: mergeMetadata(price.metadata, params.metadata),
        });
        return price;
      },
    ),
  ];
}
