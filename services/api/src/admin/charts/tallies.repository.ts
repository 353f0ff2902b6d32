import type { Database } from '@site/platform/database/connect';
import { READER_STATES } from '@site/schema/admin';
import type { LeadFilter, ReaderState } from '@site/schema/admin';
import type { ChartsAnswer } from '@site/schema/console';
import { isBeyondTallies, whereLeads, whereTallies } from '../leads/lead-filter.ts';

const SOURCES_SHOWN = 6;
/** So many days fit beside each other; of a longer time the last ones are shown. */
const DAYS_SHOWN = 31;

const BY_FORM = `coalesce(sum(leads) filter (where form_type = 'pre_sample'), 0)::bigint as "preSample",
  coalesce(sum(leads) filter (where form_type = 'pre_buy'), 0)::bigint as "preBuy"`;
const listOf = (rows: string, order: string) =>
  `(select coalesce(json_agg(listed order by ${order}), '[]') from (${rows}) listed)`;

const DAYS = listOf(
  `select day, ${BY_FORM} from tallies group by day having sum(leads) <> 0 order by day desc limit ${DAYS_SHOWN}`,
  'day',
);
/** Ranked in the database, for anybody may invent sources, and as many and long as they like. */
const SOURCES = listOf(
  `select case when place <= ${SOURCES_SHOWN} then min(source) end as source, place > ${SOURCES_SHOWN} as "isRest",
     sum("preSample")::bigint as "preSample", sum("preBuy")::bigint as "preBuy"
   from (
     select source, ${BY_FORM}, least(row_number() over (order by sum(leads) desc, source), ${SOURCES_SHOWN + 1}) as place
     from (select source, form_type, sum(leads) as leads from tallies group by source, form_type) of_form
     group by source having sum(leads) <> 0
   ) ranked group by place`,
  `"isRest", "preSample" + "preBuy" desc, source`,
);
const READERS = listOf(
  `select subscriber_status as status, sum(leads)::bigint as leads from tallies where beehiiv_status = 'sent' group by 1`,
  'status',
);

type Counted = Pick<ChartsAnswer, 'days' | 'sources' | 'readers'>;

/**
 * The filter's leads by day, the last 31 of them, days without any left out; by source, the largest first and all but a
 * few summed up at the end; and those that were sent by how their readers stand at the newsletter. All of one moment.
 */
export async function countCharted(db: Database, filter: LeadFilter): Promise<Counted> {
  // The rows are gone through once for all three; the rollup is read three times sooner than kept aside.
  const kept = isBeyondTallies(filter) ? 'materialized' : 'not materialized';
  const { rows } = await db.raw(
    `with tallies as ${kept} ? select ${DAYS} as days, ${SOURCES} as sources, ${READERS} as readers`,
    [talliesOf(db, filter)],
  );
  const [counted]: [{ days: Counted['days']; sources: Counted['sources']; readers: ReaderTally[] }] = rows;
  return { ...counted, readers: sumReaders(counted.readers) };
}

/** From the rollup; or, where the filter asks for what it does not know, from the rows, which are read once for all charts. */
function talliesOf(db: Database, filter: LeadFilter) {
  const by = ['day', 'formType', 'beehiivStatus', 'subscriberStatus', 'source'];
  if (!isBeyondTallies(filter)) return whereTallies(db('lead_tallies'), filter).select(...by, 'leads');
  return whereLeads(db, db('leads'), filter)
    .select(
      db.raw(`(submitted_at at time zone 'Europe/London')::date as day, form_type, beehiiv_status, subscriber_status,
        utm_source as source, count(*) as leads`),
    )
    .groupBy(by);
}

type ReaderTally = { status: string | null; leads: number };

function sumReaders(tallies: ReaderTally[]): Counted['readers'] {
  const of = (state: ReaderState) => {
    const names: readonly (string | null)[] = READER_STATES[state];
    return tallies.filter(({ status }) => names.includes(status)).reduce((sum, { leads }) => sum + leads, 0);
  };
  return { confirmed: of('confirmed'), waiting: of('waiting'), rejected: of('rejected'), left: of('left') };
}
