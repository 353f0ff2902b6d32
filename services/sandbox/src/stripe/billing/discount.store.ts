import type { Clock } from '../../clock.ts';
import { epochSeconds } from '../../clock.ts';
import type { Coupon } from '../catalog/coupon.store.ts';
import { newId } from '../wire/ids.ts';
import type { Subscription } from './subscription.store.ts';
import { addInterval } from './subscription.store.ts';

/** A discount's coupon as it was redeemed, under the discount's id. */
export type Redemption = { id: string; coupon: Coupon };
export type Discount = ReturnType<typeof buildDiscount>;

export function buildDiscount(
  clock: Clock,
  coupon: Coupon,
  subscription: Subscription,
  checkoutSession: string | null,
) {
  const now = epochSeconds(clock);
  const months = coupon.duration_in_months;
  return {
    id: newId('di'),
    object: 'discount' as const,
    checkout_session: checkoutSession,
    customer: subscription.customer,
    customer_account: null,
    end: months === null ? null : addInterval(now, { interval: 'month', interval_count: months }),
    invoice: null,
    invoice_item: null,
    promotion_code: null,
    source: { coupon: coupon.id, type: 'coupon' as const },
    start: now,
    subscription: subscription.id,
    subscription_item: null,
  };
}
