import type { Database } from '../database/connect.ts';
import { query, queryOne } from '../database/query.ts';
import type { ChangeKind } from '../database/tables.ts';

/*
 * The changes that open consoles receive. Triggers write them, so changes by any program count. A
 * reader remembers the snapshot up to which it has read, and next gets the rows missing from it. An
 * id would miss transactions that commit late.
 */

/** Changes stay this long, for a process that could not read for a while. */
export const CHANGES_KEPT_MS = 3_600_000;

/** Reads the database's current snapshot as text: the place to continue from. */
export async function readChangePlace(db: Database): Promise<string> {
  return (await queryOne<{ place: string }>(db, 'select pg_current_snapshot()::text as place'))
    .place;
}

/** Reads the kinds of changes since `place`. */
export async function readChanges(db: Database, place: string): Promise<ChangeKind[]> {
  const changes = await query<{ what: ChangeKind }>(
    db,
    `select distinct what from live_changes
     where xid >= pg_snapshot_xmin(:place::pg_snapshot)
       and not pg_visible_in_snapshot(xid, :place::pg_snapshot)`,
    { place },
  );
  return changes.map(({ what }) => what);
}

/** Reads the kinds of changes in the last `seconds`. */
export async function readRecentChanges(db: Database, seconds: number): Promise<ChangeKind[]> {
  const changes = await query<{ what: ChangeKind }>(
    db,
    `select distinct what from live_changes
     where at > clock_timestamp() - make_interval(secs => :seconds)`,
    { seconds },
  );
  return changes.map(({ what }) => what);
}
