import { z } from 'zod';
import type { Clock } from '../clock.ts';
import { epochSeconds } from '../clock.ts';
import { createCollection } from './wire/collection.ts';
import type { Endpoint } from './wire/endpoint.ts';
import { endpoint, list, retrieve } from './wire/endpoint.ts';
import { assignGiven, newId } from './wire/objects.ts';
import {
  currency,
  decimal,
  emptyable,
  flag,
  integer,
  mergeMetadata,
  metadata,
  oneOf,
  text,
} from './wire/parameters.ts';
import { invalidRequest, onlyOneOf } from './wire/stripe-fault.ts';

// Products, their prices, and coupons.

export type Product = ReturnType<typeof buildProduct>;
export type Price = ReturnType<typeof buildPrice>;
export type Coupon = ReturnType<typeof buildCoupon>;
export type Catalog = ReturnType<typeof createCatalog>;
export type CatalogDeps = { store: Catalog; clock: Clock };

export function createCatalog() {
  return {
    products: createCollection<Product>('product'),
    prices: createCollection<Price>('price'),
    coupons: createCollection<Coupon>('coupon'),
  };
}

export function productName({ products }: Pick<Catalog, 'products'>, id: string): string {
  return products.find(id)?.name ?? id;
}

/**
 * Finds an active recurring price or throws Stripe's refusal. `param` is the parameter that names
 * it.
 */
export function getRecurringPrice(
  { prices }: Pick<Catalog, 'prices'>,
  id: string,
  param: string,
): Price {
  const price = prices.get(id, param);
  if (!price.active) {
    throw invalidRequest(
      'The price specified is inactive. This field only accepts active prices.',
      param,
    );
  }
  if (!price.recurring) throw invalidRequest('The price specified is not recurring.', param);
  return price;
}

/** Returns the discount on an amount in pence, at most the amount itself. */
export function discountPence(coupon: Coupon, amountPence: number): number {
  const off = coupon.amount_off ?? Math.round((amountPence * (coupon.percent_off ?? 0)) / 100);
  return Math.min(off, amountPence);
}

export function catalogEndpoints(deps: CatalogDeps): Endpoint[] {
  return [...productEndpoints(deps), ...priceEndpoints(deps), ...couponEndpoints(deps)];
}

const productParameters = { name: text(), active: flag.optional(), metadata };
type ProductInput = z.output<z.ZodObject<typeof productParameters>> & { id?: string | undefined };

function buildProduct(clock: Clock, input: ProductInput) {
  return {
    id: input.id ?? newId('prod', 14),
    object: 'product' as const,
    active: input.active ?? true,
    created: epochSeconds(clock),
    livemode: false,
    metadata: mergeMetadata({}, input.metadata),
    name: input.name,
  };
}

function productEndpoints({ store: { products }, clock }: CatalogDeps): Endpoint[] {
  return [
    endpoint('post', '/products', { ...productParameters, id: text(500).optional() }, (params) => {
      if (params.id !== undefined && products.find(params.id)) throw alreadyExists('Product');
      return products.insert(buildProduct(clock, params));
    }),
    list('/products', products),
    retrieve('/products', products),
    endpoint(
      'post',
      '/products/:id',
      { ...productParameters, name: text().optional() },
      ({ metadata: pairs, ...params }, id) => {
        const product = products.get(id);
        assignGiven(product, { ...params, metadata: mergeMetadata(product.metadata, pairs) });
        return product;
      },
    ),
  ];
}

const priceParameters = {
  currency,
  product: text().optional(),
  product_data: z.strictObject({ name: text() }).optional(),
  unit_amount: integer(0, 99_999_999),
  recurring: z
    .strictObject({
      interval: oneOf(['day', 'week', 'month', 'year']),
      interval_count: integer(1, 1_095).default(1),
    })
    .optional(),
  lookup_key: text(200).optional(),
  transfer_lookup_key: flag.default(false),
  metadata,
  tax_behavior: oneOf(['inclusive', 'exclusive', 'unspecified']).default('unspecified'),
};
type PriceInput = z.output<z.ZodObject<typeof priceParameters>>;
export type Recurring = NonNullable<PriceInput['recurring']>;

function buildPrice(clock: Clock, product: string, input: PriceInput) {
  return {
    id: newId('price'),
    object: 'price' as const,
    active: true,
    created: epochSeconds(clock),
    currency: input.currency,
    livemode: false,
    lookup_key: input.lookup_key ?? null,
    metadata: mergeMetadata({}, input.metadata),
    product,
    recurring: input.recurring ?? null,
    tax_behavior: input.tax_behavior,
    type: input.recurring ? ('recurring' as const) : ('one_time' as const),
    unit_amount: input.unit_amount,
    unit_amount_decimal: String(input.unit_amount),
  };
}

