import type { Clock } from '../../clock.ts';
import { epochSeconds } from '../../clock.ts';
import type { Coupon, Price, Recurring } from '../catalog.ts';
import { embeddedList } from '../wire/endpoint.ts';
import { newId } from '../wire/objects.ts';

export type SubscriptionStatus =
  | 'active'
  | 'canceled'
  | 'incomplete'
  | 'incomplete_expired'
  | 'past_due'
  | 'trialing'
  | 'unpaid';
export type SubscriptionItem = ReturnType<typeof buildItem>;
export type Subscription = ReturnType<typeof buildSubscription>;

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

type SubscriptionInput = {
  customer: string;
  defaultPaymentMethod: string;
  metadata: Record<string, string>;
  items: { price: Price; quantity: number }[];
  /** Null without a trial. */
  trialDays: number | null;
};

export function buildSubscription(clock: Clock, input: SubscriptionInput) {
  const id = newId('sub');
  const now = epochSeconds(clock);
  const trialEnd = input.trialDays === null ? null : now + input.trialDays * DAY_SECONDS;
  return {
    id,
    object: 'subscription' as const,
    cancel_at: null as number | null,
    cancel_at_period_end: false,
    canceled_at: null as number | null,
    cancellation_details: { feedback: null as string | null, reason: null as string | null },
    created: now,
    currency: input.items[0]?.price.currency ?? 'gbp',
    customer: input.customer,
    default_payment_method: input.defaultPaymentMethod,
    discounts: [] as string[],
    ended_at: null as number | null,
    items: embeddedList(
      `/v1/subscription_items?subscription=${id}`,
      input.items.map((item) => buildItem(now, id, item, trialEnd)),
    ),
    latest_invoice: null as string | null,
    livemode: false,
    metadata: input.metadata,
    pause_collection: null as { behavior: 'void' } | null,
    start_date: now,
    status: (trialEnd === null ? 'active' : 'trialing') as SubscriptionStatus,
    trial_end: trialEnd,
    trial_start: trialEnd === null ? null : now,
  };
}

function buildItem(
  now: number,
  subscription: string,
  { price, quantity }: SubscriptionInput['items'][number],
  trialEnd: number | null,
) {
  return {
    id: newId('si', 14),
    object: 'subscription_item' as const,
    created: now,
    current_period_end: trialEnd ?? addInterval(now, price.recurring),
    current_period_start: now,
    metadata: {},
    price,
    quantity,
    subscription,
  };
}

/** Returns the price of one period in pence, without discounts. */
export function fullPence(items: { price: Price; quantity: number }[]): number {
  return items.reduce((sum, { price, quantity }) => sum + price.unit_amount * quantity, 0);
}

/** True once nothing can happen to it any more. */
export function isOver({ status }: Subscription): boolean {
  return status === 'canceled' || status === 'incomplete_expired';
}

const DAY_SECONDS = 24 * 60 * 60;

/** Adds one billing interval. The 31st becomes the last day of a shorter month. */
export function addInterval(seconds: number, recurring: Recurring | null): number {
  const { interval, interval_count: count } = recurring ?? { interval: 'month', interval_count: 1 };
  if (interval === 'day' || interval === 'week')
    return seconds + count * DAY_SECONDS * (interval === 'week' ? 7 : 1);
  const start = new Date(seconds * 1_000);
  const end = new Date(start);
  end.setUTCDate(1);
  end.setUTCMonth(start.getUTCMonth() + count * (interval === 'year' ? 12 : 1));
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(start.getUTCDate(), lastDay));
  return Math.floor(end.getTime() / 1_000);
}
