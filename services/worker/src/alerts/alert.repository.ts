import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import type { AlertKind, Row } from '@site/platform/database/tables';
import { IS_NOT_CORRECTED } from '@site/platform/outbox/retry';

export type OpenAlert = Row<'sync_alerts'>;

/** How long sending one message may take before another worker sends it. */
const CLAIM_SECONDS = 30;

/** Lists the alerts that are open. `alertedAt` is null until the webhook has accepted the message. */
export async function listAlerts(db: Database): Promise<OpenAlert[]> {
  return db<OpenAlert>('sync_alerts').select();
}

/** Opens an alert. */
export async function openAlert(db: Database, kind: AlertKind, since: Date): Promise<void> {
  await db('sync_alerts').insert({ kind, since });
}

/** Claims the message about an alert. Returns false while another worker is sending one. */
export async function claimAlert(db: Database, kind: AlertKind): Promise<boolean> {
  const claimed = await query(
    db,
    `update sync_alerts set claimed_until = sync_now() + interval '${CLAIM_SECONDS} seconds'
     where kind = ? and claimed_until <= sync_now() returning kind`,
    [kind],
  );
  return claimed.length > 0;
}

/** Releases the claim, so that the next check sends the message again. */
export async function releaseAlert(db: Database, kind: AlertKind): Promise<void> {
  await db('sync_alerts').where({ kind }).update({ claimedUntil: '-infinity' });
}

export async function markAlerted(db: Database, kind: AlertKind): Promise<void> {
  await db('sync_alerts')
    .where({ kind })
    .update({ alertedAt: db.raw('sync_now()'), claimedUntil: '-infinity' });
}

export async function closeAlert(db: Database, kind: AlertKind): Promise<void> {
  await db('sync_alerts').where({ kind }).delete();
}

/** Counts the leads that failed in the last hour, without those in quarantine or corrected since. */
export async function readFailed(db: Database): Promise<{ count: number; since: Date | null }> {
  return queryOne(
    db,
    `select count(distinct leads.id)::int as count, min(started_at) as since
     from lead_sync_attempts attempt join leads on leads.id = lead_id
     where started_at > sync_now() - interval '1 hour' and class <> 'accepted' and kind in ('push', 'probe')
       and beehiiv_status = 'failed' and quarantine_reason is null and ${IS_NOT_CORRECTED}`,
  );
}

/** Reads the sync's clock, which is the database's. */
export async function readSyncTime(db: Database): Promise<Date> {
  return (await queryOne<{ now: Date }>(db, 'select sync_now() as now')).now;
}
