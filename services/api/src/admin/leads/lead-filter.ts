import type { Database } from '@site/platform/database/connect';
import type { LeadFilter } from '@site/schema/admin';
import type { Knex } from 'knex';

/*
 * The one meaning of a filter. List, counters and CSV all go through here, so they cannot disagree.
 * Days are inclusive and London's: from the start of the first to the start of the day after the last.
 */

const dayStart = (db: Database, day: string, plusDays = 0) =>
  db.raw(`((?::date + ?::int)::timestamp at time zone 'Europe/London')`, [day, plusDays]);

const escapeLike = (text: string) => text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`);

/** Narrows a query on `leads` to the filter's rows. */
export function whereLeads<T extends Knex.QueryBuilder>(db: Database, query: T, filter: LeadFilter): T {
  if (filter.formType) void query.where('formType', filter.formType);
  if (filter.status) void query.where('beehiivStatus', filter.status);
  if (filter.startDate) void query.where('submittedAt', '>=', dayStart(db, filter.startDate));
  if (filter.endDate) void query.where('submittedAt', '<', dayStart(db, filter.endDate, 1));
  if (filter.search) {
    const pattern = `%${escapeLike(filter.search.toLowerCase())}%`;
    void query.whereRaw(
      `(email_normalised like :pattern or lower(full_name) like :pattern or lower(company) like :pattern)`,
      { pattern },
    );
  }
  return query;
}

/** Narrows a query on the rollup `lead_counts` to the same rows. The rollup knows no search. */
export function whereCounts<T extends Knex.QueryBuilder>(query: T, filter: Omit<LeadFilter, 'search' | 'status'>): T {
  if (filter.formType) void query.where('formType', filter.formType);
  if (filter.startDate) void query.where('day', '>=', filter.startDate);
  if (filter.endDate) void query.where('day', '<=', filter.endDate);
  return query;
}
