import type { Database } from '@site/platform/database/connect';
import { queryOne } from '@site/platform/database/query';
import type { AlertKind, Row } from '@site/platform/database/tables';

export type OpenAlert = Row<'sync_alerts'>;

/** Lists the alerts that are open. `alertedAt` is null until the webhook has accepted the message. */
export async function listAlerts(db: Database): Promise<OpenAlert[]> {
  return db<OpenAlert>('sync_alerts').select();
}

/** Opens an alert. One that is open already keeps its start. */
export async function openAlert(db: Database, kind: AlertKind, since: Date): Promise<void> {
  await db('sync_alerts').insert({ kind, since }).onConflict('kind').ignore();
}

export async function markAlerted(db: Database, kind: AlertKind): Promise<void> {
  await db('sync_alerts')
    .where({ kind })
    .update({ alertedAt: db.raw('sync_now()') });
}

export async function closeAlert(db: Database, kind: AlertKind): Promise<void> {
  await db('sync_alerts').where({ kind }).delete();
}

/** Reads the sync's clock, which is the database's. */
export async function readSyncTime(db: Database): Promise<Date> {
  return (await queryOne<{ now: Date }>(db, 'select sync_now() as now')).now;
}
