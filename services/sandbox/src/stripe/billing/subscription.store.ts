import type { Clock } from '../../clock.ts';
import { epochSeconds } from '../../clock.ts';
import type { Price, Recurring } from '../catalog/price.store.ts';
import { toPlan } from '../catalog/price.store.ts';
import { newId } from '../wire/ids.ts';
import { embeddedList } from '../wire/list.ts';
import { nulls } from '../wire/nulls.ts';

export const SUBSCRIPTION_STATUSES = [
  'active',
  'canceled',
  'incomplete',
  'incomplete_expired',
  'past_due',
  'paused',
  'trialing',
  'unpaid',
] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];
export const MISSING_PAYMENT_METHOD = ['cancel', 'create_invoice', 'pause'] as const;
export type MissingPaymentMethod = (typeof MISSING_PAYMENT_METHOD)[number];

export type SubscriptionItem = ReturnType<typeof buildSubscriptionItem>;
export type Subscription = ReturnType<typeof buildSubscription>;

type SubscriptionInput = {
  customer: string;
  defaultPaymentMethod: string | null;
  description: string | null;
  metadata: Record<string, string>;
  items: { price: Price; quantity: number }[];
  /** Seconds since 1970. Null without a trial. */
  trialEnd: number | null;
  missingPaymentMethod: MissingPaymentMethod;
};

export function buildSubscription(clock: Clock, input: SubscriptionInput) {
  const id = newId('sub');
  const now = epochSeconds(clock);
  const { trialEnd } = input;
  return {
    id,
    object: 'subscription' as const,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: trialEnd ?? now,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' as const },
    billing_schedules: [],
    cancel_at: null as number | null,
    cancel_at_period_end: false,
    canceled_at: null as number | null,
    cancellation_details: {
      comment: null as string | null,
      feedback: null as string | null,
      feedback_option: null,
      reason: null as string | null,
    },
    collection_method: 'charge_automatically' as const,
    created: now,
    currency: input.items[0]?.price.currency ?? 'gbp',
    customer: input.customer,
    default_payment_method: input.defaultPaymentMethod,
    default_tax_rates: [],
    description: input.description,
    discounts: [] as string[],
    ended_at: null as number | null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: embeddedList(
      `/v1/subscription_items?subscription=${id}`,
      input.items.map(({ price, quantity }) =>
        buildSubscriptionItem(clock, { subscription: id, price, quantity, trialEnd }),
      ),
    ),
    latest_invoice: null as string | null,
    livemode: false,
    metadata: input.metadata,
    pause_collection: null as { behavior: string; resumes_at: number | null } | null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: 'off',
    },
    start_date: now,
    status: (trialEnd === null ? 'active' : 'trialing') as SubscriptionStatus,
    trial_end: trialEnd,
    trial_settings: {
      end_behavior: {
        billing_cycle_anchor: null,
        missing_payment_method: input.missingPaymentMethod,
      },
    },
    trial_start: trialEnd === null ? null : now,
    ...nulls(
      'application',
      'application_fee_percent',
      'billing_cycle_anchor_config',
      'billing_thresholds',
    ),
    ...nulls('customer_account', 'days_until_due', 'default_source', 'managed_payments'),
    ...nulls('next_pending_invoice_item_invoice', 'on_behalf_of', 'pending_invoice_item_interval'),
    ...nulls('pending_setup_intent', 'pending_update', 'schedule', 'test_clock', 'transfer_data'),
  };
}

export function buildSubscriptionItem(
  clock: Clock,
  input: { subscription: string; price: Price; quantity: number; trialEnd: number | null },
) {
  const now = epochSeconds(clock);
  return {
    id: newId('si', 14),
    object: 'subscription_item' as const,
    billing_thresholds: null,
    created: now,
    current_period_end: input.trialEnd ?? addInterval(now, input.price.recurring),
    current_period_start: now,
    current_trial: null,
    discounts: [] as string[],
    metadata: {} as Record<string, string>,
    plan: toPlan(input.price),
    price: input.price,
    quantity: input.quantity,
    subscription: input.subscription,
    tax_rates: [],
  };
}

const DAY_SECONDS = 24 * 60 * 60;

/** Adds one billing interval. The 31st becomes the last day of a shorter month. */
export function addInterval(
  seconds: number,
  recurring: Pick<Recurring, 'interval' | 'interval_count'> | null,
): number {
  const { interval, interval_count: count } = recurring ?? {
    interval: 'month' as const,
    interval_count: 1,
  };
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
