import { subscribedCookie } from '@site/schema/subscribed-cookie';
import type { Request, RequestHandler } from 'express';
import { maySeeReceipt } from '../checkout/receipt-cookie.ts';
import { route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { toProblem } from '../http/problem.ts';
import type { ApiSettings } from '../settings.ts';
import type { SitePages } from '../site/site-pages.ts';
import { readCheckoutState } from './checkout-state.service.ts';
import type { CheckoutStateDeps } from './checkout-state.service.ts';

type ThankYouDeps = CheckoutStateDeps & { settings: ApiSettings };

/** Tells visitors who come back from Stripe what became of their checkout. Next: `checkout-state.service.ts`. */
export function thankYouRoutes(deps: ThankYouDeps): Route[] {
  return [
    route('GET /api/checkout/session/:id', async ({ params, req, res }) => {
      const answer = await readCheckoutState(deps, params.id, maySeeReceipt(deps.settings, req, params.id));
      if (answer.state === 'not-found') res.status(404);
      return answer;
    }),
  ];
}

const PASSING: readonly (string | undefined)[] = ['stripe-unavailable', 'database-unavailable'];

/**
 * The page after checkout for a browser that opened it with a plain form: it is told without scripts, too. For any other
 * the page is the same for all, and `limit` does not count it.
 */
export function plainThankYou(
  { pages, ...deps }: ThankYouDeps & { pages: SitePages },
  limit: RequestHandler,
): RequestHandler[] {
  const idOf = ({ query: { session_id: id } }: Request) => (typeof id === 'string' ? id : '');
  const ownAlone: RequestHandler = (req, _res, next) =>
    maySeeReceipt(deps.settings, req, idOf(req)) ? next() : next('route');
  const show: RequestHandler = async (req, res) => {
    const answer = await readCheckoutState(deps, idOf(req), true).catch((error: unknown) => {
      if (!PASSING.includes(toProblem(error)?.kind)) throw error;
      return { state: 'unreachable' } as const;
    });
    const isSecure = deps.settings.publicUrl.startsWith('https:');
    if (answer.state === 'confirmed') res.append('Set-Cookie', subscribedCookie(isSecure));
    const html = await pages.thankYou(answer);
    res.set('Cache-Control', 'no-store').type('html').send(html);
  };
  return [ownAlone, limit, show];
}
