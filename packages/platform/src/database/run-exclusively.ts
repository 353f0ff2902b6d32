import type { Database } from './connect.ts';
import { queryOne } from './query.ts';

/** Runs work of this name in one process at a time. Returns null if another process is running it. */
export async function runExclusively<T>(
  db: Database,
  name: string,
  work: (trx: Database) => Promise<T>,
): Promise<T | null> {
  return db.transaction(async (trx) => {
    const lock = 'select pg_try_advisory_xact_lock(hashtext(?)) as is_ours';
    const { isOurs } = await queryOne<{ isOurs: boolean }>(trx, lock, [name]);
    return isOurs ? work(trx) : null;
  });
}
