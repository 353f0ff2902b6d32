import type { Database } from './database/connect.ts';
import type { Row } from './database/tables.ts';

/*
 * What open consoles must hear of. The database itself notes it, whoever writes. A subscriber remembers the
 * snapshot up to which it has read, and next gets exactly what that snapshot did not show: a transaction
 * that commits late is never passed over, as it would be by a counted id.
 */

/** `leadId` is null for a change that is not about one lead. */
export type Change = Pick<Row<'lead_changes'>, 'leadId' | 'what'>;

/** How long a change is kept: whoever was away for longer loads everything anew. */
export const CHANGES_KEPT_MS = 3_600_000;

/** The database's present snapshot, as text: the place to read on from. */
export async function readChangePlace(db: Database): Promise<string> {
  const { rows } = await db.raw('select pg_current_snapshot()::text as place');
  return rows[0].place;
}

/** What has become visible since `place`, at most `limit` of it, and the place to read on from; `hasMore` when that was not all. */
export async function readChanges(
  db: Database,
  place: string,
  limit: number,
): Promise<{ changes: Change[]; place: string; hasMore: boolean }> {
  const { rows } = await db.raw(
    `select pg_current_snapshot()::text as place, coalesce((
       select json_agg(json_build_object('leadId', lead_id, 'what', what)) from (
         select lead_id, what from lead_changes
         where xid >= pg_snapshot_xmin(:place::pg_snapshot) and not pg_visible_in_snapshot(xid, :place::pg_snapshot)
         order by id limit :most
       ) unread
     ), '[]') as changes`,
    { place, most: limit + 1 },
  );
  const { changes, place: next } = rows[0] as { changes: Change[]; place: string };
  return { changes: changes.slice(0, limit), place: next, hasMore: changes.length > limit };
}
