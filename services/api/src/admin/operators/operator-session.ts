import type { Clock } from '@site/platform/process/clock';
import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { Request, RequestHandler } from 'express';
import { randomUUID } from 'node:crypto';
import { problem } from '../../http/problem.ts';
import type { Guard } from '../../http/route.ts';
import type { ApiSettings } from '../../settings.ts';
import { lockOperatorRow } from './operators.ts';

export type SignedIn = {
  id: string;
  username: string;
  hasTwoStepLogin: boolean;
  /** The operator logged in with a one-time password. */
  mustChangePassword: boolean;
};

declare module 'express-session' {
  interface SessionData {
    operator: SignedIn;
    /** Identifies this login under each of its session ids. */
    login: string;
    /** Milliseconds: the time of the login, and the time this session id was issued. */
    startedAt: number;
    issuedAt: number;
    /** Milliseconds: the time the operator last gave the password or a code. */
    confirmedAt: number;
    /** The time at which a new id replaced this one. */
    replacedAt: number;
    browser: string | null;
    /** A two-step login not yet confirmed by a code, sealed. */
    pendingTwoStepLogin: string;
  }
}

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
  operator: SignedIn,
  browser: string | null,
): Promise<void> {
  const now = clock.now();
  await asPromise((done) => req.session.regenerate(done));
  const login = randomUUID();
  const at = now.getTime();
  Object.assign(req.session, {
    operator,
    login,
    browser,
    startedAt: at,
    issuedAt: at,
    confirmedAt: at,
  });
  await saveSession(req);
  await recordUse(db, req.sessionID, now);
}

export async function saveSession(req: Request): Promise<void> {
  await asPromise((done) => req.session.save(done));
}

export async function endSession(req: Request): Promise<void> {
  await asPromise((done) => req.session.destroy(done));
}

/**
 * Refuses a call without an operator's session, with a one-time password, or without two-step login
 * if it is required (rule 4.1f). A session ends after some hours, or sooner without use. A stream
 * and background loading do not count as use. Replaces the session id from time to time.
 */
