import { operatorCookies } from '../../http/cookies.ts';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { endSession } from '../operators/operator-session.ts';
import {
  changePassword,
  checkSelf,
  chooseOpeningView,
  endOwnLogin,
  readAccount,
  replaceRecoveryCodes,
  signOut,
  startTwoStepLogin,
  turnOffTwoStepLogin,
  turnOnTwoStepLogin,
} from './account.service.ts';
import type { AccountDeps } from './account.service.ts';

/**
 * An operator's own account: password, two-step login, sessions and the latest logins. A changed
 * password or two-step login ends the other sessions.
 */
export function accountRoutes(deps: AccountDeps): Route[] {
  const cookies = operatorCookies(deps.settings.publicUrl);
  return [
    route('POST /api/admin/confirm', async ({ body, req }) => {
      await checkSelf(deps, req, body);
    }),
    route('GET /api/admin/account', ({ req }) => readAccount(deps, req)),
    route('POST /api/admin/account/password', ({ body, req }) => changePassword(deps, req, body)),
    route('POST /api/admin/account/opening-view', ({ body, req }) =>
      chooseOpeningView(deps, req, body),
    ),
    route('POST /api/admin/account/two-step-login/start', ({ body, req }) =>
      startTwoStepLogin(deps, req, body),
    ),
    route('POST /api/admin/account/two-step-login/confirm', async ({ body, req }) => ({
      recoveryCodes: await turnOnTwoStepLogin(deps, req, body.code),
    })),
    route('POST /api/admin/account/two-step-login/recovery-codes', async ({ body, req }) => ({
      recoveryCodes: await replaceRecoveryCodes(deps, req, body),
    })),
    route('POST /api/admin/account/two-step-login/remove', ({ body, req }) =>
      turnOffTwoStepLogin(deps, req, body),
    ),
    route('DELETE /api/admin/account/sessions/:id', ({ params, req }) =>
      endOwnLogin(deps, req, params.id),
    ),
    route('POST /api/admin/account/sign-out-others', ({ req }) =>
      signOut(deps, req, 'sign-out-others'),
    ),
    route('POST /api/admin/account/sign-out-everywhere', async ({ req, res }) => {
      await signOut(deps, req, 'sign-out-everywhere');
      await endSession(req);
      res.clearCookie(cookies.session, cookies.options);
    }),
  ];
}
