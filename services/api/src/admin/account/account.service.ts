// Changes that operators make to their own account. Before: account.routes.ts. Next: ../operators.
import type { UserRow } from '@site/platform/database/tables';
import type { CallBody, CallSent } from '@site/schema/calls/calls';
import { OFFER } from '@site/schema/offer';
import type { Request } from 'express';
import { generateURI } from 'otplib';
import type { AppDeps } from '../../app-deps.ts';
import { recordAction } from '../../audit/audit.repository.ts';
import { clientKey } from '../../http/client.ts';
import { fieldProblem, problem } from '../../http/problem.ts';
import { readBrowser } from '../operators/browser.ts';
import { listSignIns, recordFailure, refuseWaiting } from '../operators/login-limit.ts';
import type { InTurn } from '../operators/login-limit.ts';
import {
  confirmSession,
  endLogin,
  listSessions,
  lockCaller,
  sessionOf,
  signedIn,
  storePending,
} from '../operators/operator-session.ts';
import {
  checkPassword,
  endSessions,
  findOperatorById,
  findPasswordError,
  hashPassword,
  setOpeningView,
  setPassword,
} from '../operators/operators.ts';
import {
  checkTwoStepLogin,
  confirmTwoStepLogin,
  newTwoStepLogin,
  removeTwoStepLogin,
  renewRecoveryCodes,
} from '../operators/two-step-login.ts';
import { storeNotice } from '../operators/security-notice.ts';
import type { Notice } from '../operators/security-notice.ts';

export type AccountDeps = Pick<AppDeps, 'db' | 'clock' | 'settings'> & { inTurn: InTurn };
type Proof = { password: string } | { code: string };

export async function readAccount(
  deps: AccountDeps,
  req: Request,
): Promise<CallSent<'GET /api/admin/account'>> {
  const { id } = signedIn(req);
  const [operator, sessions, signIns] = await Promise.all([
    findOperatorById(deps.db, id),
    listSessions(deps, id),
    listSignIns(deps.db, id),
  ]);
  return {
    twoStepLogin: {
      isOn: (operator?.twoStepLogin ?? null) !== null,
      isRequired: deps.settings.isTwoStepLoginRequired,
      recoveryCodesLeft: operator?.recoveryCodes.length ?? 0,
    },
    sessions: sessions.map(({ login, ...session }) => ({
      ...session,
      id: login,
      isThis: login === sessionOf(req).login,
    })),
    signIns,
  };
}

/**
 * Checks that the operator is at the keyboard, by password or two-step code, and records the time
 * in the session. Throws 403 for a wrong password or code, and 429 after five, so that a stolen
 * session cannot guess the password. Counts tries one after another, so that simultaneous tries are
 * no more than five.
 */
export function checkSelf(deps: AccountDeps, req: Request, proof: Proof): Promise<UserRow> {
  const { db, clock, inTurn } = deps;
  const { id } = signedIn(req);
  const source = { account: id, client: clientKey(req.ip), device: `account ${id}` };
  const browser = readBrowser(req.get('User-Agent'));
  return inTurn(`account page ${id}`, async () => {
    await refuseWaiting(db, source, browser, 'wrong passwords');
    const operator = await findOperatorById(db, id);
    const isRight =
      operator !== undefined &&
      ('password' in proof
        ? await checkPassword(operator, proof.password)
        : await checkTwoStepLogin(deps, operator, proof.code));
    if (!isRight) {
      await recordFailure(db, source, { browser, subject: null, isCode: 'code' in proof });
      throw problem('password-wrong');
    }
    await confirmSession(db, req, clock.now());
    return operator;
  });
}

/**
 * Changes an operator's access, with a record and an email to the owner. Ends the other sessions.
 */
function change<Result>(
  deps: AccountDeps,
  req: Request,
  action: Exclude<Notice, 'login' | `user-${string}` | `export-${string}`>,
  work: (trx: AppDeps['db']) => PromiseLike<Result>,
): Promise<Result> {
  const { operatorId, username, login } = sessionOf(req);
  return deps.db.transaction(async (trx) => {
    await lockCaller(trx, req);
    const result = await work(trx);
    // New recovery codes leave the other sessions as they are.
    if (action !== 'recovery-codes') await endSessions(trx, operatorId, login);
    await recordAction(trx, { operator: username, action });
    await storeNotice(trx, deps, action, username, req);
    return result;
  });
}

