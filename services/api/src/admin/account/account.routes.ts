import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { operatorCookies } from '../../http/session.ts';
import { endSession } from '../operators/operator-session.ts';
import {
  confirmOperator,
  changeOwnPassword,
  confirmOwnSecondFactor,
  endOwnSession,
  readAccount,
  removeOwnSecondFactor,
  renewOwnRecoveryCodes,
  signOut,
  startSecondFactor,
} from './account.service.ts';
import type { AccountDeps } from './account.service.ts';

/** An operator's own account: password, second factor, sessions and the latest logins. */
export function accountRoutes(deps: AccountDeps): Route[] {
  const cookies = operatorCookies(deps.settings.publicUrl);
  return [
    route('POST /api/admin/confirm', async ({ body, req }) => {
      await confirmOperator(deps, req, body);
    }),
    route('GET /api/admin/account', ({ req }) => readAccount(deps, req)),
    route('POST /api/admin/account/password', async ({ body, req }) => {
      await changeOwnPassword(deps, req, body);
    }),
    route('POST /api/admin/account/second-factor/start', ({ body, req }) =>
      startSecondFactor(deps, req, body.password),
    ),
    route('POST /api/admin/account/second-factor/confirm', async ({ body, req }) => ({
      recoveryCodes: await confirmOwnSecondFactor(deps, req, body.code),
    })),
    route('POST /api/admin/account/second-factor/recovery-codes', async ({ body, req }) => ({
      recoveryCodes: await renewOwnRecoveryCodes(deps, req, body.password),
    })),
    route('POST /api/admin/account/second-factor/remove', async ({ body, req }) => {
      await removeOwnSecondFactor(deps, req, body.password);
    }),
    route('DELETE /api/admin/account/sessions/:id', ({ params, req }) =>
      endOwnSession(deps, req, params.id),
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
