import type { Database } from '../database/connect.ts';
import type { SyncHealthRow } from '../database/tables.ts';

/*
 * How the sync is doing: one row, written by the workers. Three things may be wrong.
 * - A configuration pause: the key or the publication is wrong, so nothing is sent.
 * - A refusal pause: one wrong setting may refuse everybody, so refused leads wait instead of failing.
 * - An outage: Beehiiv fails for everybody, so failed leads wait for its end.
 * In the last two, each new lead is still tried once, so that nobody waits behind the leads that failed.
 */

/** This many transient failures in a row are an outage. */
export const OUTAGE_STREAK = 5;

/** This many refusals in a row are a refusal pause. */
export const REFUSAL_STREAK = 20;

/** Reads the row: whether the sync is paused, and why, and its latest failures and acceptances. */
export async function readSyncHealth(db: Database): Promise<SyncHealthRow> {
  const row = await db<SyncHealthRow>('sync_health').first();
  if (!row) throw new Error('sync_health has lost its row: run the migrations again');
  return row;
}

/**
 * Makes the leads due that failed before it was an outage, and wait for a time of their own. Those are few: more in a row
 * are one, whose end they wait for. Returns how many.
 */
export async function makeFailedDue(db: Database): Promise<number> {
  const next = db('leads')
    .select('id')
    .where({ beehiivStatus: 'pending' })
    .whereRaw('next_attempt_at > sync_now()');
  return (
    db('leads')
      // Again, for a lead whose run ends meanwhile.
      .where({ beehiivStatus: 'pending' })
      .whereIn('id', next.orderBy('nextAttemptAt').limit(OUTAGE_STREAK))
      .update({ nextAttemptAt: db.raw('sync_now()') })
  );
}

/**
 * Makes the probe of a pause or an outage due now, and the leads that failed before. Returns false if nothing waits. A
 * worker sends them within seconds.
 */
export async function makeProbeDue(db: Database): Promise<boolean> {
  const changed = await db('sync_health')
    .whereRaw('is_blocked or is_failing')
    .update({ nextProbeAt: db.raw('sync_now()') });
  return changed + (await makeFailedDue(db)) > 0;
}
