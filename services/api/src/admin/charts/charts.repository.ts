import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { LeadFilter } from '@site/schema/admin';
import type { ChartsAnswer } from '@site/schema/console';
import { whereLeads } from '../leads/lead-filter.ts';

/** Sums the monthly revenue of paid subscriptions, by the source of their leads. */
export async function sumRevenue(db: Database, filter: LeadFilter): Promise<ChartsAnswer['revenue']> {
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

/** Counts Beehiiv's answers in each of the last 24 hours. */
export async function countByHour(db: Database): Promise<HourRow[]> {
  return query<HourRow>(
    db,
    `select hour as at, count(*) filter (where class = 'accepted') as accepted,
       count(*) filter (where class = 'permanent') as permanent,
       count(*) filter (where class in ('transient', 'rate-limited', 'configuration', 'unknown')) as will_retry
     from generate_series(date_trunc('hour', sync_now()) - interval '23 hours', date_trunc('hour', sync_now()), interval '1 hour') hour
       left join lead_sync_attempts on started_at >= hour and started_at < hour + interval '1 hour'
     group by hour order by hour`,
  );
}

/** Counts the failures of the last 24 hours by class and message, most frequent first, each with its newest lead. */
export async function countFaults(db: Database): Promise<ChartsAnswer['classes']> {
  return query<ChartsAnswer['classes'][number]>(
    db,
    `select class, coalesce(message, '') as message, count(*) as count,
       (array_agg(lead_id order by started_at desc))[1] as last_lead_id
     from lead_sync_attempts
     where started_at > sync_now() - interval '24 hours' and class <> 'accepted'
     group by class, coalesce(message, '') order by count(*) desc, class limit 8`,
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
