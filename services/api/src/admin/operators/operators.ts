import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import type { UserRow } from '@site/platform/database/tables';
import type { OperatorRole } from '@site/schema/calls/account';
import { hash, verify } from '@node-rs/argon2';
import { createHash, randomBytes } from 'node:crypto';
import { v7 as newUuid } from 'uuid';
import { foldReadings, recordAction } from '../../audit/audit.repository.ts';
import { removeTwoStepLogin } from './two-step-login.ts';
import { storeNotice } from './security-notice.ts';
import type { NoticeDeps } from './security-notice.ts';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

// OWASP's recommendation for argon2id, and the library's default: 19 MiB, two passes, one lane.
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

let decoy: Promise<string> | undefined;

/**
 * Returns true if this is the operator's password. Without an operator it takes the same time and
 * returns false.
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

/** Generates a password of 120 random bits. */
export function newPassword(): string {
  return randomBytes(15).toString('base64url');
}

/**
 * Matches a username with the database's case folding, as the unique index and the limit of failed
 * logins do.
 */
const named = (db: Database, username: string) =>
  db<UserRow>('users').whereRaw('lower(username collate "C") = lower(? collate "C")', [username]);

export async function findOperatorById(db: Database, id: string): Promise<UserRow | undefined> {
  return db<UserRow>('users').where({ id }).first();
}

/** Finds the operator with a name, and the key under which its failed logins count. */
export async function findAccount(
  db: Database,
  username: string,
): Promise<{ account: string; operator: UserRow | undefined }> {
  const operator = await named(db, username).first();
  if (operator) return { account: operator.id, operator };
  const { folded } = await queryOne<{ folded: string }>(
    db,
    'select lower(:username collate "C") as folded',
    { username },
  );
  // An unknown name may be a mistyped password, so only its hash is stored.
  return { account: createHash('sha256').update(folded).digest('hex'), operator };
}

/**
 * Locks an operator until the transaction ends, so that a new password, two-step login or a removal
 * waits. Returns false if the operator is gone, or another of these is theirs by now.
 */
export async function lockOperatorRow(
  trx: Database,
  { id, password, twoStepLogin }: Pick<UserRow, 'id' | 'password' | 'twoStepLogin'>,
): Promise<boolean> {
  const operator = await trx<UserRow>('users').where({ id }).forShare().first();
  return operator?.password === password && operator.twoStepLogin === twoStepLogin;
}

/** Prevents an operator from getting a session until the transaction ends. */
export async function lockOperator(trx: Database, id: string): Promise<void> {
  await trx('users').where({ id }).forUpdate().first('id');
}

export async function countOperators(db: Database): Promise<number> {
  const [row] = await db('users').count<{ count: number }[]>();
  return row?.count ?? 0;
}

/** Ends an operator's sessions, or all but one login's, and forgets the browsers that signed in. */
export async function endSessions(
  db: Database,
  operatorId: string,
  exceptLogin?: string,
): Promise<void> {
  const sessions = db('operator_sessions').where({ operatorId });
  if (exceptLogin !== undefined) void sessions.whereNot({ login: exceptLogin });
  await sessions.delete();
  await db('users').where({ id: operatorId }).increment('browserEpoch');
}

/** Adds an operator. Returns false when the name is taken. */
export async function addOperator(
  db: Database,
  username: string,
  password: string,
): Promise<boolean> {
  return (await storeOperator(db, username, await hashPassword(password))) !== null;
}

/**
 * Adds an operator with a hashed password, which a colleague's addition ends. Returns the new id,
 * or null when the name is taken.
 */
export async function storeOperator(
  db: Database,
  username: string,
  password: string,
  colleague?: { operator: string; role: OperatorRole; passwordEndsAt: Date },
): Promise<string | null> {
  return db.transaction(async (trx) => {
    const { operator, ...given } = colleague ?? { operator: null };
    const [inserted] = await trx('users')
      .insert({ id: newUuid(), username, password, ...given })
      .onConflict(trx.raw('(lower(username collate "C"))'))
      .ignore()
      .returning<{ id: string }[]>('id');
    if (!inserted) return null;
    await recordAction(trx, { operator, action: 'user-add', subject: username });
    return inserted.id;
  });
}

/** An operator as colleagues and the command list them. */
export type ListedOperator = Pick<
  UserRow,
  'id' | 'username' | 'role' | 'createdAt' | 'twoStepLogin' | 'passwordEndsAt'
> & { lastLoginAt: Date | null };

/** Lists the operators by name. */
export const listOperators = (db: Database): Promise<ListedOperator[]> =>
  query<ListedOperator>(
    db,
    `select id, username, role, created_at, two_step_login, password_ends_at, (
         select max(at) from logins
         where account = users.id::text and outcome = 'succeeded') as last_login_at
     from users
     order by lower(username collate "C")`,
  );

/**
 * Creates the first operator if no operator exists, even if several processes start at once.
 * Returns the login, or null if an operator existed.
 */
