import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import { LEADS_PER_PAGE, maxCounted, MAX_CHARTED, MAX_DAYS } from '@site/schema/calls/leads';
import type { CallSent } from '@site/schema/calls/calls';
import type { LeadFilter } from '@site/schema/calls/lead-filter';
import type { LeadListQuery, SubscriberCounts, ChartsAnswer } from '@site/schema/calls/leads';
import { SUBSCRIBER_STATES } from '@site/schema/lead';
import type { LeadInList } from '@site/schema/stored-lead';
import { placeOf } from '../../http/cursor.ts';
import type { Place } from '../../http/cursor.ts';
import { IN_LIST } from './lead-answer.ts';
import type { ShownLeadRow } from './lead-answer.ts';
import { selectCounts, stageSql, whereLeads } from './lead-filter.ts';

type ListRow = Pick<ShownLeadRow & Pick<LeadInList, 'name' | 'state'>, keyof LeadInList>;

/**
 * Lists one page after `place` in the requested order, without leads newer than `upTo`. Returns the
 * place of its first lead and, if there are more, the place to continue from.
 */
export async function listLeads(
  db: Database,
  { sort, ...filter }: LeadListQuery,
  { place, upTo }: { place: Place | null; upTo: Place | null },
): Promise<{ rows: ListRow[]; top: Place | null; next: Place | null }> {
  const direction = sort === 'oldest' ? 'asc' : 'desc';
  const page = whereLeads(db('leads'), filter)
    .select<(ListRow & { place: string })[]>(
      db.raw(`${IN_LIST}, ${placeOf('submitted_at')} as place`),
    )
    .orderBy([
      { column: 'submittedAt', order: direction },
      { column: 'id', order: direction },
    ])
    .limit(LEADS_PER_PAGE + 1);
  if (place)
    void page.whereRaw(
      `(submitted_at, id) ${direction === 'asc' ? '>' : '<'} (?::timestamptz, ?::uuid)`,
      [place.at, place.id],
    );
  if (upTo)
    void page.whereRaw('(submitted_at, id) <= (?::timestamptz, ?::uuid)', [upTo.at, upTo.id]);
  const rows = await page;
  const shown = rows.slice(0, LEADS_PER_PAGE);
  const last = rows.length > LEADS_PER_PAGE ? shown.at(-1) : undefined;
  const toPlace = (row: (typeof rows)[number] | undefined) =>
    row ? { at: row.place, id: row.id } : null;
  return { rows: shown, top: toPlace(shown[0]), next: toPlace(last) };
}

const MAX_NEWER = 1_000;

/**
 * Counts the leads of the filter that came after `place`, at most 1,000. Returns 0 without a place.
 */
export async function countNewer(
  db: Database,
  filter: LeadFilter,
  place: Place | null,
): Promise<number> {
  if (!place) return 0;
  const newer = whereLeads(db('leads'), filter)
    .whereRaw('(submitted_at, id) > (?::timestamptz, ?::uuid)', [place.at, place.id])
    .select(db.raw('1'))
    .limit(MAX_NEWER);
  return (await queryOne<{ count: number }>(db, 'select count(*) from ? newer', [newer])).count;
}

type Group = { formType: string; status: string; subscriberStatus: string; leads: number };
type Counted = Pick<
  CallSent<'GET /api/admin/leads'>,
  'counts' | 'statusCounts' | 'subscribers' | 'isCapped'
>;

/**
 * Counts a filter's leads, ignoring its status. Counts exactly from the rollup, or at most
 * `maxCounted` rows if the rollup cannot answer. One statement, so that all counts show the same
 * moment.
 */
