import { withoutUnstorable } from '@site/schema/text';
import type { AppDeps } from '../../app-deps.ts';
import { problem } from '../../http/problem.ts';
import { clientKey } from '../../http/client-network.ts';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { operatorCookies, readCookie, requireCookieScheme } from '../../http/session.ts';
import { recordAction } from '../../audit/audit.repository.ts';
import { describeBrowser } from './browser.ts';
import { checkCredentials, issueDevice } from './login.service.ts';
import type { InTurn } from './login.service.ts';
import { endLogin, endSession, startSession } from './operator-session.ts';
import { lockOperatorRow, lockOperator } from './operator.repository.ts';
import { storeNotice } from './security-notice.ts';

const DEVICE_LASTS_MS = 180 * 86_400_000;

/** Signing in and out: the console's only calls without a session. */
export function loginRoutes(
  deps: Pick<AppDeps, 'db' | 'clock' | 'settings'> & { inTurn: InTurn },
): Route[] {
  const { db, settings } = deps;
  const cookies = operatorCookies(settings.publicUrl);
  return [
    route('POST /api/admin/login', async ({ body, req, res }) => {
      requireCookieScheme(req, settings.publicUrl);
      const browser = describeBrowser(req.get('User-Agent'));
      const { operator, isKnown } = await checkCredentials(deps, {
        ...body,
        // Characters that no stored name can hold must not make another account.
        username: withoutUnstorable(body.username),
        client: clientKey(req.ip),
        deviceCookie: readCookie(req, cookies.device),
        browser,
      });
      const { id, username } = operator;
      const hasSecondFactor = operator.secondFactor !== null;
      await db.transaction(async (trx) => {
        // The password may have changed since it was checked.
        if (!(await lockOperatorRow(trx, id, operator.password))) throw problem('login-wrong');
        await recordAction(trx, { operator: username, action: 'login', detail: { browser } });
        await trx('logins').insert({
          outcome: 'succeeded',
          account: id,
          client: clientKey(req.ip),
          device: null,
          browser,
        });
        if (!isKnown) await storeNotice(trx, deps, 'login', username, req);
        await startSession({ ...deps, db: trx }, req, { id, username, hasSecondFactor }, browser);
      });
      res.cookie(cookies.device, issueDevice(settings, operator), {
        ...cookies.options,
        maxAge: DEVICE_LASTS_MS,
      });
      return {
        username,
        ...(settings.isSecondFactorRequired &&
          !hasSecondFactor && { mustSetUpSecondFactor: true as const }),
      };
    }),
    route('POST /api/admin/logout', async ({ req, res }) => {
      const { operator, login } = req.session;
      if (operator && login !== undefined) {
        await db.transaction(async (trx) => {
          await lockOperator(trx, operator.id);
          await endLogin(trx, operator.id, login);
          await recordAction(trx, { operator: operator.username, action: 'logout' });
        });
      }
      await endSession(req);
      res.clearCookie(cookies.session, cookies.options);
    }),
  ];
}
