import { ONE_TIME_HOURS } from '@site/schema/calls/account';
import type { AppDeps } from '../../app-deps.ts';
import { fieldProblem, problem } from '../../http/problem.ts';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { lockCaller, operatorOf, signedIn } from '../operators/operator-session.ts';
import {
  findOperatorById,
  hashPassword,
  listOperators,
  newPassword,
  removeOperator,
  renewPassword,
  storeOperator,
} from '../operators/operators.ts';
import { storeNotice } from '../operators/security-notice.ts';

const NO_OPERATOR = 'There is no such operator.';

/** Lists, adds and removes operators. A new operator, and one who lost their password, gets a
 * one-time password (rule 4.1f). */
export function colleagueRoutes(deps: Pick<AppDeps, 'db' | 'clock' | 'settings'>): Route[] {
  const { db, clock } = deps;
  const newOneTimePassword = async () => {
    const password = newPassword();
    const passwordEndsAt = new Date(clock.now().getTime() + ONE_TIME_HOURS * 3_600_000);
    return { password, hashed: await hashPassword(password), passwordEndsAt };
  };
  return [
    route('GET /api/admin/operators', async ({ req }) => {
      const self = signedIn(req).id;
      return {
        operators: (await listOperators(db)).map(({ twoStepLogin, ...operator }) => ({
          ...operator,
          hasTwoStepLogin: twoStepLogin !== null,
          isSelf: operator.id === self,
        })),
      };
    }),
    route('POST /api/admin/operators', async ({ body: { username, role }, req }) => {
      const operator = operatorOf(req);
      const { password, hashed, passwordEndsAt } = await newOneTimePassword();
      const id = await db.transaction(async (trx) => {
        const by = { operator, role, passwordEndsAt };
        const added = await storeOperator(trx, username, hashed, by);
        if (added === null) throw fieldProblem('username', 'There is an operator with this name');
        await storeNotice(trx, deps, 'user-add', operator, req, username);
        await lockCaller(trx, req);
        return added;
      });
      return { id, username, password, endsAt: passwordEndsAt };
    }),
    route('POST /api/admin/operators/:id/password', async ({ params: { id }, req }) => {
      const { id: self, username: operator } = signedIn(req);
      if (id === self) throw problem('own-login', { detail: 'Change your password instead.' });
      const { password, hashed, passwordEndsAt } = await newOneTimePassword();
      const username = await db.transaction(async (trx) => {
        const renewed = await renewPassword(trx, id, hashed, { operator, passwordEndsAt });
        if (renewed === null) throw problem('not-found', { detail: NO_OPERATOR });
        await lockCaller(trx, req);
        await storeNotice(trx, deps, 'user-password', operator, req, renewed);
        return renewed;
      });
      return { id, username, password, endsAt: passwordEndsAt };
    }),
    route('DELETE /api/admin/operators/:id', async ({ params: { id }, req }) => {
      const { id: self, username: operator } = signedIn(req);
      if (id === self) throw problem('own-login', { detail: 'Ask a colleague to remove you.' });
      await db.transaction(async (trx) => {
        const colleague = await findOperatorById(trx, id);
        if (!colleague) throw problem('not-found', { detail: NO_OPERATOR });
        const { username } = colleague;
        await removeOperator(trx, username, operator);
        // Two operators may have removed each other at once. The first one stays.
        await lockCaller(trx, req);
        await storeNotice(trx, deps, 'user-remove', operator, req, username);
      });
    }),
  ];
}
