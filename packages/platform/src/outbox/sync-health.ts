import type { Database } from '../database/connect.ts';
import type { SyncHealthRow } from '../database/tables.ts';

/*
 * The health of the sync: one row, written by the workers.
 * - A configuration pause: key or publication is wrong, so nothing is sent.
 * - A refusal pause: one wrong setting may refuse everybody, so refused leads wait instead of
 * failing.
 * - An outage: Beehiiv fails for everybody, so failed leads wait for its end.
 * In the last two, each new lead is tried once, so that nobody waits behind failed leads.
 */

/** This many transient failures in a row are an outage. */
export const OUTAGE_STREAK = 5;

/** This many refusals in a row are a refusal pause. */
export const REFUSAL_STREAK = 20;

export async function readSyncHealth(db: Database): Promise<SyncHealthRow> {
  const row = await db<SyncHealthRow>('sync_health').first();
  if (!row) throw new Error('sync_health has lost its row: run the migrations again');
  return row;
}

/**
 * Makes leads due that failed before the outage began and wait for a time of their own. They are
 * few: more failures in a row would be an outage. Returns how many.
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
 * Makes the probe of a pause or an outage due now, and the leads that failed before it. Returns
 * false if nothing waits. A worker sends them within seconds.
 */
export async function makeProbeDue(db: Database): Promise<boolean> {
  const changed = await db('sync_health')
    .whereRaw('is_paused_by_setting or waits_for_beehiiv')
    .update({ nextProbeAt: db.raw('sync_now()') });
  return changed + (await makeFailedDue(db)) > 0;
}
