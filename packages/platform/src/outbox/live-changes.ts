import type { Database } from '../database/connect.ts';
import { queryOne } from '../database/query.ts';
import type { Row } from '../database/tables.ts';

/*
 * The changes that open consoles receive. Triggers write them, so changes by any program count. A
 * reader remembers the snapshot up to which it has read, and next gets what that snapshot did not
 * show. An id instead would miss a transaction that commits late.
 */

/** `leadId` is null for a change that is not about one lead. */
export type Change = Pick<Row<'lead_changes'>, 'leadId' | 'what'>;

/** How long a change is kept. A console that was disconnected for longer loads everything again. */
export const CHANGES_KEPT_MS = 3_600_000;

/** Reads the database's current snapshot as text: the place to continue from. */
export async function readChangePlace(db: Database): Promise<string> {
  return (await queryOne<{ place: string }>(db, 'select pg_current_snapshot()::text as place'))
    .place;
}

/**
 * Reads at most `limit` changes that became visible since `place`, and the place to continue from.
 */
export async function readChanges(
  db: Database,
  place: string,
  limit: number,
): Promise<{ changes: Change[]; place: string; hasMore: boolean }> {
  const read = await queryOne<{ changes: Change[]; place: string }>(
    db,
    `select pg_current_snapshot()::text as place, coalesce((
       select json_agg(json_build_object('leadId', lead_id, 'what', what)) from (
         select lead_id, what from lead_changes
         where xid >= pg_snapshot_xmin(:place::pg_snapshot) and not pg_visible_in_snapshot(xid, :place::pg_snapshot)
         order by id limit :most
       ) unread
     ), '[]') as changes`,
    { place, most: limit + 1 },
  );
  return {
    changes: read.changes.slice(0, limit),
    place: read.place,
    hasMore: read.changes.length > limit,
  };
}

/** Lists the changes of the last `seconds`, at most `limit`. */
export async function readRecentChanges(
  db: Database,
  seconds: number,
  limit: number,
): Promise<Change[]> {
  return db('lead_changes')
    .whereRaw('at > clock_timestamp() - make_interval(secs => ?)', [seconds])
    .orderBy('id')
    .limit(limit)
    .select<Change[]>('leadId', 'what');
}
