import type { Database } from '@site/platform/database/connect';
import { loginBody } from '@site/schema/admin';
import type { OperatorAnswer } from '@site/schema/admin';
import type { Request } from 'express';
import { Router } from 'express';
import type { Redis } from 'ioredis';
import { problem } from '../../http/problem.ts';
import { clientKey, createLimiter } from '../../http/rate-limit.ts';
import { parseBody } from '../../http/validate.ts';
import { checkPassword } from './operator.service.ts';

/** Failed logins a quarter of an hour, for an account and for an address. These stay limited whatever the settings say. */
const FAILURES = { points: 5, perSeconds: 15 * 60 };

const asPromise = (call: (done: (error: unknown) => void) => void) =>
  new Promise<void>((resolve, reject) => {
    call((error) => (error ? reject(error instanceof Error ? error : new Error('session store failed')) : resolve()));
  });

/** A new session id at every login, so that one planted before it is worth nothing. */
async function beginSession(req: Request, operator: { id: string; username: string }): Promise<void> {
  await asPromise((done) => req.session.regenerate(done));
  req.session.operator = operator;
  await asPromise((done) => req.session.save(done));
}

export function loginRoutes(deps: { db: Database; redis: Redis; limitPrefix?: string }): Router {
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
      throw problem('login-wrong');
    }
    await beginSession(req, operator);
    const answer: OperatorAnswer = { username: operator.username };
    res.json(answer);
  });

  router.post('/logout', async (req, res) => {
    await asPromise((done) => req.session.destroy(done));
    res.clearCookie('operator', { path: '/api/admin' });
    res.status(204).end();
  });
  return router;
}
