import { healthRoutes } from '@site/platform/health';
import { measureRequests, metricsRoutes } from '@site/platform/metrics';
import { addSyncMetrics } from '@site/platform/sync-metrics';
import express from 'express';
import type { Express } from 'express';
import { Registry } from 'prom-client';
import { adminRoutes } from './admin/admin.routes.ts';
import type { AppDeps } from './app-deps.ts';
import { checkoutRoutes } from './checkout/checkout.routes.ts';
import { startCheckout } from './checkout/checkout.service.ts';
import type { CheckoutRequest } from './checkout/checkout.service.ts';
import { createPriceBook } from './checkout/prices.ts';
import { answerProblems, problem } from './http/problem.ts';
import { limitByClient } from './http/rate-limit.ts';
import { requestContext } from './http/request-context.ts';
import { allowOrigins, securityHeaders } from './http/security.ts';
import { captureLead } from './leads/lead.service.ts';
import { leadRoutes } from './leads/lead.routes.ts';
import { subscribeFormRoutes } from './leads/subscribe-form.routes.ts';
import { addApiMetrics } from './metrics/api-metrics.ts';
import { createRouteNames } from './metrics/route-names.ts';
import { addStripeMetrics } from './metrics/stripe-calls.ts';
import { openApiRoutes } from './openapi/openapi.routes.ts';
import { siteRoutes } from './site/site.routes.ts';
import { webhookRoutes } from './webhook/webhook.routes.ts';
import { trackRoutes } from './tracking/track.routes.ts';

const MAX_BODY = '64kb';

/** The API and the site it serves: the order of everything a request passes. */
export function createApp(given: AppDeps): Express {
  const { settings, redis, limitPrefix, registry = new Registry() } = given;
  const deps = { ...given, ...addApiMetrics(registry) };
  addSyncMetrics(registry, deps);
  addStripeMetrics(registry, deps.stripe);
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', settings.trustProxy);

  app.use(requestContext(deps.log));
  app.use(measureRequests(registry, createRouteNames()));
  app.use(securityHeaders(settings));
  app.use(healthRoutes(deps.health), metricsRoutes(registry));

  const isLimited = settings.leadsPerMinute > 0;
  const perMinute = (name: string, points: number, method: 'GET' | 'POST' = 'POST') =>
    limitByClient(redis, { name, method, points: isLimited ? points : 0, perSeconds: 60 }, limitPrefix);

  const api = express.Router();
  api.use((_req, res, next) => {
    res.set('Cache-Control', 'no-store');
    next();
  });
  // Before any parser: a signature is over the exact bytes.
  api.use('/stripe/webhook', webhookRoutes({ ...deps, captureLead }));
  api.use('/lead', allowOrigins(settings.sampleSiteOrigins), perMinute('leads', settings.leadsPerMinute));
  api.use('/checkout', perMinute('checkout', 10));
  // Each asks Stripe. A page that waits for its receipt asks far less often.
  api.use('/checkout/session', perMinute('receipts', 120, 'GET'));
  api.use('/track', perMinute('track', 60));
  api.use(express.json({ limit: MAX_BODY }));
  api.use('/lead', leadRoutes(deps));
  api.use('/checkout', checkoutRoutes({ ...deps, captureLead }));
  api.use('/track', trackRoutes(deps));
  api.use('/admin', adminRoutes(deps));
  api.use(openApiRoutes(deps));
  api.use(() => {
    throw problem('not-found', { detail: 'The API has no such address.' });
  });
  app.use('/api', api);

  const prices = createPriceBook(deps);
  const plainForm = {
    ...deps,
    startCheckout: (request: CheckoutRequest) => startCheckout({ ...deps, prices }, request),
    limits: [perMinute('leads', settings.leadsPerMinute), perMinute('checkout', 10)],
  };
  app.use('/subscribe', subscribeFormRoutes(plainForm));
  app.use(siteRoutes(deps));
  app.use(answerProblems);
  return app;
}
