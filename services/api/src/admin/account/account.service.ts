import type { SecondFactorAnswer } from '@site/schema/calls/account';
import type { CallSent } from '@site/schema/calls/calls';
import { OFFER } from '@site/schema/offer';
import type { UserRow } from '@site/platform/database/tables';
import type { Request } from 'express';
import { generateURI } from 'otplib';
import type { AppDeps } from '../../app-deps.ts';
import { problem } from '../../http/problem.ts';
import { clientKey } from '../../http/client-network.ts';
import { recordAction } from '../../audit/audit.repository.ts';
import { listSignIns } from '../operators/login.repository.ts';
import { describeBrowser } from '../operators/browser.ts';
import { recordFailure } from '../operators/login.repository.ts';
import { endLogin, listSessions, saveSession, signedIn } from '../operators/operator-session.ts';
import { endSessions, findOperatorById, lockOperator } from '../operators/operator.repository.ts';
import { changePassword, checkPassword } from '../operators/operator.service.ts';
import { findPasswordFault } from '../operators/password-fault.ts';
import { refuseWaiting } from '../operators/login.service.ts';
import type { InTurn } from '../operators/login.service.ts';
import {
  checkSecondFactor,
  confirmSecondFactor,
  newSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
} from '../operators/second-factor.ts';
import { storeNotice } from '../operators/security-notice.ts';

export type AccountDeps = Pick<AppDeps, 'db' | 'clock' | 'settings'> & { inTurn: InTurn };

const SIGN_INS_SHOWN = 10;

const fieldFault = (field: string, message: string) =>
  problem('fields-invalid', { detail: message, errors: [{ field, message }] });

export async function readAccount(
  deps: AccountDeps,
  req: Request,
): Promise<CallSent<'GET /api/admin/account'>> {
  const { id, username } = signedIn(req);
  const [operator, sessions, signIns] = await Promise.all([
    findOperatorById(deps.db, id),
    listSessions(deps, id),
    listSignIns(deps.db, id, SIGN_INS_SHOWN),
  ]);
  return {
    username,
    secondFactor: {
      isOn: (operator?.secondFactor ?? null) !== null,
      isRequired: deps.settings.isSecondFactorRequired,
      recoveryCodesLeft: operator?.recoveryCodes.length ?? 0,
    },
    sessions: sessions.map(({ login, startedAt, usedAt, browser }) => ({
      id: login,
      startedAt: new Date(startedAt),
      usedAt,
      browser,
      isThis: login === req.session.login,
    })),
    signIns,
  };
}

/**
 * Checks the password of the signed-in operator. Throws 403 for a wrong one, and 429 after five:
 * somebody with a stolen session must not find the password with it.
 */
function checkOwnPassword(deps: AccountDeps, req: Request, password: string): Promise<UserRow> {
  return checkSelf(deps, req, (operator) => checkPassword(operator, password));
}

/**
 * Records that the operator is at the keyboard. Counts one try after another, so that simultaneous
 * ones are no more than five.
 */
function checkSelf(
  { db, clock, inTurn }: AccountDeps,
  req: Request,
  isRight: (operator: UserRow) => Promise<boolean>,
): Promise<UserRow> {
  const { id } = signedIn(req);
  const source = { account: id, client: clientKey(req.ip), device: `account ${id}` };
  const browser = describeBrowser(req.get('User-Agent'));
  return inTurn(`account page ${id}`, async () => {
    await refuseWaiting(db, source, browser, 'wrong passwords');
    const operator = await findOperatorById(db, id);
    if (!operator || !(await isRight(operator))) {
      await recordFailure(db, source, browser);
      throw problem('password-wrong');
    }
    req.session.confirmedAt = clock.now().getTime();
    await saveSession(req);
    return operator;
  });
}

/**
 * Confirms that the operator is at the keyboard, by password or by a code of the second factor.
 * Throws like `checkOwnPassword`.
 */
export async function confirmOperator(
  deps: AccountDeps,
  req: Request,
  proof: { password: string } | { code: string },
): Promise<void> {
  if ('password' in proof) await checkOwnPassword(deps, req, proof.password);
  else await checkSelf(deps, req, (operator) => checkSecondFactor(deps, operator, proof.code));
}

