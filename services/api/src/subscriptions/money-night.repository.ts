import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import type { Row } from '@site/platform/database/tables';
import { MAX_CHANNELS } from '@site/schema/calls/money-history';

/*
 * How subscriptions stood at a moment, computed from the dates of each. Before: `stripe-watch.ts`, which stores it every night,
 * and the console's history, which asks for now.
 */

export type Standing = Omit<Row<'money_nights'>, 'day' | 'onList' | 'listJoined' | 'listLeft'>;

/** From the end of the London day `after` to the end of `day`, or to now. */
export type Span = { after: string; day: string | null; now: Date };
const bind = ({ after, day, now }: Span) => ({ after, day, now });
/**
 * Counts payers, trials and cancellations, and sums MRR, at the end of a span. `isPast` tells that the state of now says
 * nothing of that day. A payer is an address: one that changes its plan, by another subscription too, neither begins nor
 * ends.
 */
export async function readStandingOf(
  db: Database,
  span: Span,
  { isPast }: { isPast: boolean },
): Promise<Standing> {
  return queryOne<Standing>(
    db,
    `with span as (
       select midnight(:after::date + 1) as since, coalesce(midnight(:day::date + 1), :now::timestamptz) as until
     ), known as not materialized (
       select s.*, since, until, coalesce(s.email_normalised, s.erased_payer::text, s.stripe_customer_id) as payer,
         coalesce(s.started_at, s.first_paid_at, s.created_at) as began, s.ended_at is null or s.ended_at >= until as lasts,
         coalesce(left(s.visit_utm_source, 100), '') as channel
       from span, subscriptions s
       where coalesce(s.started_at, s.first_paid_at, s.created_at) < until and s.status not in ('incomplete', 'incomplete_expired')
     ), several as materialized (
       -- Of payers with several subscriptions. Who is erased may be one.
       select * from known where email_normalised is null or email_normalised = any (array(
         select email_normalised from subscriptions group by 1 having count(*) > 1))
     ), payers as (
       select since, until, min(first_paid_at) as first_paid_at, max(coalesce(ended_at, 'infinity')) as ended_at,
         (array_agg(plan order by coalesce(ended_at, 'infinity') desc, began desc))[1] as plan,
         (array_agg(channel order by began))[1] as channel
       from several group by payer, since, until having min(first_paid_at) < until
     ), parts as (
       select plan, channel, count(*) filter (where ended_at >= until) as payers, count(*) filter (where first_paid_at >= since) as new_payers,
         count(*) filter (where ended_at < until and ended_at >= since) as churned, 0 as trials, 0 as pence, true as is_known
       from payers group by plan, channel
       union all
       -- As if each that has not ended before were its payer's only subscription, less those that are not. Of a day in the past,
       -- only today's price is stored: it was that of the day if the invoice paid last before had it. Who is unpaid or paused now
       -- may have paid then.
       select plan, channel, count(*) filter (where first_paid_at < until and lasts),
         count(*) filter (where first_paid_at < until and first_paid_at >= since),
         count(*) filter (where first_paid_at < until and ended_at < until and ended_at >= since),
         count(*) filter (where trial_ends_at >= until and lasts),
         coalesce(sum(monthly_pence) filter (where price_pence > 0 and case when :isPast then first_paid_at < until and lasts
           else status in ('active', 'past_due') and not is_collection_paused end), 0),
         bool_and(not :isPast or not coalesce(first_paid_at < until and lasts and price_pence > 0, false)
           or status not in ('unpaid', 'paused') and coalesce((
             select i.total_pence in (known.amount_pence, known.price_pence) from stripe_invoices i
             where i.stripe_subscription_id = known.stripe_subscription_id and i.paid_pence > 0 and i.paid_at < until
             order by i.paid_at desc limit 1), false))
       from known where ended_at is null or ended_at >= since group by plan, channel
       union all
       select plan, channel, -count(*) filter (where first_paid_at < until and lasts),
         -count(*) filter (where first_paid_at < until and first_paid_at >= since),
         -count(*) filter (where first_paid_at < until and ended_at < until and ended_at >= since), 0, 0, true
       from several where ended_at is null or ended_at >= since group by plan, channel
     ), listed as (
       select channel from parts group by channel order by sum(pence) desc, sum(payers) desc, channel limit :channels
     ), sums as (
       select plan, channel, grouping(plan, channel) as level, coalesce(sum(new_payers), 0)::int as new_payers,
         case when coalesce(bool_and(is_known), true) then coalesce(round(sum(pence)), 0)::bigint end as mrr_pence,
         coalesce(sum(payers), 0)::int as payers, coalesce(sum(trials), 0)::int as trials,
         coalesce(sum(churned), 0)::int as churned
       from (select plan, case when channel in (table listed) then channel else 'other' end as channel, payers, new_payers,
           churned, trials, pence, is_known from parts) each
       group by grouping sets ((), (plan), (channel))
     )
     select mrr_pence, payers, new_payers, trials, churned,
       (select coalesce(json_agg(json_build_object('plan', plan, 'mrrPence', mrr_pence, 'payers', payers, 'trials', trials,
           'churned', churned) order by plan desc), '[]') from sums where level = 1) as by_plan,
       (select coalesce(json_agg(json_build_object('channel', nullif(channel, ''), 'mrrPence', mrr_pence, 'payers', payers,
           'trials', trials, 'churned', churned) order by channel = 'other', mrr_pence desc, channel), '[]')
         from sums where level = 2) as by_channel
     from sums where level = 3`,
    { ...bind(span), isPast, channels: MAX_CHANNELS },
  );
}

/** Counts the active subscribers, and who joined and left since. */
export async function readList(
  db: Database,
  span: Span,
): Promise<Pick<Row<'money_nights'>, 'onList' | 'listJoined' | 'listLeft'>> {
  return queryOne(
    db,
    `select coalesce(sum(subscribers) filter (where status = 'active'), 0)::int as on_list,
       coalesce(sum(subscribers) filter (where status = 'active' and is_of_span), 0)::int as list_joined,
       coalesce(sum(subscribers) filter (where status = 'inactive' and is_of_span), 0)::int as list_left
     from (
       select *, day > :after::date and day <= coalesce(:day::date, (:now::timestamptz at time zone 'Europe/London')::date) as is_of_span
       from subscriber_counts
     ) counts`,
    bind(span),
  );
}

/**
 * Lists the days up to one that are to be stored, each with the day stored before it: that day, and the ends of all months
 * since money is known, which is the installation, or the first checkout that was paid.
 */
export async function listDueNights(
  db: Database,
  yesterday: string,
): Promise<{ after: string; day: string }[]> {
  return query(
    db,
    `with start as (
       select (least((select since from stripe_watch), (select min(started_at) from checkouts where state = 'complete'))
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
  { byPlan, byChannel, ...night }: Omit<Row<'money_nights'>, 'day'> & { day: string },
): Promise<void> {
  const parts = { byPlan: JSON.stringify(byPlan), byChannel: JSON.stringify(byChannel) };
  await db('money_nights')
    .insert({ ...night, ...parts })
    .onConflict('day')
    .ignore();
}
