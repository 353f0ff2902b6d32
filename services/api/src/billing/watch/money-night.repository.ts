import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';

/*
 * Reads payers and MRR at a moment, and stores the figures at the end of each London day. Before:
 * `stripe-watch.ts`, which stores every night, and the console's history, which reads the current
 * figures.
 */

/** Returns the end of a London day as Postgres reads times. */
export const endOf = (day: string) => `${day} 24:00 Europe/London`;

/** Counts the payers with access: by a subscription that they have paid for. */
export async function countPayers(db: Database): Promise<number> {
  const { count } = await queryOne<{ count: number }>(
    db,
    `select count(distinct payer)::int as count
     from subscriptions where first_paid_at is not null and is_live`,
  );
  return count;
}

/** Counts the payers with access at a moment in the past, from the dates of their subscriptions. */
export async function countPastPayers(db: Database, at: string): Promise<number> {
  const { count } = await queryOne<{ count: number }>(
    db,
    `select count(distinct payer)::int as count
     from subscriptions
     where first_paid_at < :at
       and coalesce(least(ended_at, suspended_at), 'infinity') >= :at`,
    { at },
  );
  return count;
}

/**
 * Sums MRR at a moment in the past from the dates of subscriptions, rounded once. Only today's
 * price is stored. Yesterday it was the same, unless it changed since. Earlier, it was the same if
 * the last invoice paid before had it, and a subscription that is unpaid or paused now may have
 * paid. Returns null if a price is in doubt.
 */
export async function readPastMrr(
  db: Database,
  at: string,
  { isYesterday }: { isYesterday: boolean },
): Promise<number | null> {
  const { pence } = await queryOne<{ pence: number | null }>(
    db,
    `select case when :isYesterday or bool_and(is_known) is not false
         then coalesce(round(sum(monthly_pence)), 0)::bigint
       end as pence
     from (
       select monthly_pence, status not in ('unpaid', 'paused') and coalesce((
         select total_pence in (s.amount_pence, s.price_pence) from stripe_invoices invoice
         where invoice.stripe_subscription_id = s.stripe_subscription_id
           and paid_pence > 0 and paid_at < :at
         order by paid_at desc limit 1
       ), false) as is_known
       from subscriptions s
       where price_pence > 0 and first_paid_at < :at and status <> 'trialing'
         and coalesce(least(ended_at, suspended_at), 'infinity') >= :at
         and not (is_collection_paused and :isYesterday)
     ) revenue`,
    { at, isYesterday },
  );
  return pence;
}

/** Counts the active subscribers. */
export async function countOnList(db: Database): Promise<number> {
  const { count } = await queryOne<{ count: number }>(
    db,
    `select count(*)::int as count from people where status = 'active'`,
  );
  return count;
}

/**
 * Lists the days to store up to a given day, each with the day stored before it, if any. They are
 * that day, and the ends of all months since the installation or the first paid checkout.
 */
export async function listDueNights(
  db: Database,
  yesterday: string,
): Promise<{ after: string | null; day: string }[]> {
  return query(
    db,
    `with start as (
       select (least(
         (select since from tasks where name = 'stripe-events'),
         (select min(started_at) from checkouts where state = 'complete')
       ) at time zone 'Europe/London')::date - 1 as day
     ), nights as (
       select (month - interval '1 day')::date as night
       from start, generate_series(
         date_trunc('month', start.day::timestamp), :yesterday::timestamp, interval '1 month'
       ) month
       union select :yesterday::date
       union select day from money_nights
     )
     select to_char(after, 'YYYY-MM-DD') as after, to_char(night, 'YYYY-MM-DD') as day
     from (
       select night, lag(night) over (order by night) as after
       from start, nights where night > start.day and night <= :yesterday::date
     ) spans
     where not exists (select from money_nights where day = night)
     order by night`,
    { yesterday },
  );
}

/**
 * Stores the end of a day, once, and the payers who began or left by then and are in no stored
 * night. A payer who becomes known late belongs to the first day after the previous night, so that
 * no closed day changes.
 */
export async function storeNight(
  db: Database,
  night: {
    day: string;
    after: string | null;
    mrrPence: number | null;
    payers: number;
    onList: number | null;
  },
): Promise<void> {
  await query(
    db,
    `with night as (
       insert into money_nights (day, mrr_pence, payers, on_list)
       values (:day::date, :mrrPence, :payers, :onList)
       on conflict (day) do nothing
       returning day
     )
     insert into closed_moves (day, list, stripe_subscription_id, at, pence)
     select day, list, stripe_subscription_id, greatest(at, midnight(:after::date + 1)),
       monthly_pence
     from night, payer_moves move
     where at < midnight(day + 1) and not exists (
       select from closed_moves closed join subscriptions own using (stripe_subscription_id)
       where closed.list = move.list and own.payer = move.payer and closed.at >= move.at
     )`,
    night,
  );
}