export async function countLeads(
  db: Database,
  { status: _, ...filter }: LeadFilter,
): Promise<Counted> {
  const most = maxCounted(filter);
  const rollup = selectCounts(db, filter);
  // The rollup counts quarantined leads as failed. An index of these leads counts them.
  const quarantine =
    rollup && whereLeads(db('leads'), { ...filter, status: 'quarantined' }).count();
  const groups = await query<Group & { apart: number | null }>(
    db,
    `select form_type, beehiiv_status as status, subscriber_status, sum(leads)::bigint as leads,
       :apart as apart
     from :counted counted group by 1, 2, 3`,
    { counted: rollup ?? selectCounted(db, filter, most + 1), apart: quarantine ?? db.raw('null') },
  );
  const sum = (wanted: Partial<Group>) =>
    groups
      .filter((group) =>
        Object.entries(wanted).every(([part, word]) => group[part as 'status'] === word),
      )
      .reduce((all, { leads }) => all + leads, 0);
  const isCapped = rollup === null && sum({}) > most;
  const shown = (leads: number) => (isCapped ? Math.min(leads, most) : leads);
  const sent = sum({ status: 'sent' });
  const apart = groups[0]?.apart ?? 0;
  const counts = {
    total: shown(sum({})),
    preSample: shown(sum({ formType: 'pre_sample' })),
    preBuy: shown(sum({ formType: 'pre_buy' })),
    beehiivSent: shown(sent),
  };
  const statusCounts = {
    pending: shown(sum({ status: 'pending' })),
    sent: shown(sent),
    failed: shown(sum({ status: 'failed' }) - apart),
    quarantined: shown(sum({ status: 'quarantined' }) + apart),
  };
  const subscribers = Object.fromEntries(
    Object.entries(SUBSCRIBER_STATES).map(([name, subscriberStatus]) => [
      name,
      sum({ status: 'sent', subscriberStatus }),
    ]),
  ) as Omit<SubscriberCounts, 'other'>;
  const other = sent - Object.values(subscribers).reduce((all, leads) => all + leads, 0);
  return { counts, statusCounts, subscribers: { ...subscribers, other }, isCapped };
}

/** Selects the filter's leads to be counted, at most `limit`. */
function selectCounted(db: Database, { stage, ...others }: LeadFilter, limit: number) {
  const matching = whereLeads(db('leads'), others).limit(limit);
  // Follows an index's order, so that no more leads are looked up than counted.
  if (stage)
    void matching.whereRaw(
      `id in (select distinct lead_id from (${stageSql(stage)}) o order by lead_id)`,
      { stage },
    );
  // Checkouts give ids, which have an index. Following the index's order would pass many leads that
  // do not count.
  return (others.checkout ? db('leads').whereIn('id', matching.select('id')) : matching).select(
    db.raw(`form_type, subscriber_status, 1 as leads, case
      when beehiiv_status = 'failed' and quarantine_reason is not null then 'quarantined'
      else beehiiv_status end as beehiiv_status`),
  );
}

type ChartedRow = Pick<ChartsAnswer, 'days' | 'sources'> & { leads: number };
type Charted = Omit<ChartedRow, 'leads'> & Pick<ChartsAnswer, 'isCapped'>;

/**
 * Counts the filter's leads by day (the last 366 with leads) and by source. Returns the three
 * largest sources and one sum for the rest. The database ranks them, because anybody can send any
 * number of sources. Ignores the filter's status, like the counters. Reads at most the newest
 * `MAX_CHARTED` leads, so the cost is bounded, and sets `isCapped` if there are more. Days are
 * exact if the counters can answer.
 */
export async function countChartedLeads(
  db: Database,
  { status: _, ...filter }: LeadFilter,
): Promise<Charted> {
  const charted = whereLeads(db('leads'), filter)
    .select(
      db.raw(`(submitted_at at time zone 'Europe/London')::date as day, form_type,
        button_of(form_type, utm_source) as source, 1 as leads`),
    )
    .orderBy('submittedAt', 'desc')
    .limit(MAX_CHARTED);
  const { leads, ...charts } = await queryOne<ChartedRow>(
    db,
    `with charted as materialized :charted, by_day as :byDay
     select (
       select coalesce(json_agg(listed order by day), '[]') from (
         select day,
           coalesce(sum(leads) filter (where form_type = 'pre_sample'), 0)::bigint as "preSample",
           coalesce(sum(leads) filter (where form_type = 'pre_buy'), 0)::bigint as "preBuy"
         from by_day group by day having sum(leads) <> 0 order by day desc limit :maxDays
       ) listed
     ) as days, (
       select coalesce(json_agg(listed order by "isRest", "preSample" + "preBuy" desc, source),
         '[]')
       from (
         select case when place <= 3 then min(source) end as source, place > 3 as "isRest",
           sum(pre_sample)::bigint as "preSample", sum(pre_buy)::bigint as "preBuy"
         from (
           select source,
             coalesce(sum(leads) filter (where form_type = 'pre_sample'), 0) as pre_sample,
             coalesce(sum(leads) filter (where form_type = 'pre_buy'), 0) as pre_buy,
             least(row_number() over (order by sum(leads) desc, source), 4) as place
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
