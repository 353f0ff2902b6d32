import type { Coupon } from '../catalog/coupon.store.ts';
import type { BillingDeps } from './billing.store.ts';
import { buildDiscount } from './discount.store.ts';
import type { Subscription } from './subscription.store.ts';

/**
 * Puts a coupon on a subscription as it is now: changing or deleting the coupon later leaves the subscription alone.
 * Returns the discount's id.
 */
export function redeem(
  { store, clock }: Pick<BillingDeps, 'store' | 'clock'>,
  coupon: Coupon,
  subscription: Subscription,
  checkoutSession: string | null,
): string {
  const live = store.coupons.find(coupon.id);
  if (live) live.times_redeemed += 1;
  const { id } = store.discounts.insert(
    buildDiscount(clock, coupon, subscription, checkoutSession),
  );
  store.redemptions.insert({ id, coupon: structuredClone(coupon) });
  return id;
}
