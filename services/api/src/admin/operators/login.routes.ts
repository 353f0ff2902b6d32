import type { Clock } from '@site/platform/clock';
import type { Database } from '@site/platform/database/connect';
import { loginBody, operatorAnswer } from '@site/schema/admin';
import { withoutUnstorable } from '@site/schema/text';
import type { Redis } from 'ioredis';
import { problem } from '../../http/problem.ts';
import { clientKey, createLimiter } from '../../http/rate-limit.ts';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { recordAction } from '../audit/audit.repository.ts';
import { startSession, endSession } from './operator-session.ts';
import { findOperator, lockOperatorRow, lockOperator } from './operator.repository.ts';
import { checkPassword } from './operator.service.ts';
import { endLogin } from './session.repository.ts';
import { createTurns } from './turns.ts';

/** Failed logins in 15 minutes, per account and per client address. The limit applies whatever the settings say. */
const FAILURES = { points: 5, perSeconds: 15 * 60 };

/** Signing in and out, the only calls of the console that need no session. */
export function loginRoutes(deps: { db: Database; clock: Clock; redis: Redis; limitPrefix?: string }): Route[] {
  const byAccount = createLimiter(deps.redis, { name: 'login-account', ...FAILURES }, deps.limitPrefix);
  const byClient = createLimiter(deps.redis, { name: 'login-client', ...FAILURES }, deps.limitPrefix);
  // Checking a password is slow. Simultaneous guesses run one after another, so that each counts the ones before it.
  const inTurn = createTurns();
  return [
    route({
      call: 'POST /api/admin/login',
      id: 'logIn',
      summary: 'Sign in',
      isPublic: true,
      body: loginBody,
      answers: {
        200: {
          description: 'Signed in',
          schema: operatorAnswer,
          headers: { 'Set-Cookie': 'The session, for every later call of the console' },
        },
      },
      problems: ['login-wrong', 'too-many-requests'],
      async handle({ body, req, res }) {
        // Characters that no stored name can hold must not count as another account.
        const username = withoutUnstorable(body.username);
        const account = username.toLowerCase();
        const client = clientKey(req.ip);
        const operator = await inTurn(`client ${client}`, () =>
          inTurn(`account ${account}`, async () => {
            await byAccount.check(account);
            await byClient.check(client);
            const found = await checkPassword(deps.db, username, body.password);
            if (found) return found;
            await byAccount.spend(account);
            await byClient.spend(client);
            return null;
          }),
        );
        if (!operator) {
          // An unknown name may be a password typed into the wrong field, so it is not recorded.
          const known = await findOperator(deps.db, username);
          await recordAction(deps.db, { operator: null, action: 'login-failed', subject: known?.username ?? null });
          throw problem('login-wrong');
        }
        await deps.db.transaction(async (trx) => {
          // The password may have changed since it was checked.
          if (!(await lockOperatorRow(trx, operator.id, operator.password))) throw problem('login-wrong');
          await recordAction(trx, { operator: operator.username, action: 'login' });
          await startSession(req, { id: operator.id, username: operator.username }, deps.clock.now());
        });
        res.json({ username: operator.username });
      },
    }),
    route({
      call: 'POST /api/admin/logout',
      id: 'logOut',
      summary: 'Sign out',
      isPublic: true,
      answers: { 204: { description: 'The session is over' } },
      async handle({ req, res }) {
        const { operator, startedAt } = req.session;
        if (operator) {
          await deps.db.transaction(async (trx) => {
            await lockOperator(trx, operator.id);
            await endLogin(trx, operator.id, startedAt ?? 0);
            await recordAction(trx, { operator: operator.username, action: 'logout' });
          });
        }
        await endSession(req);
        res.clearCookie('operator', { path: '/api/admin' });
        res.status(204).end();
      },
    }),
  ];
}
