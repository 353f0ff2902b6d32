import type { Clock } from '../../clock.ts';
import { epochSeconds } from '../../clock.ts';
import { randomText } from '../wire/ids.ts';

export const DURATIONS = ['forever', 'once', 'repeating'] as const;
export type CouponDuration = (typeof DURATIONS)[number];
export type Coupon = ReturnType<typeof buildCoupon>;

type CouponInput = {
  id?: string | undefined;
  amountOff?: number | undefined;
  percentOff?: number | undefined;
  currency?: string | undefined;
  duration: CouponDuration;
  durationInMonths?: number | undefined;
  maxRedemptions?: number | undefined;
  redeemBy?: number | undefined;
  name?: string | undefined;
  metadata: Record<string, string>;
  products?: string[] | undefined;
};

export function buildCoupon(clock: Clock, input: CouponInput) {
  return {
    id: input.id ?? randomText(8),
    object: 'coupon' as const,
    amount_off: input.amountOff ?? null,
    created: epochSeconds(clock),
    currency: input.amountOff === undefined ? null : (input.currency ?? null),
    duration: input.duration,
    duration_in_months: input.durationInMonths ?? null,
    livemode: false,
    max_redemptions: input.maxRedemptions ?? null,
    metadata: input.metadata,
    name: input.name ?? null,
    percent_off: input.percentOff ?? null,
    redeem_by: input.redeemBy ?? null,
    times_redeemed: 0,
    valid: true,
    ...(input.products && { applies_to: { products: input.products } }),
  };
}

/** Returns the discount on an amount in pence, at most the amount itself. */
export function discountPence(coupon: Coupon, amountPence: number): number {
  const off = coupon.amount_off ?? Math.round((amountPence * (coupon.percent_off ?? 0)) / 100);
  return Math.min(off, amountPence);
}
