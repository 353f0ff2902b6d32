import { maySeeReceipt } from '../checkout/receipt-cookie.ts';
import { route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import type { ApiSettings } from '../settings.ts';
import { readCheckoutState } from './checkout-state.service.ts';
import type { CheckoutStateDeps } from './checkout-state.service.ts';

/** Tells visitors who come back from Stripe what became of their checkout. Next: `checkout-state.service.ts`. */
export function thankYouRoutes(deps: CheckoutStateDeps & { settings: ApiSettings }): Route[] {
  return [
    route('GET /api/checkout/session/:id', async ({ params, req, res }) => {
      const answer = await readCheckoutState(deps, params.id, maySeeReceipt(deps.settings, req, params.id));
      if (answer.state === 'not-found') res.status(404);
      return answer;
    }),
  ];
}
