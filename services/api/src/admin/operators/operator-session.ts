import type { Clock } from '@site/platform/process/clock';
import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { OperatorSessionRow } from '@site/platform/database/tables';
import type { Request, RequestHandler } from 'express';
import { randomUUID } from 'node:crypto';
import type { OperatorRole } from '@site/schema/calls/account';
import { problem } from '../../http/problem.ts';
import type { Guard } from '../../http/route.ts';
import type { ApiSettings } from '../../settings.ts';
import { lockOperator } from './operators.ts';

export type SignedIn = {
  id: string;
  username: string;
  role: OperatorRole;
  hasTwoStepLogin: boolean;
  /** The operator has a one-time password. */
  mustChangePassword: boolean;
  opensOverview: boolean;
};

type Session = Omit<OperatorSessionRow, 'sess' | 'expire'> & Omit<SignedIn, 'id'>;

/** The session that `requireOperator` found for a call. */
const sessions = new WeakMap<Request, Session>();

/** A session id is replaced after this time, which limits the use of a stolen one. */
const ID_LASTS_MS = 3_600_000;
/** Calls in progress with the old id are still answered. */
const GRACE_MS = 60_000;
/** A stolen session can refund, erase or export a person for this long. */
const CONFIRMED_MS = 15 * 60_000;
/** Uses closer together than this are recorded once. */
const RECORDED_EVERY_MS = 20_000;
/** The console sends it with background loading. */
const BACKGROUND_HEADER = 'X-Background';

export type SessionDeps = {
  db: Database;
  clock: Clock;
  settings: Pick<ApiSettings, 'sessionMs' | 'sessionIdleMs' | 'isTwoStepLoginRequired'>;
};

const asPromise = (call: (done: (error: unknown) => void) => void) =>
  new Promise<void>((resolve, reject) => {
    call((error) =>
      error
        ? reject(error instanceof Error ? error : new Error('session store failed'))
        : resolve(),
    );
  });

/** Starts a session under a new id, so that an id planted before the login is worthless. */
export async function startSession(
  { db, clock }: Pick<SessionDeps, 'db' | 'clock'>,
  req: Request,
  operatorId: string,
  browser: string | null,
): Promise<void> {
  const at = clock.now();
  await asPromise((done) => req.session.regenerate(done));
  await storeSession(db, req, {
    operatorId,
    login: randomUUID(),
    browser,
    startedAt: at,
    issuedAt: at,
    confirmedAt: at,
    usedAt: at,
    replacedAt: null,
    pendingTwoStepLogin: null,
  });
}

async function storeSession(
  trx: Database,
  { sessionID: sid, session: { cookie } }: Request,
  session: Omit<OperatorSessionRow, 'sid' | 'sess' | 'expire'>,
): Promise<void> {
  const sess = { cookie };
  await trx('operator_sessions').insert({ ...session, sid, sess, expire: cookie.expires });
}

/** Returns a session whose operator exists. */
export async function findSession(db: Database, sid: string): Promise<Session | undefined> {
  const [session] = await query<Session>(
    db,
    `select sid, operator_id, login, browser, started_at, issued_at, confirmed_at, used_at,
       replaced_at, pending_two_step_login, username, role, opens_overview,
       two_step_login is not null as has_two_step_login,
       password_ends_at is not null as must_change_password
     from operator_sessions join users on users.id = operator_id
     where sid = :sid`,
    { sid },
  );
  return session;
}

/** Records in the session, under each of its ids, that the operator gave the password or a code. */
export async function confirmSession(db: Database, req: Request, at: Date): Promise<void> {
  await changeSession(db, req, { confirmedAt: at });
}

/** Stores a two-step login that a code has yet to confirm, or null once it has. */
export async function storePending(
  db: Database,
  req: Request,
  sealed: string | null,
): Promise<void> {
  await changeSession(db, req, { pendingTwoStepLogin: sealed });
}

/** Changes the session. Throws 401 if it ended meanwhile. */
async function changeSession(
  db: Database,
  req: Request,
  change: Partial<OperatorSessionRow>,
): Promise<void> {
  const { login } = sessionOf(req);
  if ((await db('operator_sessions').where({ login }).update(change)) === 0)
    throw problem('login-required');
}

/**
 * Locks the caller until the transaction ends, so that nobody else changes or removes them. Throws
 * 401 if the session ended since the call began.
 */
export async function lockCaller(trx: Database, req: Request): Promise<void> {
  const { operatorId, login } = sessionOf(req);
  await lockOperator(trx, operatorId);
  if (!(await trx('operator_sessions').where({ login }).first('sid')))
    throw problem('login-required');
}

export async function endSession(req: Request): Promise<void> {
  await asPromise((done) => req.session.destroy(done));
}

/**
 * Refuses a call without an operator's session, with a one-time password, or without two-step login
 * if it is required (rule 4.1f). Refuses a viewer every call that is not declared for viewers. A
 * session ends after some hours, or sooner without use. A stream and background loading do not
 * count as use. Replaces the session id from time to time.
 */
