import type { Clock } from '@site/platform/clock';
import type { Database } from '@site/platform/database/connect';
import { loginBody } from '@site/schema/admin';
import type { OperatorAnswer } from '@site/schema/admin';
import { Router } from 'express';
import type { Redis } from 'ioredis';
import { problem } from '../../http/problem.ts';
import { clientKey, createLimiter } from '../../http/rate-limit.ts';
import { parseBody } from '../../http/validate.ts';
import { recordAction } from '../audit/audit.repository.ts';
import { beginSession, endSession } from './operator-session.ts';
import { findOperator } from './operator.repository.ts';
import { checkPassword } from './operator.service.ts';

/** Failed logins a quarter of an hour, for an account and for an address. These stay limited whatever the settings say. */
const FAILURES = { points: 5, perSeconds: 15 * 60 };

/** Logging in and out, the only calls before the gate. */
export function loginRoutes(deps: { db: Database; clock: Clock; redis: Redis; limitPrefix?: string }): Router {
  const byAccount = createLimiter(deps.redis, { name: 'login-account', ...FAILURES }, deps.limitPrefix);
  const byClient = createLimiter(deps.redis, { name: 'login-client', ...FAILURES }, deps.limitPrefix);
  const router = Router();

  router.post('/login', async (req, res) => {
    const { username, password } = parseBody(loginBody, req);
    const account = username.toLowerCase();
    const client = clientKey(req.ip);
    await byAccount.check(account);
    await byClient.check(client);
    const operator = await checkPassword(deps.db, username, password);
    if (!operator) {
      await byAccount.spend(account);
      await byClient.spend(client);
      // A name that is nobody's may be a password typed into the wrong field: it is not kept.
      const known = await findOperator(deps.db, username);
      await recordAction(deps.db, { operator: null, action: 'login-failed', subject: known?.username ?? null });
      throw problem('login-wrong');
    }
    await beginSession(req, operator, deps.clock.now());
    await recordAction(deps.db, { operator: operator.username, action: 'login' });
    const answer: OperatorAnswer = { username: operator.username };
    res.json(answer);
  });

  router.post('/logout', async (req, res) => {
    const operator = req.session.operator?.username;
    await endSession(req);
    if (operator !== undefined) await recordAction(deps.db, { operator, action: 'logout' });
    res.clearCookie('operator', { path: '/api/admin' });
    res.status(204).end();
  });
  return router;
}
