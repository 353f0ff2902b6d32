import { epochSeconds } from '../../clock.ts';
import type { Coupon } from '../catalog.ts';
import { newId } from '../wire/objects.ts';
import type { BillingDeps } from './billing.store.ts';
import type { Subscription } from './subscription.ts';

/** A discount's coupon as it was redeemed, under the discount's id. */
export type Redemption = { id: string; coupon: Coupon };
export type Discount = {
  id: string;
  object: 'discount';
  customer: string;
  end: null;
  source: { coupon: string; type: 'coupon' };
  start: number;
  subscription: string;
};

/**
 * Puts a coupon on a subscription as it is now: changing or deleting the coupon later leaves the subscription alone.
 * Returns the discount's id.
 */
export function redeem(
  { store, clock }: Pick<BillingDeps, 'store' | 'clock'>,
  coupon: Coupon,
  subscription: Subscription,
): string {
  const live = store.coupons.find(coupon.id);
  if (live) live.times_redeemed += 1;
  const { id } = store.discounts.insert({
    id: newId('di'),
    object: 'discount',
    customer: subscription.customer,
    end: null,
    source: { coupon: coupon.id, type: 'coupon' },
    start: epochSeconds(clock),
    subscription: subscription.id,
  });
  store.redemptions.insert({ id, coupon: structuredClone(coupon) });
  return id;
}
