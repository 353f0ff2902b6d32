import type { Database } from '../database/connect.ts';
import type { AlertKind, Row } from '../database/tables.ts';

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
