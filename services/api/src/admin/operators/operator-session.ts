import type { Clock } from '@site/platform/clock';
import type { Database } from '@site/platform/database/connect';
import type { Request, RequestHandler } from 'express';
import { problem } from '../../http/problem.ts';
import { lockOperatorRow } from './operator.repository.ts';
import { findLiveSessions, isSessionThere, markReplaced } from './session.repository.ts';

declare module 'express-session' {
  interface SessionData {
    operator: { id: string; username: string };
    /** Milliseconds: when the operator signed in, and when this session id was issued. */
    startedAt: number;
    issuedAt: number;
    /** When a new id replaced this one. */
    replacedAt: number;
  }
}

/** The longest a session can last, even in use. An idle session ends sooner, with its cookie. */
const LONGEST_MS = 7 * 86_400_000;
/** A session id is replaced after this time, which limits the use of a stolen one. */
const ID_LASTS_MS = 3_600_000;
/** Calls already under way with the old id are still answered. */
const GRACE_MS = 60_000;

const asPromise = (call: (done: (error: unknown) => void) => void) =>
  new Promise<void>((resolve, reject) => {
    call((error) => (error ? reject(error instanceof Error ? error : new Error('session store failed')) : resolve()));
  });

/** Starts a session under a new id, so that an id planted before the login is worth nothing. */
export async function startSession(req: Request, operator: { id: string; username: string }, now: Date): Promise<void> {
  await asPromise((done) => req.session.regenerate(done));
  Object.assign(req.session, { operator, startedAt: now.getTime(), issuedAt: now.getTime() });
  await asPromise((done) => req.session.save(done));
}

export async function endSession(req: Request): Promise<void> {
  await asPromise((done) => req.session.destroy(done));
}

/** Refuses a call without an operator's session. Replaces the session id from time to time. */
export function requireOperator({ db, clock }: { db: Database; clock: Clock }): RequestHandler {
  return async (req, _res, next) => {
    const { operator, startedAt, issuedAt, replacedAt } = req.session;
    if (!operator) throw problem('login-required');
    const now = clock.now().getTime();
    const isOver = now - (startedAt ?? 0) > LONGEST_MS || (replacedAt !== undefined && now - replacedAt > GRACE_MS);
    if (isOver) {
      await endSession(req);
      throw problem('login-required');
    }
    if (now - (issuedAt ?? 0) > ID_LASTS_MS && replacedAt === undefined) await replaceId(db, req, now);
    next();
  };
}

/** Replaces the session id. Of simultaneous calls one does it; the others use the old id a little longer. */
async function replaceId(db: Database, req: Request, now: number): Promise<void> {
  const { operator, startedAt } = req.session;
  const oldId = req.sessionID;
  if (!operator || !(await markReplaced(db, oldId, now))) return;
  const isKnown = await db.transaction(async (trx) => {
    // A command that ends all sessions of an operator must also find the new one.
    if (!(await lockOperatorRow(trx, operator.id)) || !(await isSessionThere(trx, oldId))) return false;
    req.sessionStore.generate(req);
    Object.assign(req.session, { operator, startedAt, issuedAt: now });
    await asPromise((done) => req.session.save(done));
    return true;
  });
  if (isKnown) return;
  await endSession(req);
  throw problem('login-required');
}

/** Returns those of the session ids that are still valid. */
export async function keepLive(db: Database, clock: Clock, sids: string[]): Promise<Set<string>> {
  const now = clock.now().getTime();
  return findLiveSessions(db, sids, { startedAfter: now - LONGEST_MS, replacedAfter: now - GRACE_MS });
}

/** Returns the operator's name. Only behind `requireOperator`. */
export function operatorOf(req: Request): string {
  if (!req.session.operator) throw problem('login-required');
  return req.session.operator.username;
}
