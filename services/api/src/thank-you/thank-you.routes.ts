import { TimeoutError, withTimeout } from '@site/platform/process/with-timeout';
import type { PageSettings } from '@site/schema/page-render';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { maySeeReceipt } from '../checkout/receipt-cookie.ts';
import { route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { toProblem } from '../http/problem.ts';
import type { ApiSettings } from '../settings.ts';
import type { SitePages } from '../site/site-pages.ts';
import { readCheckoutState } from './checkout-state.service.ts';
import type { CheckoutStateDeps } from './checkout-state.service.ts';

type ThankYouDeps = CheckoutStateDeps & { settings: ApiSettings };

/**
 * Answers visitors who return from Stripe with the state of their checkout. Next:
 * `checkout-state.service.ts`.
 */
export function thankYouRoutes(deps: ThankYouDeps): Route[] {
  return [
    route('GET /api/checkout/session/:id', async ({ params, req, res }) => {
      const answer = await readCheckoutState(
        deps,
        params.id,
        maySeeReceipt(deps.settings, req, params.id),
      );
      if (answer.state === 'not-found') res.status(404);
      return answer;
    }),
  ];
}

const PASSING: readonly unknown[] = [
  'stripe-unavailable',
  'database-unavailable',
  'too-many-requests',
];
/** The page's scripts ask again, if they run. */
const PAGE_WAIT_MS = 2_000;

/** Serves the page after checkout with its state. */
export function thankYouPage(
  { pages, ...deps }: ThankYouDeps & { pages: SitePages },
  limit: RequestHandler,
): (RequestHandler | ErrorRequestHandler)[] {
  const idOf = ({ query: { session_id: id } }: Request) => (typeof id === 'string' ? id : '');
  const show = async (
    req: Request,
    res: Response,
    checkout: NonNullable<PageSettings['checkout']>,
  ) => {
    const html = await pages.thankYou(req.originalUrl, checkout);
    res.set('Cache-Control', 'no-store').type('html').send(html);
  };
  const withId: RequestHandler = (req, _res, next) => (idOf(req) === '' ? next('route') : next());
  const showState: RequestHandler = async (req, res) => {
    const isOwn = maySeeReceipt(deps.settings, req, idOf(req));
    const answer = await withTimeout(PAGE_WAIT_MS, () => readCheckoutState(deps, idOf(req), isOwn));
    await show(req, res, answer);
  };
  const showUnreachable: ErrorRequestHandler = async (error, req, res, next) => {
    if (!(error instanceof TimeoutError) && !PASSING.includes(toProblem(error)?.kind))
      return next(error);
    await show(req, res, { state: 'unreachable' });
  };
  return [withId, limit, showState, showUnreachable];
}
