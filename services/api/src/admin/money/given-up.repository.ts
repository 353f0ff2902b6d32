import type { Database } from '@site/platform/database/connect';
import { MOST_GIVEN_UP } from '@site/schema/money';
import type { LeadFilter } from '@site/schema/admin';
import { whereLeads } from '../leads/lead-filter.ts';

/** How many leads of the filter, whatever status it asks for, gave their checkout up; at most one more than `MOST_GIVEN_UP`. */
export async function countGivenUp(db: Database, { status: _, ...filter }: LeadFilter): Promise<number> {
  const found = whereLeads(db, db('leads'), { ...filter, checkout: 'abandoned' })
    .select(db.raw('1'))
    .limit(MOST_GIVEN_UP + 1);
  const [row] = await db.from(found.as('found')).count<{ count: number }[]>();
  return row?.count ?? 0;
}