/** Changes the operator's password and ends their other sessions. Throws 422 for a weak one. */
export async function changeOwnPassword(
  deps: AccountDeps,
  req: Request,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
): Promise<void> {
  const operator = signedIn(req);
  const fault = findPasswordFault(newPassword, operator.username);
  if (fault !== null) throw fieldFault('newPassword', fault);
  await checkOwnPassword(deps, req, currentPassword);
  if (newPassword === currentPassword)
    throw fieldFault('newPassword', 'This is your current password.');
  await changePassword(deps, req, operator, newPassword);
}

/** Prepares a second factor, which the session keeps until a code confirms it. */
export async function startSecondFactor(
  deps: AccountDeps,
  req: Request,
  password: string,
): Promise<SecondFactorAnswer> {
  const { username } = await checkOwnPassword(deps, req, password);
  const { sealed, secret } = newSecondFactor(deps.settings);
  req.session.pendingSecondFactor = sealed;
  await saveSession(req);
  return {
    otpauthUri: generateURI({ issuer: OFFER.productName, label: username, secret }),
    secret,
  };
}

/** Turns the prepared second factor on and ends the other sessions. Returns the recovery codes. Throws 422 for a wrong code. */
export async function confirmOwnSecondFactor(
  deps: AccountDeps,
  req: Request,
  code: string,
): Promise<string[]> {
  const operator = signedIn(req);
  const { pendingSecondFactor, login } = req.session;
  if (pendingSecondFactor === undefined)
    throw fieldFault('code', 'Begin again: there is nothing to confirm.');
  const recoveryCodes = await deps.db.transaction(async (trx) => {
    await lockOperator(trx, operator.id);
    const codes = await confirmSecondFactor(
      { ...deps, db: trx },
      operator.id,
      pendingSecondFactor,
      code,
    );
    if (codes === null) return null;
    await endSessions(trx, operator.id, login);
    await recordAction(trx, { operator: operator.username, action: 'second-factor-on' });
    await storeNotice(trx, deps, 'second-factor-on', operator.username, req);
    return codes;
  });
  if (recoveryCodes === null) {
    throw fieldFault(
      'code',
      'This is not the current code. Check the time on your phone, then enter the next code.',
    );
  }
  req.session.operator = { ...operator, hasSecondFactor: true };
  delete req.session.pendingSecondFactor;
  await saveSession(req);
  return recoveryCodes;
}

export async function renewOwnRecoveryCodes(
  deps: AccountDeps,
  req: Request,
  password: string,
): Promise<string[]> {
  const { id, username } = await checkOwnPassword(deps, req, password);
  return deps.db.transaction(async (trx) => {
    await recordAction(trx, { operator: username, action: 'recovery-codes' });
    await storeNotice(trx, deps, 'recovery-codes', username, req);
    return renewRecoveryCodes(trx, id);
  });
}

/** Turns the second factor off. Throws 409 if every operator needs one. */
export async function removeOwnSecondFactor(
  deps: AccountDeps,
  req: Request,
  password: string,
): Promise<void> {
  if (deps.settings.isSecondFactorRequired) throw problem('second-factor-stays');
  const { id, username } = await checkOwnPassword(deps, req, password);
  await deps.db.transaction(async (trx) => {
    await removeSecondFactor(trx, id);
    await endSessions(trx, id, req.session.login);
    await recordAction(trx, { operator: username, action: 'second-factor-off' });
    await storeNotice(trx, deps, 'second-factor-off', username, req);
  });
  req.session.operator = { id, username, hasSecondFactor: false };
  await saveSession(req);
}

/** Ends one of the operator's sessions, under every id it had. */
export async function endOwnSession(
  { db }: Pick<AccountDeps, 'db'>,
  req: Request,
  login: string,
): Promise<void> {
  const { id, username } = signedIn(req);
  await db.transaction(async (trx) => {
    await lockOperator(trx, id);
    await endLogin(trx, id, login);
    await recordAction(trx, { operator: username, action: 'end-session' });
  });
}

/** Ends every session of the operator, including one that is being created, or all but this one. */
export async function signOut(
  { db }: AccountDeps,
  req: Request,
  action: 'sign-out-everywhere' | 'sign-out-others',
): Promise<void> {
  const { id, username } = signedIn(req);
  await db.transaction(async (trx) => {
    await lockOperator(trx, id);
    await endSessions(trx, id, action === 'sign-out-others' ? req.session.login : undefined);
    await recordAction(trx, { operator: username, action });
  });
}