export async function seedOperator(
  db: Database,
  { username, password = newPassword() }: { username: string; password?: string | undefined },
): Promise<{ username: string; password: string } | null> {
  const hashed = await hashPassword(password);
  return db.transaction(async (trx) => {
    await trx.raw(`select pg_advisory_xact_lock(hashtext('seed operator'))`);
    if ((await countOperators(trx)) > 0) return null;
    await storeOperator(trx, username, hashed);
    return { username, password };
  });
}

/**
 * Lets an operator in again: sets a new password, removes two-step login, forgets failed logins and
 * ends all their sessions. Returns false for an unknown operator.
 */
export async function resetPassword(
  db: Database,
  username: string,
  password: string,
  notices?: NoticeDeps,
): Promise<boolean> {
  const hashed = await hashPassword(password);
  return db.transaction(async (trx) => {
    const { id } = (await named(trx, username).first('id')) ?? {};
    if (id === undefined) return false;
    await replacePassword(trx, id, hashed, null);
    await removeTwoStepLogin(trx, id);
    await recordAction(trx, { operator: null, action: 'user-reset', subject: username });
    if (notices) await storeNotice(trx, notices, 'user-reset', username);
    return true;
  });
}

/**
 * Gives a colleague a new one-time password, hashed: forgets failed logins and ends all their
 * sessions. Two-step login stays. Returns their name, or null if there is no such operator.
 */
export async function renewPassword(
  trx: Database,
  id: string,
  password: string,
  by: { operator: string; passwordEndsAt: Date },
): Promise<string | null> {
  // Two operators may do this to each other at once.
  await trx.raw('lock table users in share row exclusive mode');
  const colleague = await replacePassword(trx, id, password, by.passwordEndsAt);
  if (!colleague) return null;
  const { username: subject } = colleague;
  await recordAction(trx, { operator: by.operator, action: 'user-password', subject });
  return subject;
}

async function replacePassword(
  trx: Database,
  id: string,
  password: string,
  passwordEndsAt: Date | null,
): Promise<Pick<UserRow, 'username'> | undefined> {
  const [operator] = await trx('users')
    .where({ id })
    .update({ password, passwordEndsAt })
    .returning<Pick<UserRow, 'username'>[]>('username');
  await trx('logins').where({ account: id, outcome: 'failed' }).update({ counts: false });
  await endSessions(trx, id);
  return operator;
}

/**
 * Removes an operator and ends all of their sessions, unless no owner would be left.
 * `by` is the colleague who does it.
 */
export async function removeOperator(
  db: Database,
  username: string,
  by: string | null = null,
): Promise<'removed' | 'unknown' | 'last'> {
  return db.transaction(async (trx) => {
    // Two commands must not remove the last two operators at once.
    await trx.raw('lock table users in share row exclusive mode');
    const operator = await named(trx, username).first();
    if (!operator) return 'unknown';
    const owners = await trx('users').where({ role: 'owner' }).select('id');
    if (operator.role === 'owner' && owners.length === 1) return 'last';
    await foldReadings(trx, operator.username);
    // Their sessions go with the row.
    await trx('users').where({ id: operator.id }).delete();
    await recordAction(trx, { operator: by, action: 'user-remove', subject: operator.username });
    return 'removed';
  });
}

/** Several spaces in a row count as one. */
const MIN_PASSWORD = 12;
/** Powers of ten. With fewer guesses, a thief of the hash finds the password in minutes. */
const MIN_GUESSES_LOG10 = 9;
/** A longer text is not easier to guess, but takes long to estimate. */
const MAX_ESTIMATED = 64;

/** Well-known passphrases, whose words an estimate takes for random. */
const KNOWN = [
  'correcthorsebatterystaple',
  'thequickbrownfox',
  'tobeornottobe',
  'maytheforcebewithyou',
  'neverguessme',
];
/** Words that an attacker of this site tries first. */
const OURS = ['newsletter', 'liquidation', 'ledger', 'leads', 'beehiiv', 'stripe'];

let estimator: ZxcvbnFactory | undefined;

/**
 * Returns the error of a new password, as a sentence without its full stop, or null. Estimates the
 * necessary guesses, with lists of leaked passwords, words, names and rows of keys.
 */
export function findPasswordError(password: string, username: string): string | null {
  if (Array.from(password.replaceAll(/ +/g, ' ')).length < MIN_PASSWORD)
    return `Use at least ${MIN_PASSWORD} characters`;
  const plain = password.toLowerCase().replaceAll(/[^\p{Letter}\p{Number}]/gu, '');
  estimator ??= new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
  const { guessesLog10 } = estimator.check(password.slice(0, MAX_ESTIMATED), [username, ...OURS]);
  return guessesLog10 < MIN_GUESSES_LOG10 || KNOWN.some((known) => plain.includes(known))
    ? 'This password is easy to guess: it is made of common words, names or rows of keys. ' +
        'Choose another'
    : null;
}

/** Stores the password that an operator chose, hashed. */
export const setPassword = (trx: Database, id: string, password: string) =>
  trx('users').where({ id }).update({ password, passwordEndsAt: null });

/** Stores whether an operator's next login opens Overview instead of Leads. */
export const setOpeningView = (trx: Database, id: string, opensOverview: boolean) =>
  trx('users').where({ id }).update({ opensOverview });
