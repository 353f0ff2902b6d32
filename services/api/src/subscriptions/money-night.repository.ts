import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import type { Row } from '@site/platform/database/tables';

/*
 * Computes the state of subscriptions at a moment from the dates of each. Before:
 * `stripe-watch.ts`, which stores it every night, and the console's history, which asks for now.
 */

export type Standing = Omit<Row<'money_nights'>, 'day' | 'onList'>;

/** From the end of the London day `after` to the end of `day`, or to now. */
export type Span = { after: string; day: string | null; now: Date };

/**
 * Counts payers, new ones and cancellations, and sums MRR, at the end of a span. `isPast`: the
 * present state says nothing of that day. A payer is an email: a change of plan, even by another
 * subscription, neither begins nor ends one.
 */
export async function readStandingOf(
  db: Database,
  { after, day, now }: Span,
  { isPast }: { isPast: boolean },
): Promise<Standing> {
  return queryOne<Standing>(
    db,
    `with span as (
       select midnight(:after::date + 1) as since, coalesce(midnight(:day::date + 1), :now::timestamptz) as until
     ), payers as (
       select min(first_paid_at) as first_paid_at, max(coalesce(ended_at, 'infinity')) as ended_at
       from span, subscriptions
       where coalesce(started_at, first_paid_at, created_at) < until and status not in ('incomplete', 'incomplete_expired')
       group by coalesce(email_normalised, erased_payer::text, stripe_customer_id)
     ), revenue as (
       -- Of a day in the past, only today's price is stored: it was that of the day if the invoice
       -- paid last before had it. Who is unpaid or paused now may have paid then.
       select monthly_pence, not :isPast or status not in ('unpaid', 'paused') and coalesce((
           select i.total_pence in (s.amount_pence, s.price_pence) from stripe_invoices i
           where i.stripe_subscription_id = s.stripe_subscription_id and i.paid_pence > 0 and i.paid_at < until
           order by i.paid_at desc limit 1), false) as is_known
       from span, subscriptions s
       where price_pence > 0 and case when :isPast then first_paid_at < until and (ended_at is null or ended_at >= until)
         else status in ('active', 'past_due') and not is_collection_paused end
     )
     select count(*) filter (where payers.ended_at >= until)::int as payers,
       count(*) filter (where payers.first_paid_at >= since)::int as new_payers,
       count(*) filter (where payers.ended_at >= since and payers.ended_at < until)::int as churned,
       (select case when bool_and(is_known) is not false then coalesce(round(sum(monthly_pence)), 0)::bigint end from revenue) as mrr_pence
     from span left join payers on payers.first_paid_at < until group by since, until`,
    { after, day, now, isPast },
  );
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
 * Lists the days up to a given one that must be stored, each with the day stored before it: that
 * day, and the ends of all months since the installation or the first paid checkout.
 */
export async function listDueNights(
  db: Database,
  yesterday: string,
): Promise<{ after: string; day: string }[]> {
  return query(
    db,
    `with start as (
       select (least((select since from tasks where name = 'stripe-events'), (select min(started_at) from checkouts where state = 'complete'))
         at time zone 'Europe/London')::date - 1 as day
     ), nights as (
       select (month - interval '1 day')::date as night from start,
         generate_series(date_trunc('month', start.day::timestamp), :yesterday::timestamp, interval '1 month') month
       union select :yesterday::date
       union select day from money_nights
     )
     select to_char(after, 'YYYY-MM-DD') as after, to_char(night, 'YYYY-MM-DD') as day from (
       select night, lag(night, 1, start.day) over (order by night) as after from start, nights
         where night > start.day and night <= :yesterday::date
     ) spans where not exists (select from money_nights where day = night) order by night`,
    { yesterday },
  );
}

export async function storeNight(
  db: Database,
  night: Omit<Row<'money_nights'>, 'day'> & { day: string },
): Promise<void> {
  await db('money_nights').insert(night).onConflict('day').ignore();
}
