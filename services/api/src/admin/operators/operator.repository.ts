import type { Database } from '@site/platform/database/connect';
import type { UserRow } from '@site/platform/database/tables';

const named = (db: Database, username: string) =>
  db<UserRow>('users').whereRaw('lower(username) = lower(?)', [username]);

export async function findOperator(db: Database, username: string): Promise<UserRow | undefined> {
  return named(db, username).first();
}

/**
 * Keeps an operator as they are until the transaction ends: a new password, and a removal, wait for it. False when they
 * are gone, or have another password than `password`.
 */
export async function lockOperatorRow(trx: Database, id: string, password?: string): Promise<boolean> {
  const operator = await trx<UserRow>('users').where({ id }).forShare().first('password');
  return operator !== undefined && (password === undefined || operator.password === password);
}

/** Keeps an operator from getting a session until the transaction ends. */
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

/** Returns the operator's id, or null when there is none of that name. */
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
