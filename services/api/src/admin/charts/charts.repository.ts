import type { Database } from '@site/platform/database/connect';
import { READER_STATES } from '@site/schema/admin';
import type { LeadFilter, ReaderState } from '@site/schema/admin';
import type { ChartsAnswer } from '@site/schema/console';
import { whereCounts, whereLeads } from '../leads/lead-filter.ts';

const BY_FORM = (leads: string) =>
  `coalesce(sum(${leads}) filter (where form_type = 'pre_sample'), 0)::bigint as pre_sample,
   coalesce(sum(${leads}) filter (where form_type = 'pre_buy'), 0)::bigint as pre_buy`;
const SOURCES_SHOWN = 6;
/** So many days fit beside each other; of a longer time the last ones are shown. */
const DAYS_SHOWN = 31;

type Days = ChartsAnswer['days'];
type Sources = ChartsAnswer['sources'];

/** Leads of each day and form that the filter has, the last 31 days of it; days without any are left out. */
export async function countByDay(
  db: Database,
  { status, search, source, reader, checkout, ...filter }: LeadFilter,
): Promise<Days> {
  const beyondRollup = { status, search, source, reader, checkout };
  const query = Object.values(beyondRollup).some((value) => value !== undefined)
    ? whereLeads(db, db('leads'), { ...filter, ...beyondRollup })
        .select(db.raw(`to_char(submitted_at at time zone 'Europe/London', 'YYYY-MM-DD') as day, ${BY_FORM('1')}`))
        .groupBy('day')
    : whereCounts(db('lead_counts'), filter)
        .select(db.raw(`to_char(day, 'YYYY-MM-DD') as day, ${BY_FORM('leads')}`))
        .groupBy('lead_counts.day');
  const days: Days = await query.orderBy('day', 'desc').limit(DAYS_SHOWN);
  return days.toReversed();
}

/** Leads of each source, the largest first; all but a few are summed up at the end. */
export async function countBySource(db: Database, filter: LeadFilter): Promise<Sources> {
  const rows: Sources = await whereLeads(db, db('leads'), filter)
    .select(db.raw(`utm_source as source, ${BY_FORM('1')}`))
    .groupBy('utmSource')
    .orderByRaw('count(*) desc, utm_source');
  const shown = rows.slice(0, SOURCES_SHOWN).map((row) => ({ ...row, isRest: false }));
  const rest = rows.slice(SOURCES_SHOWN);
  if (rest.length === 0) return shown;
  const sum = (form: 'preSample' | 'preBuy') => rest.reduce((total, row) => total + row[form], 0);
  return [...shown, { source: null, isRest: true, preSample: sum('preSample'), preBuy: sum('preBuy') }];
}

/** Sent leads by how their readers stand at the newsletter. */
export async function countReaders(db: Database, filter: LeadFilter): Promise<ChartsAnswer['readers']> {
  const rows: { subscriberStatus: string | null; count: number }[] = await whereLeads(db, db('leads'), filter)
    .where('beehiivStatus', 'sent')
    .groupBy('subscriberStatus')
    .select('subscriberStatus', db.raw('count(*) as count'));
  const of = (state: ReaderState) => {
    const names: readonly (string | null)[] = READER_STATES[state];
    return rows.filter((row) => names.includes(row.subscriberStatus)).reduce((sum, row) => sum + row.count, 0);
  };
  return { confirmed: of('confirmed'), waiting: of('waiting'), rejected: of('rejected'), left: of('left') };
}

/** What subscriptions that are paid for bring in a month, by the source of the leads that they came from. */
export async function sumRevenue(db: Database, filter: LeadFilter): Promise<ChartsAnswer['revenue']> {
  const wanted = whereLeads(db, db('leads'), filter).select('leads.id');
  return db('subscriptions')
    .leftJoin('leads', 'leads.id', 'subscriptions.leadId')
    .whereIn('subscriptions.status', ['active', 'past_due'])
    .whereIn('subscriptions.leadId', wanted)
    .groupBy('utmSource')
    .orderByRaw('monthly_pence desc, utm_source')
    .select(
      db.raw(`utm_source as source, count(*) as subscriptions,
        round(sum(case when plan = 'annual' then amount_pence / 12.0 else amount_pence end))::bigint as monthly_pence`),
    );
}

type HourRow = { at: Date; accepted: number; refused: number; putOff: number };

/** What the newsletter answered in each of the last 24 hours. */
export async function countByHour(db: Database): Promise<HourRow[]> {
  const { rows } = await db.raw(
    `select hour as at, count(*) filter (where class = 'accepted') as accepted,
       count(*) filter (where class = 'permanent') as refused,
       count(*) filter (where class in ('transient', 'rate-limited', 'configuration', 'unknown')) as put_off
     from generate_series(date_trunc('hour', sync_now()) - interval '23 hours', date_trunc('hour', sync_now()), interval '1 hour') hour
       left join lead_sync_attempts on started_at >= hour and started_at < hour + interval '1 hour'
     group by hour order by hour`,
  );
  return rows;
}

/** What went wrong in the last 24 hours, by class and words, the most frequent first, each with its newest lead. */
export async function countFaults(db: Database): Promise<ChartsAnswer['classes']> {
  const { rows } = await db.raw(
    `select class, coalesce(message, '') as message, count(*) as count,
       (array_agg(lead_id order by started_at desc))[1] as last_lead_id
     from lead_sync_attempts
     where started_at > sync_now() - interval '24 hours' and class is not null and class <> 'accepted'
     group by class, coalesce(message, '') order by count(*) desc, class limit 8`,
  );
  return rows;
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