export function requireOperator(deps: SessionDeps): Guard {
  const { db, clock, settings } = deps;
  return ({
    isForViewer = false,
    isBackground = false,
    isBeforeSetUp = false,
    needsConfirmation,
  } = {}): RequestHandler =>
    async (req, _res, next) => {
      const session = await findSession(db, req.sessionID);
      if (!session) throw problem('login-required');
      const now = clock.now();
      const since = (at: Date) => now.getTime() - at.getTime();
      const { usedAt, startedAt, issuedAt, replacedAt } = session;
      const isOver =
        since(usedAt) >= settings.sessionIdleMs ||
        since(startedAt) >= settings.sessionMs ||
        (replacedAt !== null && since(replacedAt) > GRACE_MS);
      if (isOver) {
        await endSession(req);
        throw problem('login-required');
      }
      sessions.set(req, session);
      const isUse = !isBackground && req.get(BACKGROUND_HEADER) === undefined;
      if (isUse && since(usedAt) >= RECORDED_EVERY_MS)
        await db('operator_sessions').where({ sid: req.sessionID }).update({ usedAt: now });
      if (since(issuedAt) > ID_LASTS_MS && replacedAt === null) await replaceId(db, req, now);
      if (session.mustChangePassword && !isBeforeSetUp) throw problem('password-one-time');
      if (settings.isTwoStepLoginRequired && !session.hasTwoStepLogin && !isBeforeSetUp) {
        throw problem('two-step-login-missing');
      }
      if (session.role !== 'owner' && !isForViewer) throw problem('viewer-refused');
      if (needsConfirmation !== undefined) requireConfirmation(deps, req, needsConfirmation);
      next();
    };
}

/** Refuses an operator who last gave the password or a code too long ago, and names the purpose. */
function requireConfirmation(
  { clock }: Pick<SessionDeps, 'clock'>,
  req: Request,
  purpose: string,
): void {
  if (clock.now().getTime() - sessionOf(req).confirmedAt.getTime() <= CONFIRMED_MS) return;
  const digits = sessionOf(req).hasTwoStepLogin ? ', or the six digits of your app,' : '';
  const detail =
    `To ${purpose}, enter your password${digits} again. ` +
    'The last time was over 15 minutes ago.';
  throw problem('confirmation-required', { detail });
}

/**
 * Replaces the session id. Only one of several simultaneous calls does it. The others use the old
 * id a little longer.
 */
async function replaceId(db: Database, req: Request, now: Date): Promise<void> {
  const { sid } = sessionOf(req);
  await db.transaction(async (trx) => {
    // A call that ends the operator's sessions must also find the new session.
    await lockCaller(trx, req);
    const [old] = await trx('operator_sessions')
      .where({ sid, replacedAt: null })
      .update({ replacedAt: now })
      .returning<OperatorSessionRow[]>('*');
    if (!old) return;
    req.sessionStore.generate(req);
    await storeSession(trx, req, { ...old, issuedAt: now, replacedAt: null });
  });
}

/** Selects the sessions that are still valid. */
function liveSessions({ db, clock, settings }: SessionDeps) {
  const before = (ms: number) => new Date(clock.now().getTime() - ms);
  return db('operator_sessions')
    .where('expire', '>', db.fn.now())
    .where('usedAt', '>', before(settings.sessionIdleMs))
    .where('startedAt', '>', before(settings.sessionMs))
    .whereRaw('coalesce(replaced_at > ?, true)', [before(GRACE_MS)]);
}

/** Returns the session ids that are still valid. */
export const keepLive = async (deps: SessionDeps, sids: string[]): Promise<Set<string>> =>
  new Set(await liveSessions(deps).whereIn('sid', sids).pluck<string[]>('sid'));

type OpenSession = Pick<Session, 'login' | 'startedAt' | 'usedAt' | 'browser'>;

/** Lists an operator's current logins, the latest first. */
export async function listSessions(deps: SessionDeps, operatorId: string): Promise<OpenSession[]> {
  return liveSessions(deps)
    .where({ operatorId })
    .groupBy('login')
    .select<OpenSession[]>(
      'login',
      deps.db.raw(
        'min(started_at) as started_at, max(used_at) as used_at, max(browser) as browser',
      ),
    )
    .orderBy('startedAt', 'desc');
}

/** Ends the session of one login, under all its ids. */
export async function endLogin(db: Database, operatorId: string, login: string): Promise<void> {
  await db('operator_sessions').where({ operatorId, login }).delete();
}

/** Returns the session of a call. Only behind `requireOperator`. */
export function sessionOf(req: Request): Session {
  const session = sessions.get(req);
  if (!session) throw problem('login-required');
  return session;
}

/** Returns the operator of a call. Only behind `requireOperator`. */
export function signedIn(req: Request): SignedIn {
  const session = sessionOf(req);
  return { ...session, id: session.operatorId };
}

/** Returns the operator's name. Only behind `requireOperator`. */
export function operatorOf(req: Request): string {
  return sessionOf(req).username;
}

/** Returns an operator's name, role, first view, and what they must do before anything else. */
export const toOperatorAnswer = (
  { username, role, opensOverview, hasTwoStepLogin, mustChangePassword }: Omit<SignedIn, 'id'>,
  { isTwoStepLoginRequired }: Pick<ApiSettings, 'isTwoStepLoginRequired'>,
) => ({
  username,
  ...(role === 'viewer' && { isViewer: true as const }),
  ...(opensOverview && { opensOverview: true as const }),
  ...(mustChangePassword && { mustChangePassword: true as const }),
  ...(isTwoStepLoginRequired && !hasTwoStepLogin && { mustSetUpTwoStepLogin: true as const }),
});
