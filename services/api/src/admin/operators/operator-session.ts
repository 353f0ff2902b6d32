import type { Clock } from '@site/platform/clock';
import type { Database } from '@site/platform/database/connect';
import type { Request, RequestHandler } from 'express';
import { problem } from '../../http/problem.ts';
import { lockOperatorRow } from './operator.repository.ts';
import { findLiveSessions, isSessionThere, markReplaced } from './session.repository.ts';

declare module 'express-session' {
  interface SessionData {
    operator: { id: string; username: string };
    /** Milliseconds: when the operator logged in, and when this session id was given out. */
    startedAt: number;
    issuedAt: number;
    /** This id has a successor since then. */
    replacedAt: number;
  }
}

/** However busy: after this the operator logs in again. Idle sessions end sooner, with their cookie. */
const LONGEST_MS = 7 * 86_400_000;
/** An id that somebody has copied is worth nothing after about this long. */
const ID_LASTS_MS = 3_600_000;
/** Calls that were under way with the old id are still answered. */
const GRACE_MS = 60_000;

const asPromise = (call: (done: (error: unknown) => void) => void) =>
  new Promise<void>((resolve, reject) => {
    call((error) => (error ? reject(error instanceof Error ? error : new Error('session store failed')) : resolve()));
  });

/** A new session id at every login, so that one planted before it is worth nothing. */
export async function startSession(req: Request, operator: { id: string; username: string }, now: Date): Promise<void> {
  await asPromise((done) => req.session.regenerate(done));
  Object.assign(req.session, { operator, startedAt: now.getTime(), issuedAt: now.getTime() });
  await asPromise((done) => req.session.save(done));
}

export async function endSession(req: Request): Promise<void> {
  await asPromise((done) => req.session.destroy(done));
}

/** Lets operators through, and nobody else; gives them a new session id from time to time. */
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

/** Of calls that come together one changes the id; the others go on with the old one for a while. */
async function replaceId(db: Database, req: Request, now: number): Promise<void> {
  const { operator, startedAt } = req.session;
  const oldId = req.sessionID;
  if (!operator || !(await markReplaced(db, oldId, now))) return;
  const isKnown = await db.transaction(async (trx) => {
    // Whoever ends all sessions meanwhile must find the new one among them.
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

/** Those of the session ids that still let somebody in. */
export async function keepLive(db: Database, clock: Clock, sids: string[]): Promise<Set<string>> {
  const now = clock.now().getTime();
  return findLiveSessions(db, sids, { startedAfter: now - LONGEST_MS, replacedAfter: now - GRACE_MS });
}

/** Who makes this call. Only behind `requireOperator`. */
export function operatorOf(req: Request): string {
  if (!req.session.operator) throw problem('login-required');
  return req.session.operator.username;
}
