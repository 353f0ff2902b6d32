import type { Database } from '@site/platform/database/connect';
import type { UserRow } from '@site/platform/database/tables';
import { hash, verify } from '@node-rs/argon2';
import type { Request } from 'express';
import { randomBytes } from 'node:crypto';
import { v7 as newUuid } from 'uuid';
import { foldReadings, recordAction } from '../../audit/audit.repository.ts';
import { forgiveFailures } from './login.repository.ts';
import {
  countOperators,
  endSessions,
  findOperator,
  insertOperator,
  resetLogin,
} from './operator.repository.ts';
import { removeSecondFactor } from './second-factor.ts';
import { storeNotice } from './security-notice.ts';
import type { NoticeDeps } from './security-notice.ts';

// OWASP's recommendation for argon2id, and the library's default: 19 MiB, two passes, one lane.
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

let decoy: Promise<string> | undefined;

/**
 * Returns true if this is the operator's password. Without an operator it takes as long and returns
 * false.
 */
export async function checkPassword(
  operator: UserRow | undefined,
  password: string,
): Promise<boolean> {
  decoy ??= hash(randomBytes(16), ARGON2);
  const isRight = await verify(operator?.password ?? (await decoy), password);
  return operator !== undefined && isRight;
}

export const hashPassword = (password: string) => hash(password, ARGON2);

/** Adds an operator. Returns false when the name is taken. */
export async function addOperator(
  db: Database,
  username: string,
  password: string,
): Promise<boolean> {
  return storeOperator(db, username, await hashPassword(password));
}

/** Adds an operator whose password is hashed. Returns false when the name is taken. */
export async function storeOperator(
  db: Database,
  username: string,
  hashed: string,
): Promise<boolean> {
  return db.transaction(async (trx) => {
    const isNew = await insertOperator(trx, { id: newUuid(), username, password: hashed });
    if (isNew) await recordUserChange(trx, 'user-add', username);
    return isNew;
  });
}

/**
 * Lets an operator in again: sets a new password, removes the second factor, forgets failed logins and ends all of their
 * sessions. Returns false if there is no such operator.
 */
export async function resetPassword(
  db: Database,
  username: string,
  password: string,
  notices?: NoticeDeps,
): Promise<boolean> {
  const hashed = await hashPassword(password);
  return db.transaction(async (trx) => {
    const id = await resetLogin(trx, username, hashed);
    if (id !== null) {
      await removeSecondFactor(trx, id);
      await forgiveFailures(trx, id);
      await endSessions(trx, id);
      await recordUserChange(trx, 'user-reset', username);
      if (notices) await storeNotice(trx, notices, 'user-reset', username);
    }
    return id !== null;
  });
}

/** Sets the password that an operator chose, and ends their other sessions. */
export async function changePassword(
  { db, ...deps }: NoticeDeps & { db: Database },
  req: Request,
  { id, username }: Pick<UserRow, 'id' | 'username'>,
  password: string,
): Promise<void> {
  const hashed = await hashPassword(password);
  await db.transaction(async (trx) => {
    await trx('users').where({ id }).update({ password: hashed });
    await endSessions(trx, id, req.session.login);
    await recordAction(trx, { operator: username, action: 'password-change' });
    await storeNotice(trx, deps, 'password-change', username, req);
  });
}

/** Removes an operator and ends all of their sessions, unless nobody else could sign in afterwards. */
export async function removeOperator(
  db: Database,
  username: string,
): Promise<'removed' | 'unknown' | 'last'> {
  return db.transaction(async (trx) => {
    // Two commands that each remove one of the last two must not both succeed.
    await trx.raw('lock table users in share row exclusive mode');
    const operator = await findOperator(trx, username);
    if (!operator) return 'unknown';
    if ((await countOperators(trx)) === 1) return 'last';
    await foldReadings(trx, operator.username);
    await trx('users').where({ id: operator.id }).delete();
    await endSessions(trx, operator.id);
    await recordUserChange(trx, 'user-remove', username);
    return 'removed';
  });
}

/** Generates a password of 120 random bits. */
export function newPassword(): string {
  return randomBytes(15).toString('base64url');
}

/**
 * Creates the first operator if there is none, even if several processes start at once. Returns the
 * login, or null if an operator existed.
 */
export async function seedOperator(
  db: Database,
  given: { username: string; password?: string | undefined },
): Promise<{ username: string; password: string } | null> {
  const password = given.password ?? newPassword();
  const hashed = await hashPassword(password);
  return db.transaction(async (trx) => {
    await trx.raw(`select pg_advisory_xact_lock(hashtext('seed operator'))`);
    if ((await countOperators(trx)) > 0) return null;
    await insertOperator(trx, { id: newUuid(), username: given.username, password: hashed });
    await recordUserChange(trx, 'user-add', given.username);
    return { username: given.username, password };
  });
}

/** Operators are changed by commands, which have no signed-in user. */
async function recordUserChange(
  trx: Database,
  action: 'user-add' | 'user-reset' | 'user-remove',
  username: string,
): Promise<void> {
  await recordAction(trx, { operator: null, action, subject: username });
}
