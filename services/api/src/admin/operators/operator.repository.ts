import { createHash } from 'node:crypto';
import type { Database } from '@site/platform/database/connect';
import { queryOne } from '@site/platform/database/query';
import type { UserRow } from '@site/platform/database/tables';

/**
 * One case folding for the unique index, every look-up and the limit of failed logins: the
 * database's.
 */
const named = (db: Database, username: string) =>
  db<UserRow>('users').whereRaw('lower(username collate "C") = lower(? collate "C")', [username]);

export async function findOperator(db: Database, username: string): Promise<UserRow | undefined> {
  return named(db, username).first();
}

export async function findOperatorById(db: Database, id: string): Promise<UserRow | undefined> {
  return db<UserRow>('users').where({ id }).first();
}

/** Finds the operator of a name, and the key under which its failed logins count. */
export async function findAccount(
  db: Database,
  username: string,
): Promise<{ account: string; operator: UserRow | undefined }> {
  const operator = await findOperator(db, username);
  if (operator) return { account: operator.id, operator };
  const { folded } = await queryOne<{ folded: string }>(
    db,
    'select lower(:username collate "C") as folded',
    {
      username,
    },
  );
  // An unknown name may be a password typed into the wrong field.
  return { account: createHash('sha256').update(folded).digest('hex'), operator };
}

/**
 * Locks an operator until the transaction ends: a new password, or a removal, waits. Returns false if the operator is
 * gone, or has another password than `password`.
 */
export async function lockOperatorRow(
  trx: Database,
  id: string,
  password?: string,
): Promise<boolean> {
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

export async function insertOperator(
  db: Database,
  operator: Pick<UserRow, 'id' | 'username' | 'password'>,
): Promise<boolean> {
  const inserted = await db('users')
    .insert(operator)
    .onConflict(db.raw('(lower(username collate "C"))'))
    .ignore()
    .returning<{ id: string }[]>('id');
  return inserted.length === 1;
}

/** Sets a password by name. Returns the operator's id, or null for an unknown name. */
export async function resetLogin(
  db: Database,
  username: string,
  password: string,
): Promise<string | null> {
  const [row] = await named(db, username).update({ password }).returning('id');
  return row?.id ?? null;
}

/**
 * Ends an operator's sessions, all or all but those of one login, and forgets the browsers from
 * which they signed in.
 */
export async function endSessions(
  db: Database,
  operatorId: string,
  exceptLogin?: string,
): Promise<void> {
  const sessions = db('operator_sessions').whereRaw(`sess->'operator'->>'id' = ?`, [operatorId]);
  if (exceptLogin !== undefined) void sessions.whereRaw(`sess->>'login' <> ?`, [exceptLogin]);
  await sessions.delete();
  await db('users').where({ id: operatorId }).increment('browserEpoch');
}
