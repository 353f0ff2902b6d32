import { Router } from 'express';
import type { AppDeps } from '../app-deps.ts';
import { sameOriginWrites } from '../http/security.ts';
import { auditRoutes } from './audit/audit.routes.ts';
import { chartRoutes } from './charts/charts.routes.ts';
import { leadListRoutes } from './leads/lead-list.routes.ts';
import { liveRoutes } from './live/live.routes.ts';
import { moneyRoutes } from './money/money.routes.ts';
import { loginRoutes } from './operators/login.routes.ts';
import { operatorOf, requireOperator } from './operators/operator-session.ts';
import { privacyRoutes } from './privacy/privacy.routes.ts';
import { retryRoutes } from './retry/retry.routes.ts';
import { syncStatusRoutes } from './sync/sync-status.routes.ts';

/** The console's calls. Everything mounted after the gate needs an operator's session; only logging in stands before it. */
export function adminRoutes(deps: AppDeps): Router {
  const router = Router();
  router.use(deps.sessions, sameOriginWrites(deps.settings.publicUrl));
  router.use(loginRoutes(deps));
  router.use(requireOperator(deps));
  router.get('/me', (req, res) => {
    res.json({ username: operatorOf(req) });
  });
  router.use('/leads', leadListRoutes(deps));
  router.use(retryRoutes(deps));
  router.use('/events', liveRoutes(deps));
  router.use('/sync', syncStatusRoutes(deps));
  router.use('/charts', chartRoutes(deps));
  router.use('/audit', auditRoutes(deps));
  router.use('/people', privacyRoutes(deps));
  router.use('/money', moneyRoutes(deps));
  return router;
}