const MAX_LOOKUP_KEYS = 10;

function priceEndpoints({ store, clock }: CatalogDeps): Endpoint[] {
  /**
   * Frees a lookup key for its new price. A key that another price holds moves only with
   * `transfer_lookup_key`.
   */
  function claimLookupKey(key: string, isTransfer: boolean): void {
    const holder = store.prices.newestFirst().find((price) => price.lookup_key === key);
    if (!holder) return;
    if (!isTransfer) {
      const message = `A price (\`${holder.id}\`) already uses that lookup key.`;
      throw invalidRequest(message, 'lookup_key', 'resource_already_exists');
    }
    holder.lookup_key = null;
  }

  return [
    endpoint('post', '/prices', priceParameters, (params) => {
      const { product, product_data: newProduct, lookup_key: key } = params;
      if (product !== undefined && newProduct) throw onlyOneOf('product', 'product_data');
      if (product === undefined && !newProduct) {
        throw invalidRequest('Missing required param: product.', 'product', 'parameter_missing');
      }
      if (product !== undefined) store.products.get(product, 'product');
      if (key !== undefined) claimLookupKey(key, params.transfer_lookup_key);
      const of = newProduct ? store.products.insert(buildProduct(clock, newProduct)).id : product;
      return store.prices.insert(buildPrice(clock, of ?? '', params));
    }),
    list(
      '/prices',
      store.prices,
      {
        active: flag.optional(),
        lookup_keys: z
          .array(text(200))
          .max(MAX_LOOKUP_KEYS, { error: `At most ${MAX_LOOKUP_KEYS} lookup keys` })
          .optional(),
      },
      (price, { active, lookup_keys: keys }) =>
        (active === undefined || price.active === active) &&
        (keys === undefined || keys.includes(price.lookup_key ?? '')),
    ),
    endpoint(
      'post',
      '/prices/:id',
      { active: flag.optional(), lookup_key: emptyable(text(200)) },
      (params, id) => {
        const price = store.prices.get(id);
        if (params.lookup_key) claimLookupKey(params.lookup_key, false);
        assignGiven(price, params);
        return price;
      },
    ),
  ];
}

const couponParameters = {
  id: text(200).optional(),
  amount_off: integer(1).optional(),
  percent_off: decimal.optional(),
  currency: currency.optional(),
  duration: oneOf(['forever', 'once']).default('once'),
  name: text(40).optional(),
};

function buildCoupon(clock: Clock, input: z.output<z.ZodObject<typeof couponParameters>>) {
  return {
    id: input.id ?? newId('coupon', 8),
    object: 'coupon' as const,
    amount_off: input.amount_off ?? null,
    created: epochSeconds(clock),
    currency: input.amount_off === undefined ? null : (input.currency ?? null),
    duration: input.duration,
    livemode: false,
    name: input.name ?? null,
    percent_off: input.percent_off ?? null,
    times_redeemed: 0,
    valid: true,
  };
}

function couponEndpoints({ store: { coupons }, clock }: CatalogDeps): Endpoint[] {
  return [
    endpoint('post', '/coupons', couponParameters, (params) => {
      const { amount_off: amountOff, percent_off: percentOff } = params;
      if (amountOff !== undefined && percentOff !== undefined)
        throw onlyOneOf('amount_off', 'percent_off');
      if (amountOff === undefined && percentOff === undefined) {
        throw invalidRequest(
          'Must provide one of percent_off or amount_off.',
          'percent_off',
          'parameter_missing',
        );
      }
      if (percentOff !== undefined && (percentOff <= 0 || percentOff > 100)) {
        throw invalidRequest(
          'Invalid percent_off: must be more than 0 and at most 100',
          'percent_off',
        );
      }
      if (amountOff !== undefined && params.currency === undefined) {
        throw invalidRequest('Missing required param: currency.', 'currency', 'parameter_missing');
      }
      if (params.id !== undefined && coupons.find(params.id)) throw alreadyExists('Coupon');
      return coupons.insert(buildCoupon(clock, params));
    }),
    list('/coupons', coupons),
    retrieve('/coupons', coupons),
    endpoint('post', '/coupons/:id', { name: text(40).optional() }, (params, id) => {
      const coupon = coupons.get(id);
      assignGiven(coupon, params);
      return coupon;
    }),
    endpoint('delete', '/coupons/:id', {}, (_params, id) => {
      coupons.get(id);
      coupons.remove(id);
      return { id, object: 'coupon', deleted: true };
    }),
  ];
}

const alreadyExists = (kind: string) =>
  invalidRequest(`${kind} already exists.`, 'id', 'resource_already_exists');
