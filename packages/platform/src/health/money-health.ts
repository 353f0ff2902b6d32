import type { Database } from '../database/connect.ts';
import type { MoneyFault } from '../database/money-tables.ts';
import { query } from '../database/query.ts';

/**
 * The number of faults and their start. `since` is null if the count is 0. `names`: of permissions.
 */
export type MoneyFaultCount = {
  fault: MoneyFault;
  count: number;
  since: Date | null;
  names?: string | null;
};

/**
 * Counts present faults, from partial indexes. An event is undelivered if we had to fetch it since
 * the last delivery.
 */
export async function readMoneyFaults(db: Database): Promise<MoneyFaultCount[]> {
  return query<MoneyFaultCount>(
    db,
    `select 'payers-not-receiving' as fault, count(*)::int as count, min(since) as since, null as names from not_receiving
     union all select 'stripe-events-undelivered', count(*)::int, min(received_at), null
       from stripe_events where arrived_by = 'listing' and received_at > coalesce(
         (select max(received_at) from stripe_events where arrived_by = 'delivery'), '-infinity')
     union all select 'stripe-signatures-refused', (detail ->> 'refused')::int, since, null from tasks
       where name = 'stripe-signatures' and (detail ->> 'refused')::int >= 3 and seen_at > now() - interval '10 minutes' and not exists (
         select from stripe_events where arrived_by = 'delivery' and received_at > now() - interval '10 minutes')
     union all select 'stripe-events-parked', count(*)::int, min(received_at), null
       from stripe_events where outcome = 'parked' and reviewed_at is null and missing_permission is null
     union all select 'stripe-permission-missing', count(*)::int, min(since), string_agg(distinct missing_permission, ', ') from (
       select received_at as since, missing_permission from stripe_events where outcome = 'parked' and reviewed_at is null
       union all select coalesce(finished_at, since), fault from tasks where name = 'stripe-events'
     ) key where missing_permission is not null
     union all select 'disputes-open', count(*)::int, min(opened_at), null
       from stripe_disputes where status in ('needs_response', 'warning_needs_response', 'appeal_needs_response')
     union all select 'refunds-failed', count(*)::int, min(refunded_at), null
       from stripe_refunds where status = 'failed' and reviewed_at is null
     union all select 'terms-refused', count(*)::int, min(since), null
       from tasks where name = 'stripe-terms' and fault is not null`,
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
