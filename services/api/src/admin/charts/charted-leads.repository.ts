import type { Database } from '@site/platform/database/connect';
import { queryOne } from '@site/platform/database/query';
import type { LeadFilter } from '@site/schema/calls/lead-filter';
import { MAX_CHARTED, MAX_DAYS } from '@site/schema/calls/charts';
import type { ChartsAnswer } from '@site/schema/calls/charts';
import { isKnownToCounts, whereCounts, whereLeads } from '../leads/lead-filter.ts';

const SOURCES_SHOWN = 6;

const BY_FORM = `coalesce(sum(leads) filter (where form_type = 'pre_sample'), 0)::bigint as "preSample",
  coalesce(sum(leads) filter (where form_type = 'pre_buy'), 0)::bigint as "preBuy"`;
const listOf = (rows: string, order: string) =>
  `(select coalesce(json_agg(listed order by ${order}), '[]') from (${rows}) listed)`;

const DAYS = listOf(
  `select day, ${BY_FORM} from by_day group by day having sum(leads) <> 0 order by day desc limit ${MAX_DAYS}`,
  'day',
);
/** Ranked in the database, because anybody can send any number of sources. */
const SOURCES = listOf(
  `select case when place <= ${SOURCES_SHOWN} then min(source) end as source, place > ${SOURCES_SHOWN} as "isRest",
     sum("preSample")::bigint as "preSample", sum("preBuy")::bigint as "preBuy"
   from (
     select source, ${BY_FORM}, least(row_number() over (order by sum(leads) desc, source), ${SOURCES_SHOWN + 1}) as place
     from charted group by source
   ) ranked group by place`,
  `"isRest", "preSample" + "preBuy" desc, source`,
);

type ChartedRow = Pick<ChartsAnswer, 'days' | 'sources'> & { leads: number };
type Charted = Omit<ChartedRow, 'leads'> & Pick<ChartsAnswer, 'isCapped'>;

/**
 * Counts the filter's leads by day (the last 366 with any) and by source (the largest first, the rest as one sum). Like
 * the counters, it ignores the filter's status. Reads at most the newest `MAX_CHARTED` leads, so the cost is bounded;
 * `isCapped` says that there are more. Days come from the counters, and are exact, wherever the counters can answer.
 */
export async function countChartedLeads(
  db: Database,
  { status: _, ...filter }: LeadFilter,
): Promise<Charted> {
  const charted = whereLeads(db, db('leads'), filter)
    .select(
      db.raw(`(submitted_at at time zone 'Europe/London')::date as day, form_type,
        utm_source as source, 1 as leads`),
    )
    .orderBy('submittedAt', 'desc')
    .limit(MAX_CHARTED);
  const { leads, ...charts } = await queryOne<ChartedRow>(
    db,
    `with charted as materialized ?, by_day as ?
     select ${DAYS} as days, ${SOURCES} as sources, (select count(*) from charted) as leads`,
    [
      charted,
      isKnownToCounts(filter) ? whereCounts(db('lead_counts'), filter) : db.from('charted'),
    ],
  );
  return { ...charts, isCapped: leads === MAX_CHARTED };
}
