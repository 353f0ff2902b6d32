import { adminRoutes } from './admin/admin.routes.ts';
import type { AppDeps } from './app-deps.ts';
import { beehiivEventRoutes } from './beehiiv/beehiiv-events.routes.ts';
import { checkoutRoutes } from './checkout/checkout.routes.ts';
import { leadRoutes } from './leads/lead.routes.ts';
import { openApiRoutes } from './openapi/openapi.routes.ts';
import { thankYouRoutes } from './thank-you/thank-you.routes.ts';
import { trackRoutes } from './tracking/track.routes.ts';
import { webhookRoutes } from './billing/inbox/webhook.routes.ts';

type Deps = AppDeps &
  Parameters<typeof thankYouRoutes>[0] &
  Parameters<typeof webhookRoutes>[0] &
  Parameters<typeof beehiivEventRoutes>[0];

/** Returns every route of the API. */
export const createRoutes = (deps: Deps, openCheckout: Parameters<typeof checkoutRoutes>[0]) => [
  ...leadRoutes(deps),
  ...checkoutRoutes(openCheckout, deps.newId),
  ...thankYouRoutes(deps),
  ...trackRoutes(deps),
  ...webhookRoutes(deps),
  ...beehiivEventRoutes(deps),
  ...adminRoutes(deps),
  ...openApiRoutes(deps.settings.publicUrl),
];