/** Ends every session of the operator, including a session being created, or all but this one. */
export async function signOut(
  { db }: AccountDeps,
  req: Request,
  action: 'sign-out-everywhere' | 'sign-out-others',
): Promise<void> {
  const { operatorId, username, login } = sessionOf(req);
  await db.transaction(async (trx) => {
    await lockCaller(trx, req);
    await endSessions(trx, operatorId, action === 'sign-out-others' ? login : undefined);
    await recordAction(trx, { operator: username, action });
  });
}

/** Sets a new password, which `checkSelf` of the current one allows. */
export async function changePassword(
  deps: AccountDeps,
  req: Request,
  { currentPassword, newPassword }: CallBody<'POST /api/admin/account/password'>,
): Promise<void> {
  const { id, username } = signedIn(req);
  const failure = findPasswordError(newPassword, username);
  if (failure !== null) throw fieldProblem('newPassword', failure);
  await checkSelf(deps, req, { password: currentPassword });
  if (newPassword === currentPassword)
    throw fieldProblem('newPassword', 'This is your current password');
  const password = await hashPassword(newPassword);
  await change(deps, req, 'password-change', (trx) => setPassword(trx, id, password));
}

/** Chooses the view that this operator's next login opens. */
export function chooseOpeningView(
  { db }: AccountDeps,
  req: Request,
  body: CallBody<'POST /api/admin/account/opening-view'>,
): Promise<void> {
  const { id, username } = signedIn(req);
  return db.transaction(async (trx) => {
    await lockCaller(trx, req);
    await setOpeningView(trx, id, body.view === 'overview');
    await recordAction(trx, { operator: username, action: 'opening-view', detail: body });
  });
}

/** Stores a new secret of two-step login, which counts only once a code of it is confirmed. */
export async function startTwoStepLogin(deps: AccountDeps, req: Request, proof: Proof) {
  const { username: label } = await checkSelf(deps, req, proof);
  const { sealed, secret } = newTwoStepLogin(deps.settings);
  await storePending(deps.db, req, sealed);
  return { otpauthUri: generateURI({ issuer: OFFER.productName, label, secret }), secret };
}

/** Turns two-step login on, and returns its recovery codes. Throws 400 for a wrong code. */
export function turnOnTwoStepLogin(deps: AccountDeps, req: Request, code: string) {
  const { operatorId, pendingTwoStepLogin: sealed } = sessionOf(req);
  if (sealed === null) throw fieldProblem('code', 'Begin again: there is nothing to confirm');
  return change(deps, req, 'two-step-login-on', async (trx) => {
    const codes = await confirmTwoStepLogin({ ...deps, db: trx }, operatorId, sealed, code);
    await storePending(trx, req, null);
    if (codes !== null) return codes;
    throw fieldProblem(
      'code',
      'This is not the current code. Check the time on your phone, then enter the next code',
    );
  });
}

/** Replaces the recovery codes. Leaves the other sessions as they are. */
export async function replaceRecoveryCodes(deps: AccountDeps, req: Request, proof: Proof) {
  const { id } = await checkSelf(deps, req, proof);
  return change(deps, req, 'recovery-codes', (trx) => renewRecoveryCodes(trx, id));
}

/** Turns two-step login off. Throws 409 where the settings require it. */
export async function turnOffTwoStepLogin(deps: AccountDeps, req: Request, proof: Proof) {
  if (deps.settings.isTwoStepLoginRequired) throw problem('two-step-login-stays');
  const { id } = await checkSelf(deps, req, proof);
  await change(deps, req, 'two-step-login-off', (trx) => removeTwoStepLogin(trx, id));
}

/** Ends one login of this operator, with all its sessions. */
export function endOwnLogin({ db }: AccountDeps, req: Request, login: string): Promise<void> {
  const { id, username } = signedIn(req);
  return db.transaction(async (trx) => {
    await lockCaller(trx, req);
    await endLogin(trx, id, login);
    await recordAction(trx, { operator: username, action: 'end-session' });
  });
}
