import { z } from 'zod';
import { epochSeconds } from '../../clock.ts';
import { assignGiven } from '../wire/assign-given.ts';
import type { Endpoint } from '../wire/endpoint.ts';
import { endpoint, list, retrieve } from '../wire/endpoint.ts';
import {
  acceptedAll,
  currency,
  decimal,
  integer,
  mergeMetadata,
  metadata,
  oneOf,
  text,
} from '../wire/parameters.ts';
import { invalidRequest, onlyOneOf } from '../wire/stripe-fault.ts';
import type { CatalogDeps } from './catalog.store.ts';
import { buildCoupon, DURATIONS } from './coupon.store.ts';

const LONGEST_REDEMPTION_SECONDS = 5 * 366 * 24 * 60 * 60;

export function couponEndpoints({ store, clock }: CatalogDeps): Endpoint[] {
  return [
    endpoint(
      'post',
      '/coupons',
      {
        id: text(200).optional(),
        amount_off: integer(1).optional(),
        percent_off: decimal.optional(),
        currency: currency.optional(),
        duration: oneOf(DURATIONS).optional(),
        duration_in_months: integer(1).optional(),
        max_redemptions: integer(1).optional(),
        redeem_by: integer().optional(),
        name: text(40).optional(),
        metadata,
        applies_to: z.strictObject({ products: z.array(text()) }).optional(),
        ...acceptedAll('currency_options'),
      },
      (params) => {
        const { amount_off: amountOff, percent_off: percentOff, duration = 'once' } = params;
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
          throw invalidRequest(
            'Missing required param: currency.',
            'currency',
            'parameter_missing',
          );
        }
        if ((duration === 'repeating') !== (params.duration_in_months !== undefined)) {
          const message =
            'duration_in_months is required for the duration repeating and refused for any other.';
          throw invalidRequest(message, 'duration_in_months');
        }
        const now = epochSeconds(clock);
        const { redeem_by: redeemBy } = params;
        if (
          redeemBy !== undefined &&
          (redeemBy <= now || redeemBy > now + LONGEST_REDEMPTION_SECONDS)
        ) {
          throw invalidRequest('redeem_by must be within the next five years.', 'redeem_by');
        }
        if (params.id !== undefined && store.coupons.find(params.id)) {
          throw invalidRequest('Coupon already exists.', 'id', 'resource_already_exists');
        }
        for (const product of params.applies_to?.products ?? [])
          store.products.get(product, 'applies_to[products]');
        const own = { duration, metadata: mergeMetadata({}, params.metadata) };
        return store.coupons.insert(buildCoupon(clock, { ...params, ...own }));
      },
    ),

    list('/coupons', store.coupons),
    retrieve('/coupons', store.coupons),

    endpoint(
      'post',
      '/coupons/:id',
      { name: text(40).optional(), metadata, ...acceptedAll('currency_options') },
      (params, id) => {
        const coupon = store.coupons.get(id);
        assignGiven(coupon, {
          name: params.name,
          metadata: mergeMetadata(coupon.metadata, params.metadata),
        });
        return coupon;
      },
    ),

    endpoint('delete', '/coupons/:id', {}, (_params, id) => {
      store.coupons.get(id);
      store.coupons.remove(id);
      return { id, object: 'coupon', deleted: true };
    }),
  ];
}
