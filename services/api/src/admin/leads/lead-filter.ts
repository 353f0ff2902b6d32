import type { Database } from '@site/platform/database/connect';
import { SUBSCRIBER_STATES } from '@site/schema/admin';
import type { LeadFilter } from '@site/schema/admin';
import type { Knex } from 'knex';
import { IS_ABANDONED } from '../../subscriptions/checkout.repository.ts';

/*
 * What a filter means. List, counters and CSV all use this file, so they cannot disagree. Days are inclusive, in
 * London: from the start of the first day to the start of the day after the last.
 */

const dayStart = (db: Database, day: string, plusDays = 0) =>
  db.raw(`((?::date + ?::int)::timestamp at time zone 'Europe/London')`, [day, plusDays]);

const escapeLike = (text: string) => text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`);

/** True for a row of `leads` that has an abandoned checkout. */
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

/**
 * The searched text of a row of `leads`. Must equal the expression of the index `leads_by_words`, or Postgres does
 * not use it.
 */
export const LEAD_LABELS = `(E'\\n' || email_normalised || E'\\n' || coalesce(lower(full_name), '') || E'\\n' || coalesce(lower(company), ''))`;
/** The index holds trigrams. A shorter search matches the beginnings of words, which the index also holds. */
const SHORT = 3;

/** Matches leads whose address, name or company contains the words. */
function whereWords(search: string): [string, Record<string, string>] {
  // Lower-cased by Postgres, like the indexed text, because JavaScript lower-cases some letters differently.
  const text = escapeLike(search.replaceAll('\n', ' '));
  if (search.length >= SHORT) return [`${LEAD_LABELS} like lower(:within)`, { within: `%${text}%` }];
  return [
    `(${LEAD_LABELS} like lower(:atBegin) or ${LEAD_LABELS} like lower(:atWord))`,
    { atBegin: `%\n${text}%`, atWord: `% ${text}%` },
  ];
}

/** Narrows a query on the rollup `lead_counts` to the same rows. The rollup has only days, forms and statuses. */
export function whereCounts<T extends Knex.QueryBuilder>(
  query: T,
  filter: Pick<LeadFilter, 'formType' | 'startDate' | 'endDate'>,
): T {
  if (filter.formType) void query.where('formType', filter.formType);
  if (filter.startDate) void query.where('day', '>=', filter.startDate);
  if (filter.endDate) void query.where('day', '<=', filter.endDate);
  return query;
}

/** True if the rollup `lead_counts` can answer the filter. Otherwise rows are counted, up to `MOST_COUNTED`. */
export const isKnownToCounts = ({ source, subscriber, search, checkout }: LeadFilter) =>
  [source, subscriber, search, checkout].every((value) => value === undefined);
