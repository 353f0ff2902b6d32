import type { Clock } from '../../clock.ts';
import { createCollection } from '../wire/collection.ts';
import { invalidRequest } from '../wire/stripe-fault.ts';
import type { Coupon } from './coupon.store.ts';
import type { Price } from './price.store.ts';
import type { Product } from './product.store.ts';

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

/** Finds an active price or throws Stripe's refusal. `param` is the parameter that names it. */
export function getActivePrice(
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
  return price;
}
