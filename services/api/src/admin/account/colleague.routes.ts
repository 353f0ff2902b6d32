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
  storeOperator,
} from '../operators/operators.ts';
import { storeNotice } from '../operators/security-notice.ts';

/** Lists, adds and removes operators. A new operator gets a one-time password (rule 4.1f). */
export function colleagueRoutes(deps: Pick<AppDeps, 'db' | 'clock' | 'settings'>): Route[] {
  const { db, clock } = deps;
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
    route('POST /api/admin/operators', async ({ body: { username }, req }) => {
      const operator = operatorOf(req);
      const password = newPassword();
      const hashed = await hashPassword(password);
      const passwordEndsAt = new Date(clock.now().getTime() + ONE_TIME_HOURS * 3_600_000);
      const id = await db.transaction(async (trx) => {
        const added = await storeOperator(trx, username, hashed, { operator, passwordEndsAt });
        if (added === null) throw fieldProblem('username', 'There is an operator with this name');
        await storeNotice(trx, deps, 'user-add', operator, req, username);
        await lockCaller(trx, req);
        return added;
      });
      return { id, username, password, endsAt: passwordEndsAt };
    }),
    route('DELETE /api/admin/operators/:id', async ({ params: { id }, req }) => {
      const { id: self, username: operator } = signedIn(req);
      if (id === self) throw problem('own-login', { detail: 'Ask a colleague to remove you.' });
      await db.transaction(async (trx) => {
        const colleague = await findOperatorById(trx, id);
        if (!colleague) throw problem('not-found', { detail: 'There is no such operator.' });
        const { username } = colleague;
        await removeOperator(trx, username, operator);
        // Two operators may have removed each other at once. The first one stays.
        await lockCaller(trx, req);
        await storeNotice(trx, deps, 'user-remove', operator, req, username);
      });
    }),
  ];
}
