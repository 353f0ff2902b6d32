import type { Database } from '@site/platform/database/connect';
import { MOST_ABANDONED } from '@site/schema/calls/money';
import type { LeadFilter } from '@site/schema/calls/lead-filter';
import { whereLeads } from '../leads/lead-filter.ts';

/**
 * Counts the leads of the filter that abandoned their checkout, whatever status it asks for. At most one more than
 * `MOST_ABANDONED`.
 */
export async function countAbandoned(db: Database, { status: _, ...filter }: LeadFilter): Promise<number> {
  const found = whereLeads(db, db('leads'), { ...filter, checkout: 'abandoned' })
    .select(db.raw('1'))
    .limit(MOST_ABANDONED + 1);
  const [row] = await db.from(found.as('found')).count<{ count: number }[]>();
  return row?.count ?? 0;
}
