import type { Clock } from '@site/platform/process/clock';
import type { Database } from '@site/platform/database/connect';
import type { UserRow } from '@site/platform/database/tables';
import { randomUUID } from 'node:crypto';
import { problem } from '../../http/problem.ts';
import type { ApiSettings } from '../../settings.ts';
import { recordAction } from '../../audit/audit.repository.ts';
import { readWait, recordFailure, recordRefusal } from './login.repository.ts';
import type { LoginSource } from './login.repository.ts';
import { findAccount } from './operator.repository.ts';
import { checkPassword } from './operator.service.ts';
import { sign, unsign } from './sealed-text.ts';
import { checkSecondFactor } from './second-factor.ts';

export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export type LoginDeps = {
  db: Database;
  clock: Clock;
  inTurn: InTurn;
  settings: Pick<ApiSettings, 'sessionSecrets'>;
};

export type Credentials = {
  username: string;
  password: string;
  code?: string | undefined;
  /** The client's key for limits. */
  client: string;
  deviceCookie: string | undefined;
  browser: string | null;
};

const DEVICE = 'device';

/**
 * Returns the device cookie (OWASP) of a browser that signed in, bound to the operator and revoked
 * with their sessions.
 */
export function issueDevice(
  { sessionSecrets }: LoginDeps['settings'],
  { id, browserEpoch }: UserRow,
): string {
  return sign(sessionSecrets, DEVICE, `${id}~${randomUUID()}~${browserEpoch}`);
}

function readDevice({ sessionSecrets }: LoginDeps['settings'], cookie: string | undefined) {
  const [operatorId, id, epoch = '0'] =
    cookie === undefined ? [] : (unsign(sessionSecrets, DEVICE, cookie)?.split('~') ?? []);
  return operatorId === undefined || id === undefined
    ? null
    : { operatorId, id, epoch: Number(epoch) };
}

/**
 * Returns the operator with these credentials, and whether this browser signed in as them before.
 * Throws 401 for wrong ones, or if a code of the second factor is needed. Throws 429 after five
 * failures in 15 minutes; a browser that signed in to the account before is counted on its own.
 */
export async function checkCredentials(
  deps: LoginDeps,
  given: Credentials,
): Promise<{ operator: UserRow; isKnown: boolean }> {
  const { db, inTurn, settings } = deps;
  const { username, client } = given;
  const device = readDevice(settings, given.deviceCookie);
  // Checking a password is slow. Simultaneous guesses run one after another, so that each counts
  // the earlier ones.
  return inTurn(device ? `device ${device.id}` : `client ${client}`, async () => {
    const { account, operator } = await findAccount(db, username);
    const isKnown =
      device !== null &&
      device.operatorId === operator?.id &&
      device.epoch === operator.browserEpoch;
    const source = { account, client, device: isKnown ? device.id : null };
    const check = async () => ({
      operator: await checkFrom(deps, source, given, operator),
      isKnown,
    });
    return isKnown ? check() : inTurn(`account ${account}`, check);
  });
}

async function checkFrom(
  deps: LoginDeps,
  source: LoginSource,
  { password, code, browser }: Credentials,
  operator: UserRow | undefined,
): Promise<UserRow> {
  await refuseWaiting(deps.db, source, browser, 'failed logins');
  const refuse = async (kind: 'login-wrong' | 'second-factor-wrong') => {
    await recordFailure(deps.db, source, browser);
    // An unknown name may be a password typed into the wrong field, so it is not recorded.
    const detail = { browser, ...(kind === 'second-factor-wrong' && { isCode: true }) };
    await recordAction(deps.db, {
      operator: null,
      action: 'login-failed',
      subject: operator?.username ?? null,
      detail,
    });
    return problem(kind);
  };
  const isRight = await checkPassword(operator, password);
  if (!operator || !isRight) throw await refuse('login-wrong');
  if (operator.secondFactor === null) return operator;
  if (code === undefined || code === '') throw problem('second-factor-needed');
  if (!(await checkSecondFactor(deps, operator, code))) throw await refuse('second-factor-wrong');
  return operator;
}

/** Throws 429 after too many failed attempts from this source. */
export async function refuseWaiting(
  db: Database,
  source: LoginSource,
  browser: string | null,
  failures: 'failed logins' | 'wrong passwords',
): Promise<void> {
  const waitSeconds = await readWait(db, source);
  if (waitSeconds <= 0) return;
  await recordRefusal(db, source, browser);
  throw problem('too-many-requests', {
    detail: `Too many ${failures}. Try again in ${Math.ceil(waitSeconds / 60)} minutes.`,
    retryAfterSeconds: waitSeconds,
  });
}

/** Runs work of the same key one after another, in this process. */
export function createTurns(): InTurn {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    const mine = before.then(work);
    const ended = mine.catch(() => undefined);
    last.set(key, ended);
    try {
      return await mine;
    } finally {
      if (last.get(key) === ended) last.delete(key);
    }
  };
}
