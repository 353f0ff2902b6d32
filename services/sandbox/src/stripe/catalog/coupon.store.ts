import type { Clock } from '../../clock.ts';
import { epochSeconds } from '../../clock.ts';
import { randomText } from '../wire/ids.ts';

export const DURATIONS = ['forever', 'once', 'repeating'] as const;
export type CouponDuration = (typeof DURATIONS)[number];
export type Coupon = ReturnType<typeof buildCoupon>;

type CouponInput = {
  id?: string | undefined;
  amount_off?: number | undefined;
  percent_off?: number | undefined;
  currency?: string | undefined;
  duration: CouponDuration;
  duration_in_months?: number | undefined;
  max_redemptions?: number | undefined;
  redeem_by?: number | undefined;
  name?: string | undefined;
  metadata: Record<string, string>;
  applies_to?: { products: string[] } | undefined;
};

export function buildCoupon(clock: Clock, input: CouponInput) {
  return {
    id: input.id ?? randomText(8),
    object: 'coupon' as const,
    amount_off: input.amount_off ?? null,
    created: epochSeconds(clock),
    currency: input.amount_off === undefined ? null : (input.currency ?? null),
    duration: input.duration,
    duration_in_months: input.duration_in_months ?? null,
    livemode: false,
    max_redemptions: input.max_redemptions ?? null,
    metadata: input.metadata,
    name: input.name ?? null,
    percent_off: input.percent_off ?? null,
    redeem_by: input.redeem_by ?? null,
    times_redeemed: 0,
    valid: true,
    ...(input.applies_to && { applies_to: input.applies_to }),
  };
}

/** Returns the discount on an amount in pence, at most the amount itself. */
export function discountPence(coupon: Coupon, amountPence: number): number {
  const off = coupon.amount_off ?? Math.round((amountPence * (coupon.percent_off ?? 0)) / 100);
  return Math.min(off, amountPence);
}
