import { UPSELL_PLANS, withSampleSource } from '@site/schema/offer';
import { urlencoded } from 'express';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { fieldsProblem, toProblem } from '../http/problem.ts';
import type { OpenCheckout } from './checkout.routes.ts';

const posted = z.object({ plan: z.enum(UPSELL_PLANS) });

/** The offers after a sample without JavaScript: a plain form, answered with a redirect. Next: `checkout.service.ts`. */
export function upsellForm(
  openCheckout: OpenCheckout,
  newId: () => string,
): (RequestHandler | ErrorRequestHandler)[] {
  const open = async (req: Request, res: Response) => {
    const { data, error } = posted.safeParse(req.body ?? {});
    if (!data) throw fieldsProblem(error);
    // Visitors without an email may look alike, and must not share a payment page.
    const visitor = { email: undefined, leadId: undefined, caller: newId() };
    const url = await openCheckout({ ...visitor, ...data, returnTo: '/sample-sent' }, req, res);
    res.redirect(303, withSampleSource(url));
  };
  return [urlencoded({ extended: false, limit: '1kb' }), open, showFailure];
}

const showFailure: ErrorRequestHandler = (error, _req, res, next) => {
  const kind = toProblem(error)?.kind;
  const end = kind === 'too-many-requests' ? 'too-many' : kind === 'stripe-unavailable' && 'failed';
  if (!end) return next(error);
  res.redirect(303, `/sample-sent?checkout=${end}`);
};
