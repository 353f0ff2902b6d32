import type { Database } from '@site/platform/database/connect';
import type { LeadRow } from '@site/platform/database/tables';
import { LEADS_PER_PAGE } from '@site/schema/admin';
import type { LeadCounts, LeadFilter, LeadListQuery, StatusCounts } from '@site/schema/admin';
import { whereCounts, whereLeads } from './lead-filter.ts';

/** A place in the list: the last row seen. Exact to the microsecond, which a JavaScript date is not. */
export type Place = { at: string; id: string };

/** One page after `place`, in the order asked for, and the place after it when there is more. */
export async function listLeads(
  db: Database,
  query: LeadListQuery,
  place: Place | null,
): Promise<{ rows: LeadRow[]; next: Place | null }> {
  const direction = query.sort === 'oldest' ? 'asc' : 'desc';
  const page = whereLeads(db, db('leads'), query)
    .select<(LeadRow & { place: string })[]>(
      'leads.*',
      db.raw(`to_char(submitted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as place`),
    )
    .orderBy([
      { column: 'submittedAt', order: direction },
      { column: 'id', order: direction },
    ])
    .limit(LEADS_PER_PAGE + 1);
  if (place)
    void page.whereRaw(`(submitted_at, id) ${direction === 'asc' ? '>' : '<'} (?::timestamptz, ?::uuid)`, [
      place.at,
      place.id,
    ]);
  const rows = await page;
  const shown = rows.slice(0, LEADS_PER_PAGE);
  const last = rows.length > LEADS_PER_PAGE ? shown.at(-1) : undefined;
  return { rows: shown, next: last ? { at: last.place, id: last.id } : null };
}

const COUNTS_SQL = (leads: string) =>
  `coalesce(sum(${leads}), 0)::bigint as total,
   coalesce(sum(${leads}) filter (where form_type = 'pre_sample'), 0)::bigint as pre_sample,
   coalesce(sum(${leads}) filter (where form_type = 'pre_buy'), 0)::bigint as pre_buy,
   coalesce(sum(${leads}) filter (where beehiiv_status = 'pending'), 0)::bigint as pending,
   coalesce(sum(${leads}) filter (where beehiiv_status = 'sent'), 0)::bigint as sent,
   coalesce(sum(${leads}) filter (where beehiiv_status = 'failed'), 0)::bigint as failed`;

type CountsRow = Pick<LeadCounts, 'total' | 'preSample' | 'preBuy'> & StatusCounts;

/** The counters of a filter, whatever status it asks for: from the rollup, or from the rows where there is a search. */
export async function countLeads(
  db: Database,
  { status: _, search, ...filter }: LeadFilter,
): Promise<{ counts: LeadCounts; statusCounts: StatusCounts }> {
  const [row] = search
    ? await whereLeads(db, db('leads'), { ...filter, search }).select<CountsRow[]>(db.raw(COUNTS_SQL('1')))
    : await whereCounts(db('lead_counts'), filter).select<CountsRow[]>(db.raw(COUNTS_SQL('leads')));
  if (!row) throw new Error('an aggregate has no row');
  const { pending, sent, failed, ...forms } = row;
  return { counts: { ...forms, beehiivSent: sent }, statusCounts: { pending, sent, failed } };
}

export async function findLead(db: Database, id: string): Promise<LeadRow | undefined> {
  return db<LeadRow>('leads').where({ id }).first();
}
