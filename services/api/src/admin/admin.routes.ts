import type { RequestHandler } from 'express';
import { Router } from 'express';
import type { AppDeps } from '../app.ts';
import { problem } from '../http/problem.ts';
import { sameOriginWrites } from '../http/security.ts';
import { leadListRoutes } from './leads/lead-list.routes.ts';
import { loginRoutes } from './operators/login.routes.ts';
import { syncStatusRoutes } from './sync/sync-status.routes.ts';

const requireOperator: RequestHandler = (req, _res, next) => {
  if (!req.session.operator) throw problem('login-required');
  next();
};

/** The console's calls. Everything mounted after the gate needs an operator's session; only logging in stands before it. */
export function adminRoutes(deps: AppDeps): Router {
  const router = Router();
  router.use(deps.sessions, sameOriginWrites(deps.settings.publicUrl));
  router.use(loginRoutes(deps));
  router.use(requireOperator);
  router.get('/me', (req, res) => {
    res.json({ username: req.session.operator?.username });
  });
  router.use('/leads', leadListRoutes(deps));
  router.use('/sync', syncStatusRoutes(deps));
  return router;
}
