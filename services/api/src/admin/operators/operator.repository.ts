import type { Database } from '@site/platform/database/connect';
import type { UserRow } from '@site/platform/database/tables';

const named = (db: Database, username: string) =>
  db<UserRow>('users').whereRaw('lower(username) = lower(?)', [username]);

export async function findOperator(db: Database, username: string): Promise<UserRow | undefined> {
  return named(db, username).first();
}

/**
 * Locks an operator until the transaction ends: a new password, or a removal, waits. Returns false if the operator is
 * gone, or has another password than `password`.
 */
export async function lockOperatorRow(trx: Database, id: string, password?: string): Promise<boolean> {
  const operator = await trx<UserRow>('users').where({ id }).forShare().first('password');
  return operator !== undefined && (password === undefined || operator.password === password);
}

/** Prevents an operator from getting a session until the transaction ends. */
export async function lockOperator(trx: Database, id: string): Promise<void> {
  await trx('users').where({ id }).forUpdate().first('id');
}

export async function countOperators(db: Database): Promise<number> {
  const [row] = await db('users').count<{ count: number }[]>();
  return row?.count ?? 0;
}

export async function insertOperator(db: Database, operator: Omit<UserRow, 'createdAt'>): Promise<boolean> {
  const inserted = await db('users')
    .insert(operator)
    .onConflict(db.raw('(lower(username))'))
    .ignore()
    .returning<{ id: string }[]>('id');
  return inserted.length === 1;
}

/** Returns the operator's id, or null if there is no such name. */
export async function updatePassword(db: Database, username: string, password: string): Promise<string | null> {
  const [row] = await named(db, username).update({ password }).returning('id');
  return row?.id ?? null;
}

export async function deleteOperator(db: Database, username: string): Promise<string | null> {
  const [row] = await named(db, username).delete().returning('id');
  return row?.id ?? null;
}

export async function endSessions(db: Database, operatorId: string): Promise<void> {
  await db('operator_sessions').whereRaw(`sess->'operator'->>'id' = ?`, [operatorId]).delete();
}
