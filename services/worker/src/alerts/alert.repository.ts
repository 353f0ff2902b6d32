import type { Database } from '@site/platform/database/connect';
import type { AlertKind, Row } from '@site/platform/database/tables';

export type OpenAlert = Row<'sync_alerts'>;

export async function listAlerts(db: Database): Promise<OpenAlert[]> {
  return db<OpenAlert>('sync_alerts').select();
}

/** Keeps an alert; one that is kept already stays as it began. */
export async function raiseAlert(db: Database, kind: AlertKind, since: Date): Promise<void> {
  await db('sync_alerts').insert({ kind, since }).onConflict('kind').ignore();
}

export async function markAlerted(db: Database, kind: AlertKind): Promise<void> {
  await db('sync_alerts')
    .where({ kind })
    .update({ alertedAt: db.raw('sync_now()') });
}

export async function endAlert(db: Database, kind: AlertKind): Promise<void> {
  await db('sync_alerts').where({ kind }).delete();
}

/** The time by which everything about the sync is measured. */
export async function readSyncTime(db: Database): Promise<Date> {
  const { rows } = await db.raw('select sync_now() as now');
  return rows[0].now;
}