export function requireOperator(deps: SessionDeps): Guard {
  const { db, clock, settings } = deps;
  return ({
    isBackground = false,
    isBeforeSetUp = false,
    needsConfirmation,
  } = {}): RequestHandler =>
    async (req, _res, next) => {
      const { operator, startedAt, issuedAt, replacedAt } = req.session;
      if (!operator) throw problem('login-required');
      const now = clock.now();
      const nowMs = now.getTime();
      const usedAt = await findLastUse(db, req.sessionID);
      const idleMs = usedAt === null ? Number.POSITIVE_INFINITY : nowMs - usedAt.getTime();
      const isOver =
        idleMs >= settings.sessionIdleMs ||
        nowMs - (startedAt ?? 0) >= settings.sessionMs ||
        (replacedAt !== undefined && nowMs - replacedAt > GRACE_MS);
      if (isOver) {
        await endSession(req);
        throw problem('login-required');
      }
      const isUse = !isBackground && req.get(BACKGROUND_HEADER) === undefined;
      if (isUse && idleMs >= RECORDED_EVERY_MS) await recordUse(db, req.sessionID, now);
      if (nowMs - (issuedAt ?? 0) > ID_LASTS_MS && replacedAt === undefined)
        await replaceId(db, req, now);
      if (operator.mustChangePassword && !isBeforeSetUp) throw problem('password-one-time');
      if (settings.isTwoStepLoginRequired && !operator.hasTwoStepLogin && !isBeforeSetUp) {
        throw problem('two-step-login-missing');
      }
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
  if (clock.now().getTime() - (req.session.confirmedAt ?? 0) <= CONFIRMED_MS) return;
  const digits = signedIn(req).hasTwoStepLogin ? ', or the six digits of your app,' : '';
  const detail =
    `To ${purpose}, enter your password${digits} again. ` +
    'The last time was over 15 minutes ago.';
  throw problem('confirmation-required', { detail });
}

/** Returns when the session was last used, or null if it is gone. */
async function findLastUse(db: Database, sid: string): Promise<Date | null> {
  const row = await db('operator_sessions')
    .where({ sid })
    .first<{ usedAt: Date } | undefined>('usedAt');
  return row?.usedAt ?? null;
}

/**
 * Records the use in a separate column, so that simultaneous calls do not overwrite each other's
 * data.
 */
async function recordUse(db: Database, sid: string, at: Date): Promise<void> {
  await db('operator_sessions').where({ sid }).update({ usedAt: at });
}

/**
 * Replaces the session id. Only one of several simultaneous calls does it. The others use the old
 * id a little longer.
 */
async function replaceId(db: Database, req: Request, now: Date): Promise<void> {
  const { operator, login, startedAt, confirmedAt, browser, pendingTwoStepLogin } = req.session;
  const oldId = req.sessionID;
  if (!operator) return;
  const replaced = await query(
    db,
    `update operator_sessions
     set sess = jsonb_set(sess::jsonb, '{replacedAt}', to_jsonb(:at::bigint))::json
     where sid = :oldId and sess->>'replacedAt' is null returning sid`,
    { oldId, at: now.getTime() },
  );
  if (replaced.length === 0) return;
  const isKnown = await db.transaction(async (trx) => {
    // A command that ends all of an operator's sessions must also find the new one.
    const usedAt = (await lockOperatorRow(trx, operator.id)) ? await findLastUse(trx, oldId) : null;
    if (usedAt === null) return false;
    req.sessionStore.generate(req);
    const kept = { operator, login, browser, pendingTwoStepLogin, startedAt, confirmedAt };
    Object.assign(req.session, { ...kept, issuedAt: now.getTime() });
    await saveSession(req);
    await recordUse(trx, req.sessionID, usedAt);
    return true;
  });
  if (isKnown) return;
  await endSession(req);
  throw problem('login-required');
}

/** Returns the times within which a session is valid. */
function liveTimes({ clock, settings }: SessionDeps) {
  const now = clock.now().getTime();
  return {
    startedAfter: now - settings.sessionMs,
    replacedAfter: now - GRACE_MS,
    usedAfter: new Date(now - settings.sessionIdleMs),
  };
}

/** Returns the session ids that are still valid. */
export async function keepLive(deps: SessionDeps, sids: string[]): Promise<Set<string>> {
  const rows = await query<{ sid: string }>(
    deps.db,
    `select sid
     from operator_sessions
     where sid = any(:sids) and expire > now() and used_at > :usedAfter
       and coalesce((sess->>'startedAt')::bigint, 0) > :startedAfter
       and coalesce((sess->>'replacedAt')::bigint > :replacedAfter, true)`,
    { sids, ...liveTimes(deps) },
  );
  return new Set(rows.map(({ sid }) => sid));
}

type OpenSession = { login: string; startedAt: number; usedAt: Date; browser: string | null };

/** Lists an operator's current logins, the latest first. */
export async function listSessions(deps: SessionDeps, operatorId: string): Promise<OpenSession[]> {
  return query<OpenSession>(
    deps.db,
    `select sess->>'login' as login, min((sess->>'startedAt')::bigint) as started_at,
       max(used_at) as used_at,
       max(sess->>'browser') as browser
     from operator_sessions
     where sess->'operator'->>'id' = :operatorId and expire > now() and used_at > :usedAfter
       and coalesce((sess->>'startedAt')::bigint, 0) > :startedAfter
       and coalesce((sess->>'replacedAt')::bigint > :replacedAfter, true)
     group by 1 order by started_at desc`,
    { operatorId, ...liveTimes(deps) },
  );
}

/** Ends the session of one login, under all its ids. */
export async function endLogin(db: Database, operatorId: string, login: string): Promise<void> {
  await db('operator_sessions')
    .whereRaw(`sess->'operator'->>'id' = ? and sess->>'login' = ?`, [operatorId, login])
    .delete();
}

/** Returns the operator of a call. Only behind `requireOperator`. */
export function signedIn(req: Request): SignedIn {
  if (!req.session.operator) throw problem('login-required');
  return req.session.operator;
}

/** Returns the operator's name. Only behind `requireOperator`. */
export function operatorOf(req: Request): string {
  return signedIn(req).username;
}

/** Returns what an operator must do before anything else. */
export const toDuties = (
  { hasTwoStepLogin, mustChangePassword }: SignedIn,
  { isTwoStepLoginRequired }: Pick<ApiSettings, 'isTwoStepLoginRequired'>,
) => ({
  ...(mustChangePassword && { mustChangePassword: true as const }),
  ...(isTwoStepLoginRequired && !hasTwoStepLogin && { mustSetUpTwoStepLogin: true as const }),
});
