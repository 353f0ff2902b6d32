import type { Database } from '@site/platform/database/connect';
import { READER_STATES } from '@site/schema/admin';
import type { LeadFilter } from '@site/schema/admin';
import type { Knex } from 'knex';
import { IS_GIVEN_UP } from '../money/given-up.ts';

/*
 * The one meaning of a filter. List, counters and CSV all go through here, so they cannot disagree.
 * Days are inclusive and London's: from the start of the first to the start of the day after the last.
 */

const dayStart = (db: Database, day: string, plusDays = 0) =>
  db.raw(`((?::date + ?::int)::timestamp at time zone 'Europe/London')`, [day, plusDays]);

const escapeLike = (text: string) => text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`);

/** Of a row of `leads`: a checkout of it was given up. */
const HAS_GIVEN_UP = `leads.id in (select lost.lead_id from checkouts lost where ${IS_GIVEN_UP})`;

/** Narrows a query on `leads` to the filter's rows. */
export function whereLeads<T extends Knex.QueryBuilder>(db: Database, query: T, filter: LeadFilter): T {
  if (filter.formType) void query.where('formType', filter.formType);
  if (filter.status) void query.where('beehiivStatus', filter.status);
  if (filter.startDate) void query.where('submittedAt', '>=', dayStart(db, filter.startDate));
  if (filter.endDate) void query.where('submittedAt', '<', dayStart(db, filter.endDate, 1));
  if (filter.reader) {
    void query.where('beehiivStatus', 'sent').whereIn('subscriberStatus', [...READER_STATES[filter.reader]]);
  }
  if (filter.source)
    void query.whereRaw('left(utm_source, 64) = left(:source, 64) and utm_source = :source', { source: filter.source });
  if (filter.checkout) void query.whereRaw(HAS_GIVEN_UP);
  if (filter.search) void query.whereRaw(...whereWords(filter.search));
  return query;
}

/** What is searched of a row of `leads`: letter by letter the expression of the index `leads_by_words`, or it would not be used. */
export const LEAD_WORDS = `(E'\\n' || email_normalised || E'\\n' || coalesce(lower(full_name), '') || E'\\n' || coalesce(lower(company), ''))`;
/** Fewer letters than the index has parts for: they are looked for where words begin, which it has as well. */
const SHORT = 3;

/** Leads whose address, name or company holds the words. */
function whereWords(search: string): [string, Record<string, string>] {
  // Lowered by the database, as the words are: JavaScript's small letters are not always the same.
  const text = escapeLike(search.replaceAll('\n', ' '));
  if (search.length >= SHORT) return [`${LEAD_WORDS} like lower(:within)`, { within: `%${text}%` }];
  return [
    `(${LEAD_WORDS} like lower(:atBegin) or ${LEAD_WORDS} like lower(:atWord))`,
    { atBegin: `%\n${text}%`, atWord: `% ${text}%` },
  ];
}

/** Narrows a query on the rollup `lead_counts` to the same rows. The rollup knows days and forms, and nothing else of a filter. */
export function whereCounts<T extends Knex.QueryBuilder>(
  query: T,
  filter: Pick<LeadFilter, 'formType' | 'startDate' | 'endDate'>,
): T {
  if (filter.formType) void query.where('formType', filter.formType);
  if (filter.startDate) void query.where('day', '>=', filter.startDate);
  if (filter.endDate) void query.where('day', '<=', filter.endDate);
  return query;
}

/** Whether a filter asks for what the rollup `lead_tallies` does not know. */
export const isBeyondTallies = ({ search, checkout }: LeadFilter) => search !== undefined || checkout !== undefined;

/** Narrows a query on the rollup `lead_tallies` to the same rows, where the filter is not beyond it. */
export function whereTallies<T extends Knex.QueryBuilder>(query: T, filter: LeadFilter): T {
  if (filter.status) void query.where('beehiivStatus', filter.status);
  if (filter.reader) {
    void query.where('beehiivStatus', 'sent').whereIn('subscriberStatus', [...READER_STATES[filter.reader]]);
  }
  if (filter.source) void query.where('source', filter.source);
  return whereCounts(query, filter);
}
