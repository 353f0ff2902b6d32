import { ATTENTION } from '@site/schema/conditions';
import type { AttentionKind } from '@site/schema/conditions';
import type { Database } from '../database/connect.ts';
import { query } from '../database/query.ts';
import type { Condition } from './sync-conditions.ts';

/** A wrong setting at Stripe that delays or hides news of payments. */
export type StripeFailure =
  | 'stripe-events-undelivered'
  | 'stripe-signatures-refused'
  | 'stripe-permission-missing'
  | 'terms-refused';

/** `since` is null if the count is 0. `names` are the missing permissions. */
export type StripeFailureCount = {
  failure: StripeFailure;
  count: number;
  since: Date | null;
  names: string | null;
};

/**
 * Counts present failures. An event is undelivered if we had to fetch it since the last delivery.
 */
export async function readStripeFailures(db: Database): Promise<StripeFailureCount[]> {
  return query(
    db,
    `select 'stripe-events-undelivered' as failure, count(*)::int as count,
       min(received_at) as since, null as names
       from stripe_events where arrived_by = 'listing' and received_at > coalesce(
         (select max(received_at) from stripe_events where arrived_by = 'delivery'), '-infinity')
     union all select 'stripe-signatures-refused', (detail ->> 'refused')::int, since, null
     from tasks
       where name = 'stripe-signatures' and (detail ->> 'refused')::int >= 3
         and seen_at > now() - interval '10 minutes' and not exists (
         select from stripe_events
         where arrived_by = 'delivery' and received_at > now() - interval '10 minutes')
     union all select 'stripe-permission-missing', count(*)::int, min(since),
     string_agg(distinct missing_permission, ', ')
     from (
       select received_at as since, missing_permission
       from stripe_events
       where outcome = 'parked' and reviewed_at is null
       union all select coalesce(covers_until, since), failure
       from tasks
       where name = 'stripe-events'
     ) key where missing_permission is not null
     union all select 'terms-refused', count(*)::int, min(since), null
       from tasks where name = 'stripe-terms' and failure is not null`,
  );
}

/** The number of items of a kind, and the start of the oldest. */
export type AttentionCount = { kind: AttentionKind; count: number; since: Date };

/**
 * Counts items that need attention, by kind, the worst first. Leaves out disputes that the bank is
 * deciding.
 */
export async function countAttention(db: Database): Promise<AttentionCount[]> {
  return query(
    db,
    `select kind, count(*)::int as count, min(since) as since from attention
     where kind <> 'disputes-open' or reason like '%needs_response'
     group by kind
     order by min(rank)`,
  );
}

/** Reads when Stripe's last event was stored. Null before the first. */
export async function readLastEventAt(db: Database): Promise<Date | null> {
  const [row] = await query<{ at: Date | null }>(
    db,
    'select max(received_at) as at from stripe_events',
  );
  return row?.at ?? null;
}

const SETTINGS: Record<StripeFailure, (count: number, names: string) => string> = {
  'stripe-events-undelivered': (count) =>
    `events that Stripe could not deliver: ${count} (STRIPE_WEBHOOK_SECRET, endpoint)`,
  'stripe-signatures-refused': (count) =>
    `events with a wrong signature: ${count} (STRIPE_WEBHOOK_SECRET)`,
  'stripe-permission-missing': (_, names) => `permissions that the key lacks: ${names}`,
  'terms-refused': () => `the terms' URL is missing in the dashboard`,
};

/** `count`: the items of one kind that need attention. */
type MoneyCondition = Condition & { cause: string; count?: number };

/** Finds wrong settings at Stripe and items that need attention: a condition for each cause. */
export async function findMoneyConditions(db: Database): Promise<MoneyCondition[]> {
  const settings = (await readStripeFailures(db)).flatMap(({ failure, count, since, names }) =>
    since === null
      ? []
      : {
          kind: 'stripe-settings' as const,
          cause: failure.replace('stripe-', ''),
          since,
          text: `A setting at Stripe is wrong. Cause: ${SETTINGS[failure](count, names ?? '')}.`,
        },
  );
  const attention = (await countAttention(db)).map(({ kind: cause, count, since }) => ({
    kind: 'needs-attention' as const,
    cause,
    since,
    count,
    text: `Needs attention: ${ATTENTION[cause].title} (${count}). See the console’s overview.`,
  }));
  return [...settings, ...attention];
}
