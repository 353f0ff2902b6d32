import { BEEHIIV_EVENTS_PATH } from '@site/schema/beehiiv-events';
import { CANNOT_WORK, healthRoutes } from '@site/platform/health/health';
import { measureRequests, metricsRoutes } from '@site/platform/process/metrics';
import { addSyncMetrics } from '@site/platform/health/sync-metrics';
import compression from 'compression';
import express from 'express';
import type { Express, Response } from 'express';
import { Registry } from 'prom-client';
import { requireOperator } from './admin/operators/operator-session.ts';
import type { AppDeps } from './app-deps.ts';
import { noSuchUrl, requireEventSecret } from './beehiiv/beehiiv-events.routes.ts';
import { createCheckout } from './checkout/checkout.routes.ts';
import { createSubscribedLimit } from './checkout/subscribed-limit.ts';
import { answerProblems } from './http/problem.ts';
import { limitByClient } from './http/rate-limit.ts';
import { requestContext } from './http/request-context.ts';
import { toRouter } from './http/route.ts';
import { allowOrigins, sameOriginWrites, securityHeaders } from './http/security.ts';
import { addApiMetrics, nameRoute } from './metrics/api-metrics.ts';
import { addStripeMetrics } from './metrics/stripe-calls.ts';
import { pageRoutes } from './pages.ts';
import { createRoutes } from './routes.ts';
import { createVisitCounter } from './site/visits.ts';

const INTAKE = ['/api/lead/subscribe', '/subscribe'].map((route) => ({ method: 'POST', route }));

/**
 * Lists are long, so JSON is compressed. Files and live events are sent in pieces, which must not
 * wait.
 */
const isJson = (_req: unknown, res: Response) =>
  String(res.getHeader('Content-Type')).startsWith('application/json');

/** Creates the API and the site it serves, in the order in which a request passes them. */
export function createApp(given: AppDeps): Express {
  const { settings, redis, limitPrefix, registry = new Registry() } = given;
  const isLimited = settings.leadsPerMinute > 0;
  const subscribedLimit = createSubscribedLimit(redis, isLimited, limitPrefix);
  const deps = { ...given, ...addApiMetrics(registry), subscribedLimit };
  addSyncMetrics(registry, deps);
  addStripeMetrics(registry, deps.stripe);
  const openCheckout = createCheckout(deps);
  const app = express();
  app.disable('x-powered-by');
  // Guards match paths case-sensitively.
  app.enable('case sensitive routing');
  app.set('trust proxy', settings.trustProxy);

  app.use(requestContext(deps.log));
  app.use(measureRequests(registry, nameRoute, INTAKE));
  app.use(securityHeaders(settings));
  app.use(healthRoutes(deps.health.readShared, CANNOT_WORK), metricsRoutes(registry));

  const perMinute = (name: string, points: number, method: 'GET' | 'POST' = 'POST') =>
    limitByClient(
      redis,
      { name, method, points: isLimited ? points : 0, perSeconds: 60 },
      limitPrefix,
    );

  const operatorsOnly = requireOperator(deps);
  app.use('/api', (_req, res, next) => {
    res.set('Cache-Control', 'no-store');
    next();
  });
  app.use(
    '/api/lead',
    allowOrigins(settings.sampleSiteOrigins),
    perMinute('leads', settings.leadsPerMinute),
  );
  app.use('/api/checkout', perMinute('checkout', 10));
  // Each receipt is a request to Stripe. A page that waits for its receipt is far below the limit.
  app.use('/api/checkout/session', perMinute('receipts', 120, 'GET'));
  app.use('/api/track', perMinute('track', 60));
  app.use(BEEHIIV_EVENTS_PATH, requireEventSecret(settings.beehiivWebhookSecret));
  app.use('/api/admin', compression({ filter: isJson }));
  app.use('/api/admin', deps.sessions, sameOriginWrites(settings.publicUrl));
  if (settings.isProduction)
    app.use(['/api/docs', '/api/openapi.json'], deps.sessions, operatorsOnly());
  app.use(toRouter(createRoutes(deps, openCheckout), operatorsOnly));
  // Without a session, an unknown console path gets the same answer as a known path.
  app.use('/api/admin', operatorsOnly());
  app.use('/api', () => {
    throw noSuchUrl();
  });

  app.use(createVisitCounter(deps));
  app.use(pageRoutes({ ...deps, openCheckout }, perMinute));
  app.use(answerProblems(deps.log));
  return app;
}
