import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import type { LeadFilter } from '@site/schema/admin';
import { MOST_CHARTED } from '@site/schema/console';
import type { ChartsAnswer } from '@site/schema/console';
import { whereLeads } from '../leads/lead-filter.ts';

/** Sums the monthly revenue of paid subscriptions, by the source of their leads, whatever the leads' status. */
export async function sumRevenue(db: Database, { status: _, ...filter }: LeadFilter): Promise<ChartsAnswer['revenue']> {
  // The limit changes no result. It makes Postgres look up the lead of each subscription, which are few, instead of
  // reading all leads.
  const lead = whereLeads(db, db('leads'), filter)
    .whereRaw('leads.id = subscriptions.lead_id')
    .select('utmSource')
    .limit(1)
    .as('lead');
  return db('subscriptions')
    .crossJoin(db.raw('lateral ?', [lead]))
    .whereIn('subscriptions.status', ['active', 'past_due'])
    .groupBy('utmSource')
    .orderByRaw('monthly_pence desc, utm_source')
    .select(
      db.raw(`utm_source as source, count(*) as subscriptions,
        round(sum(case when plan = 'annual' then amount_pence / 12.0 else amount_pence end))::bigint as monthly_pence`),
    );
}

type HourRow = { at: Date; accepted: number; permanent: number; willRetry: number };

type Dates = Pick<LeadFilter, 'startDate' | 'endDate'>;

/** The end of the filter's dates, or now. */
const UNTIL = `least(sync_now(), coalesce((:endDate::date + 1)::timestamp at time zone 'Europe/London', sync_now()))`;
const bind = ({ startDate, endDate }: Dates) => ({ startDate: startDate ?? null, endDate: endDate ?? null });

/** Counts Beehiiv's answers in each of the last 24 hours of the filter's dates. */
export async function countByHour(db: Database, dates: Dates): Promise<HourRow[]> {
  return query<HourRow>(
    db,
    `with last as (select date_trunc('hour', ${UNTIL} - interval '1 microsecond') as latest)
     select hour as at, count(*) filter (where class = 'accepted') as accepted,
       count(*) filter (where class = 'permanent') as permanent,
       count(*) filter (where class in ('transient', 'rate-limited', 'configuration', 'unknown')) as will_retry
     from last, generate_series(latest - interval '23 hours', latest, interval '1 hour') hour
       left join lead_sync_attempts on started_at >= hour and started_at < hour + interval '1 hour'
     group by 1 order by 1`,
    { endDate: dates.endDate ?? null },
  );
}

type FaultRow = Omit<ChartsAnswer['classes'][number], 'lastAt'> & { lastAt: Date };

/**
 * Counts the failures within the filter's dates (without a start, of their last 24 hours) by class and message, most
 * frequent first, each with its newest lead.
 */
export async function countFaults(db: Database, dates: Dates): Promise<FaultRow[]> {
  return query<FaultRow>(
    db,
    `select class, coalesce(message, '') as message, count(*) as count, max(started_at) as last_at,
       (array_agg(lead_id order by started_at desc))[1] as last_lead_id
     from lead_sync_attempts
     where class <> 'accepted' and started_at < ${UNTIL}
       and started_at >= coalesce(:startDate::date::timestamp at time zone 'Europe/London', ${UNTIL} - interval '24 hours')
     group by class, coalesce(message, '') order by count(*) desc, class limit 20`,
    bind(dates),
  );
}

/** Counts those of the charted leads that began a subscription, and that pay for one. */
export async function countFunnel(
  db: Database,
  { status: _, ...filter }: LeadFilter,
): Promise<{ trials: number; paying: number }> {
  const chosen = whereLeads(db, db('leads'), filter)
    .select('leads.id')
    .orderBy('submittedAt', 'desc')
    .limit(MOST_CHARTED);
  return queryOne(
    db,
    `select count(distinct lead_id) as trials,
       count(distinct lead_id) filter (where status in ('active', 'past_due')) as paying
     from subscriptions where lead_id in ?`,
    [chosen],
  );
}

export async function listOldestPending(
  db: Database,
  limit: number,
): Promise<{ id: string; email: string; submittedAt: Date }[]> {
  return db('leads')
    .where({ beehiivStatus: 'pending' })
    .orderBy([{ column: 'submittedAt' }, { column: 'id' }])
    .limit(limit)
    .select('id', 'email', 'submittedAt');
}
