import type { Clock } from '../../clock.ts';
import { epochSeconds } from '../../clock.ts';
import { newId } from '../wire/ids.ts';
import { nulls } from '../wire/nulls.ts';

export const INTERVALS = ['day', 'week', 'month', 'year'] as const;
export const TAX_BEHAVIORS = ['inclusive', 'exclusive', 'unspecified'] as const;
export type Recurring = {
  interval: (typeof INTERVALS)[number];
  interval_count: number;
  meter: null;
  trial_period_days: null;
  usage_type: 'licensed';
};
export type Price = ReturnType<typeof buildPrice>;

type PriceInput = {
  product: string;
  currency: string;
  unit_amount: number;
  recurring?: { interval: Recurring['interval']; interval_count?: number | undefined } | undefined;
  active?: boolean | undefined;
  lookup_key?: string | undefined;
  metadata: Record<string, string>;
  nickname?: string | undefined;
  tax_behavior?: (typeof TAX_BEHAVIORS)[number] | undefined;
};

export function buildPrice(clock: Clock, input: PriceInput) {
  return {
    id: newId('price'),
    object: 'price' as const,
    active: input.active ?? true,
    billing_scheme: 'per_unit' as const,
    created: epochSeconds(clock),
    currency: input.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: input.lookup_key ?? null,
    metadata: input.metadata,
    nickname: input.nickname ?? null,
    product: input.product,
    recurring: input.recurring ? buildRecurring(input.recurring) : null,
    tax_behavior: input.tax_behavior ?? 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: input.recurring ? ('recurring' as const) : ('one_time' as const),
    unit_amount: input.unit_amount,
    unit_amount_decimal: String(input.unit_amount),
  };
}

function buildRecurring({
  interval,
  interval_count: count = 1,
}: NonNullable<PriceInput['recurring']>): Recurring {
  return {
    interval,
    interval_count: count,
    meter: null,
    trial_period_days: null,
    usage_type: 'licensed',
  };
}

/** Renders a recurring price as a plan, its older form, which subscription items still carry. */
export function toPlan(price: Price) {
  return {
    id: price.id,
    object: 'plan' as const,
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: 'per_unit' as const,
    created: price.created,
    currency: price.currency,
    interval: price.recurring?.interval ?? 'month',
    interval_count: price.recurring?.interval_count ?? 1,
    livemode: false,
    metadata: price.metadata,
    nickname: price.nickname,
    product: price.product,
    usage_type: 'licensed' as const,
    ...nulls('meter', 'tiers_mode', 'transform_usage', 'trial_period_days'),
  };
}
