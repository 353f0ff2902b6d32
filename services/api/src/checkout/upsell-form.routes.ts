import { UPSELL_PLANS, withSampleSource } from '@site/schema/offer';
import { urlencoded } from 'express';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { fieldsProblem, toProblem } from '../http/problem.ts';
import type { CheckoutRequest } from './checkout.service.ts';

type UpsellFormDeps = {
  newId: () => string;
  startCheckout: (request: CheckoutRequest, req: Request, res: Response) => Promise<string>;
};

const posted = z.object({ plan: z.enum(UPSELL_PLANS) });

/** The offers after a sample without JavaScript: a plain form, answered with a redirect. Next: `checkout.service.ts`. */
export function upsellForm({ newId, startCheckout }: UpsellFormDeps): (RequestHandler | ErrorRequestHandler)[] {
  const open = async (req: Request, res: Response) => {
    const { data, error } = posted.safeParse(req.body ?? {});
    if (!data) throw fieldsProblem(error);
    // Visitors without an address may look alike, and must not share a payment page.
    const visitor = { email: undefined, leadId: undefined, ip: req.ip, caller: newId() };
    const url = await startCheckout({ ...visitor, ...data, returnTo: '/sample-sent' }, req, res);
    res.redirect(303, withSampleSource(url));
  };
  return [urlencoded({ extended: false, limit: '1kb' }), open, showFailure];
}

const SUBSCRIBED_COOKIE = 'subscribed';
const DAY_MS = 24 * 60 * 60_000;

/** Remembers for a day that this browser has subscribed without scripts, which would remember it otherwise. */
export function noteSubscribed(res: Response, secure: boolean): void {
  res.cookie(SUBSCRIBED_COOKIE, 'yes', {
    httpOnly: true,
    sameSite: 'lax',
    secure,
    maxAge: DAY_MS,
    path: '/sample-sent',
  });
}

/** Sells no second plan to who has just subscribed. */
export const refuseSubscribed: RequestHandler = (req, res, next) =>
  /(?:^|;\s*)subscribed=yes/.test(req.get('Cookie') ?? '') && req.query['checkout'] !== 'subscribed'
    ? res.redirect(303, '/sample-sent?checkout=subscribed')
    : next();

const showFailure: ErrorRequestHandler = (error, _req, res, next) => {
  const kind = toProblem(error)?.kind;
  const end = kind === 'too-many-requests' ? 'too-many' : kind === 'stripe-unavailable' && 'failed';
  return end ? res.redirect(303, `/sample-sent?checkout=${end}`) : next(error);
};
