import type { Database } from '@site/platform/database/connect';
import { SUBSCRIBER_STATES } from '@site/schema/admin';
import type { LeadFilter } from '@site/schema/admin';
import type { Knex } from 'knex';
import { IS_ABANDONED } from '../../subscriptions/checkout.repository.ts';

/*
 * The one meaning of a filter. List, counters and CSV all go through here, so they cannot disagree.
 * Days are inclusive and London's: from the start of the first to the start of the day after the last.
 */

const dayStart = (db: Database, day: string, plusDays = 0) =>
  db.raw(`((?::date + ?::int)::timestamp at time zone 'Europe/London')`, [day, plusDays]);

const escapeLike = (text: string) => text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`);

/** Of a row of `leads`: one of its checkouts was abandoned. */
const HAS_ABANDONED = `leads.id in (select lost.lead_id from checkouts lost where ${IS_ABANDONED})`;

/** Narrows a query on `leads` to the filter's rows. */
export function whereLeads<T extends Knex.QueryBuilder>(db: Database, query: T, filter: LeadFilter): T {
  if (filter.formType) void query.where('formType', filter.formType);
  if (filter.status) void query.where('beehiivStatus', filter.status);
  if (filter.startDate) void query.where('submittedAt', '>=', dayStart(db, filter.startDate));
  if (filter.endDate) void query.where('submittedAt', '<', dayStart(db, filter.endDate, 1));
  if (filter.subscriber) {
    void query.where('beehiivStatus', 'sent').whereIn('subscriberStatus', [...SUBSCRIBER_STATES[filter.subscriber]]);
  }
  if (filter.source)
    void query.whereRaw('left(utm_source, 64) = left(:source, 64) and utm_source = :source', { source: filter.source });
  if (filter.checkout) void query.whereRaw(HAS_ABANDONED);
  if (filter.search) void query.whereRaw(...whereWords(filter.search));
  return query;
}

/** What is searched of a row of `leads`: letter by letter the expression of the index `leads_by_words`, or it would not be used. */
export const LEAD_LABELS = `(E'\\n' || email_normalised || E'\\n' || coalesce(lower(full_name), '') || E'\\n' || coalesce(lower(company), ''))`;
/** Fewer letters than the index has parts for: they are looked for where words begin, which it has as well. */
const SHORT = 3;

/** Leads whose address, name or company holds the words. */
function whereWords(search: string): [string, Record<string, string>] {
  // Lowered by the database, as the words are: JavaScript's small letters are not always the same.
  const text = escapeLike(search.replaceAll('\n', ' '));
  if (search.length >= SHORT) return [`${LEAD_LABELS} like lower(:within)`, { within: `%${text}%` }];
  return [
    `(${LEAD_LABELS} like lower(:atBegin) or ${LEAD_LABELS} like lower(:atWord))`,
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

/** Whether the rollup `lead_counts` can answer a filter; otherwise the rows themselves are counted, up to `MOST_COUNTED`. */
export const isKnownToCounts = ({ source, subscriber, search, checkout }: LeadFilter) =>
  [source, subscriber, search, checkout].every((value) => value === undefined);
