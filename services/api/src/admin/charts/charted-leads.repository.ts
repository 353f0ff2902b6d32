import type { Database } from '@site/platform/database/connect';
import { queryOne } from '@site/platform/database/query';
import type { LeadFilter } from '@site/schema/calls/lead-filter';
import { MAX_CHARTED, MAX_DAYS } from '@site/schema/calls/leads';
import type { ChartsAnswer } from '@site/schema/calls/leads';
import { selectCounts, whereLeads } from '../leads/lead-filter.ts';

type ChartedRow = Pick<ChartsAnswer, 'days' | 'sources'> & { leads: number };
type Charted = Omit<ChartedRow, 'leads'> & Pick<ChartsAnswer, 'isCapped'>;

/**
 * Counts the filter's leads by day (the last 366 with any) and by source (the six largest first,
 * the rest as one sum; ranked in the database, because anybody can send any number of sources).
 * Ignores the filter's status, like the counters. Reads at most the newest `MAX_CHARTED` leads, so
 * the cost is bounded; `isCapped` is true if there are more. Days come from the counters, and are
 * exact, wherever the counters can answer.
 */
export async function countChartedLeads(
  db: Database,
  { status: _, ...filter }: LeadFilter,
): Promise<Charted> {
  const charted = whereLeads(db('leads'), filter)
    .select(
      db.raw(`(submitted_at at time zone 'Europe/London')::date as day, form_type,
        utm_source as source, 1 as leads`),
    )
    .orderBy('submittedAt', 'desc')
    .limit(MAX_CHARTED);
  const { leads, ...charts } = await queryOne<ChartedRow>(
    db,
    `with charted as materialized :charted, by_day as :byDay
     select (
       select coalesce(json_agg(listed order by day), '[]') from (
         select day, coalesce(sum(leads) filter (where form_type = 'pre_sample'), 0)::bigint as "preSample",
           coalesce(sum(leads) filter (where form_type = 'pre_buy'), 0)::bigint as "preBuy"
         from by_day group by day having sum(leads) <> 0 order by day desc limit :maxDays
       ) listed
     ) as days, (
       select coalesce(json_agg(listed order by "isRest", "preSample" + "preBuy" desc, source), '[]') from (
         select case when place <= 6 then min(source) end as source, place > 6 as "isRest",
           sum(pre_sample)::bigint as "preSample", sum(pre_buy)::bigint as "preBuy"
         from (
           select source, coalesce(sum(leads) filter (where form_type = 'pre_sample'), 0) as pre_sample,
             coalesce(sum(leads) filter (where form_type = 'pre_buy'), 0) as pre_buy,
             least(row_number() over (order by sum(leads) desc, source), 7) as place
           from charted group by source
         ) ranked group by place
       ) listed
     ) as sources, (select count(*) from charted) as leads`,
    {
      charted,
      byDay: selectCounts(db, filter) ?? db.from('charted'),
      maxDays: MAX_DAYS,
    },
  );
  return { ...charts, isCapped: leads === MAX_CHARTED };
}
