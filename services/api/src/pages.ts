import { Router } from 'express';
import type { RequestHandler } from 'express';
import type { AppDeps } from './app-deps.ts';
import type { OpenCheckout } from './checkout/checkout.routes.ts';
import { upsellForm } from './checkout/checkout.routes.ts';
import { isPrivateAddress } from './http/client.ts';
import { sameOriginWrites } from './http/security.ts';
import type { CaptureDeps } from './leads/lead.service.ts';
import { subscribeFormRoutes } from './leads/subscribe-form.routes.ts';
import { siteRoutes } from './site/site.routes.ts';
import { thankYouPage } from './thank-you/thank-you.routes.ts';

type PerMinute = (name: string, points: number, method?: 'GET' | 'POST') => RequestHandler;

/**
 * Serves the site's pages: first the pages that a server must answer, with their plain forms, then
 * the built pages.
 */
export function pageRoutes(
  deps: AppDeps & CaptureDeps & { openCheckout: OpenCheckout },
  perMinute: PerMinute,
): Router {
  const { settings } = deps;
  const router = Router({ caseSensitive: true });
  const checkoutLimit = perMinute('checkout', 10);
  const limits = [perMinute('leads', settings.leadsPerMinute), checkoutLimit];
  const formLimit = perMinute('form', 60, 'GET');
  // An unnamed proxy would count as one client for all visitors.
  router.use('/subscribe', (req, res, next) =>
    isPrivateAddress(req.ip) ? next() : formLimit(req, res, next),
  );
  router.use('/subscribe', subscribeFormRoutes({ ...deps, limits }));
  router.post(
    '/sample-sent',
    sameOriginWrites(settings.publicUrl),
    checkoutLimit,
    upsellForm(deps.openCheckout, deps.newId),
  );
  router.get('/thank-you', thankYouPage(deps, perMinute('receipts', 120, 'GET')));
  router.use(siteRoutes(deps));
  return router;
}
