import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import type { LeadFilter } from '@site/schema/calls/lead-filter';
import { MAX_ATTEMPTS, MAX_CHARTED, MAX_HOUR_DAYS } from '@site/schema/calls/charts';
import type { ChartsAnswer } from '@site/schema/calls/charts';
import { whereLeads } from '../leads/lead-filter.ts';

type HourRow = { at: Date; accepted: number; permanent: number; willRetry: number };

type Dates = Pick<LeadFilter, 'startDate' | 'endDate'>;

/** The end of the filter's dates, or now, and the first moment that is read: a longer period is cut at its start. */
const UNTIL = `least(sync_now(), coalesce((:endDate::date + 1)::timestamp at time zone 'Europe/London', sync_now()))`;
const SINCE = `greatest(coalesce(:startDate::date::timestamp at time zone 'Europe/London', '-infinity'),
  (date_trunc('day', (${UNTIL} - interval '1 microsecond') at time zone 'Europe/London') - interval '${MAX_HOUR_DAYS - 1} days')
    at time zone 'Europe/London')`;
const bind = ({ startDate, endDate }: Dates) => ({ startDate: startDate ?? null, endDate: endDate ?? null });

/** Counts Beehiiv's answers in each hour of the filter's dates that has any, up to `MAX_ATTEMPTS` of the newest. */
export async function countByHour(db: Database, dates: Dates): Promise<{ hours: HourRow[]; areHoursCapped: boolean }> {
  const hours = await query<HourRow & { known: number }>(
    db,
    `with counted as (
       select started_at, class from lead_sync_attempts
       where started_at >= ${SINCE} and started_at < ${UNTIL} order by started_at desc limit ${MAX_ATTEMPTS}
     )
     select date_trunc('hour', started_at) as at, count(*) filter (where class = 'accepted') as accepted,
       count(*) filter (where class = 'permanent') as permanent,
       count(*) filter (where class in ('transient', 'rate-limited', 'configuration', 'unknown')) as will_retry,
       count(*) as known
     from counted group by 1 order by 1`,
    bind(dates),
  );
  const counted = hours.reduce((sum, { known }) => sum + known, 0);
  return { hours: hours.map(({ known: _, ...hour }) => hour), areHoursCapped: counted === MAX_ATTEMPTS };
}

type FaultRow = Omit<ChartsAnswer['classes'][number], 'lastAt'> & { lastAt: Date };
const FAULTS_SHOWN = 20;

/** Counts the failures of the same days by their cause, most frequent first, each with its newest lead. */
export async function countFaults(db: Database, dates: Dates): Promise<FaultRow[]> {
  return query<FaultRow>(
    db,
    `with failed as (
       select class, coalesce(reason, message, '') as cause, started_at, lead_id from lead_sync_attempts
       where class <> 'accepted' and started_at >= ${SINCE} and started_at < ${UNTIL}
       order by started_at desc limit ${MAX_CHARTED}
     )
     select class, cause, count, leads, last_at,
       json_build_object('id', lead.id, 'name', coalesce(lead.full_name, lead.email)) as last_lead
     from (
       select class, cause, count(*) as count, count(distinct lead_id) as leads, max(started_at) as last_at,
         (array_agg(lead_id order by started_at desc))[1] as last_lead_id
       from failed group by class, cause order by count(*) desc, class limit ${FAULTS_SHOWN}
     ) faults join leads lead on lead.id = last_lead_id order by count desc, class`,
    bind(dates),
  );
}

/**
 * Counts the charted leads that came from a form, and those of them that began a subscription, and that have ever paid for
 * one. A lead that was made for a payer, or by an operator, has seen no form and so no consent text.
 */
export async function countFunnel(db: Database, { status: _, ...filter }: LeadFilter): Promise<ChartsAnswer['funnel']> {
  const chosen = whereLeads(db, db('leads'), filter)
    .whereNotNull('consentTextVersion')
    .select('leads.id')
    .orderBy('submittedAt', 'desc')
    .limit(MAX_CHARTED);
  return queryOne(
    db,
    `with chosen as materialized ?
     select (select count(*) from chosen) as leads, count(distinct lead_id) as trials,
       count(distinct lead_id) filter (where first_paid_at is not null) as payers
     from subscriptions where lead_id in (select id from chosen)`,
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
