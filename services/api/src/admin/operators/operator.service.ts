import type { Database } from '@site/platform/database/connect';
import type { UserRow } from '@site/platform/database/tables';
import { hash, verify } from '@node-rs/argon2';
import { randomBytes } from 'node:crypto';
import { v7 as newUuid } from 'uuid';
import { recordAction } from '../audit/audit.repository.ts';
import {
  countOperators,
  deleteOperator,
  endSessions,
  findOperator,
  insertOperator,
  updatePassword,
} from './operator.repository.ts';

// OWASP's recommendation for argon2id, and the library's default: 19 MiB, two passes, one lane.
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

let decoy: Promise<string> | undefined;

/** Finds the operator with this name and password, or null. An unknown name takes as long as a wrong password. */
export async function checkPassword(db: Database, username: string, password: string): Promise<UserRow | null> {
  const operator = await findOperator(db, username);
  decoy ??= hash(randomBytes(16), ARGON2);
  const isRight = await verify(operator?.password ?? (await decoy), password);
  return operator && isRight ? operator : null;
}

/** Adds an operator. Returns false when the name is taken. */
export async function addOperator(db: Database, username: string, password: string): Promise<boolean> {
  const hashed = await hash(password, ARGON2);
  return db.transaction(async (trx) => {
    const isNew = await insertOperator(trx, { id: newUuid(), username, password: hashed });
    if (isNew) await recordUserChange(trx, 'user-add', username);
    return isNew;
  });
}

/** Sets a new password and ends all of the operator's sessions. Returns false if there is no such operator. */
export async function resetPassword(db: Database, username: string, password: string): Promise<boolean> {
  const hashed = await hash(password, ARGON2);
  return db.transaction(async (trx) => {
    const id = await updatePassword(trx, username, hashed);
    if (id !== null) {
      await endSessions(trx, id);
      await recordUserChange(trx, 'user-reset', username);
    }
    return id !== null;
  });
}

/** Removes an operator and ends all of their sessions. Returns false if there is no such operator. */
export async function removeOperator(db: Database, username: string): Promise<boolean> {
  return db.transaction(async (trx) => {
    const id = await deleteOperator(trx, username);
    if (id !== null) {
      await endSessions(trx, id);
      await recordUserChange(trx, 'user-remove', username);
    }
    return id !== null;
  });
}

/** Generates a password of 120 random bits. */
export function newPassword(): string {
  return randomBytes(15).toString('base64url');
}

/**
 * Creates the first operator if there is none, once however many processes start. Returns the login, or null if there
 * was one already.
 */
export async function seedOperator(
  db: Database,
  given: { username: string; password?: string | undefined },
): Promise<{ username: string; password: string } | null> {
  const password = given.password ?? newPassword();
  const hashed = await hash(password, ARGON2);
  return db.transaction(async (trx) => {
    await trx.raw(`select pg_advisory_xact_lock(hashtext('seed operator'))`);
    if ((await countOperators(trx)) > 0) return null;
    await insertOperator(trx, { id: newUuid(), username: given.username, password: hashed });
    await recordUserChange(trx, 'user-add', given.username);
    return { username: given.username, password };
  });
}

/** Operators are changed by commands, where nobody is signed in. */
async function recordUserChange(
  trx: Database,
  action: 'user-add' | 'user-reset' | 'user-remove',
  username: string,
): Promise<void> {
  await recordAction(trx, { operator: null, action, subject: username });
}
