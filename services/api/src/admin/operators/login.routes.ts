import type { UserRow } from '@site/platform/database/tables';
import { withoutUnstorable } from '@site/schema/text';
import type { LoginBody } from '@site/schema/calls/account';
import type { Request } from 'express';
import { randomUUID } from 'node:crypto';
import type { AppDeps } from '../../app-deps.ts';
import { recordAction } from '../../audit/audit.repository.ts';
import { clientKey } from '../../http/client.ts';
import { readBrowser } from './browser.ts';
import { problem } from '../../http/problem.ts';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { operatorCookies, readCookie, requireCookieScheme } from '../../http/cookies.ts';
import { recordFailure, recordLogin, refuseWaiting } from './login-limit.ts';
import type { InTurn, LoginSource } from './login-limit.ts';
import {
  endLogin,
  endSession,
  findSession,
  startSession,
  toOperatorAnswer,
} from './operator-session.ts';
import { checkPassword, findAccount, lockOperator, lockOperatorRow } from './operators.ts';
import { seal, unseal } from './sealed-text.ts';
import { checkTwoStepLogin } from './two-step-login.ts';
import { storeNotice } from './security-notice.ts';

type LoginDeps = Pick<AppDeps, 'db' | 'clock' | 'settings'> & { inTurn: InTurn };

const DEVICE = 'device';
const DEVICE_LASTS_MS = 180 * 86_400_000;

/** Serves login and logout, the console's only calls without a session. */
export function loginRoutes(deps: LoginDeps): Route[] {
  const { db, settings } = deps;
  const cookies = operatorCookies(settings.publicUrl);
  return [
    route('POST /api/admin/login', async ({ body, req, res }) => {
      requireCookieScheme(req, settings.publicUrl);
      const browser = readBrowser(req.get('User-Agent'));
      const client = clientKey(req.ip);
      const { operator, isKnown } = await checkCredentials(deps, req, body);
      const { id, username, browserEpoch } = operator;
      const signedIn = {
        username,
        role: operator.role,
        opensOverview: operator.opensOverview,
        hasTwoStepLogin: operator.twoStepLogin !== null,
        mustChangePassword: operator.passwordEndsAt !== null,
      };
      await db.transaction(async (trx) => {
        // The password or two-step login may have changed since they were checked.
        if (!(await lockOperatorRow(trx, operator))) throw problem('login-wrong');
        const login = { operator: username, account: id, client, browser };
        await recordLogin(trx, login);
        if (!isKnown) await storeNotice(trx, deps, 'login', username, req);
        await startSession({ ...deps, db: trx }, req, id, browser);
      });
      // OWASP's device cookie, bound to the operator and revoked with their sessions.
      const device = JSON.stringify([id, randomUUID(), browserEpoch]);
      res.cookie(cookies.device, seal(settings.sessionSecrets, DEVICE, device), {
        ...cookies.options,
        maxAge: DEVICE_LASTS_MS,
      });
      return toOperatorAnswer(signedIn, settings);
    }),
    route('POST /api/admin/logout', async ({ req, res }) => {
      const session = await findSession(db, req.sessionID);
      if (session) {
        const { operatorId, login, username } = session;
        await db.transaction(async (trx) => {
          await lockOperator(trx, operatorId);
          await endLogin(trx, operatorId, login);
          await recordAction(trx, { operator: username, action: 'logout' });
        });
      }
      await endSession(req);
      res.clearCookie(cookies.session, cookies.options);
    }),
  ];
}

/** Returns the id of a browser that signed in before, its operator, and the epoch at that time. */
function readDevice({ settings }: LoginDeps, req: Request): [string, string, number] | null {
  const cookie = readCookie(req, operatorCookies(settings.publicUrl).device);
  const device = cookie === undefined ? null : unseal(settings.sessionSecrets, DEVICE, cookie);
  return device === null ? null : JSON.parse(device);
}

/**
 * Returns the operator with these credentials, and whether this browser signed in as them before.
 * Throws 401 for wrong credentials, or if a two-step code is needed. Throws 429 after five failures
 * in 15 minutes. A browser that signed in to the account before is counted separately.
 */
async function checkCredentials(
  deps: LoginDeps,
  req: Request,
  body: LoginBody,
): Promise<{ operator: UserRow; isKnown: boolean }> {
  const { db, inTurn } = deps;
  const client = clientKey(req.ip);
  const [ownerId, deviceId, epoch] = readDevice(deps, req) ?? [];
  // Checking a password is slow. Simultaneous guesses run one after another, so that each counts
  // the earlier guesses.
  return inTurn(deviceId ? `device ${deviceId}` : `client ${client}`, async () => {
    // Characters that no stored name has must not make another account.
    const { account, operator } = await findAccount(db, withoutUnstorable(body.username));
    const isKnown =
      operator !== undefined && ownerId === operator.id && epoch === operator.browserEpoch;
    const source = { account, client, device: isKnown ? (deviceId ?? null) : null };
    const check = async () => ({
      operator: await checkFrom(deps, source, req, body, operator),
      isKnown,
    });
    return isKnown ? check() : inTurn(`account ${account}`, check);
  });
}

async function checkFrom(
  deps: LoginDeps,
  source: LoginSource,
  req: Request,
  { password, code }: LoginBody,
  operator: UserRow | undefined,
): Promise<UserRow> {
  const browser = readBrowser(req.get('User-Agent'));
  await refuseWaiting(deps.db, source, browser, 'failed logins');
  const refuse = async (kind: 'login-wrong' | 'two-step-login-wrong') => {
    // An unknown name may be a mistyped password, so it is not recorded.
    const subject = operator?.username ?? null;
    await recordFailure(deps.db, source, {
      browser,
      subject,
      isCode: kind === 'two-step-login-wrong',
    });
    return problem(kind);
  };
  const isRight = await checkPassword(operator, password);
  const endsAt = operator?.passwordEndsAt ?? null;
  const isOver = endsAt !== null && endsAt <= deps.clock.now();
  if (!operator || !isRight || isOver) throw await refuse('login-wrong');
  if (operator.twoStepLogin === null) return operator;
  if (code === undefined || code === '') throw problem('two-step-login-needed');
  if (!(await checkTwoStepLogin(deps, operator, code))) throw await refuse('two-step-login-wrong');
  return operator;
}
