import { UPSELL_PLANS, withSampleSource } from '@site/schema/offer';
import { isSubscribed } from '@site/schema/subscribed-cookie';
import { urlencoded } from 'express';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { fieldsProblem, toProblem } from '../http/problem.ts';
import type { ApiSettings } from '../settings.ts';
import type { CheckoutRequest } from './checkout.service.ts';

type UpsellFormDeps = {
  settings: Pick<ApiSettings, 'publicUrl'>;
  newId: () => string;
  startCheckout: (request: CheckoutRequest, req: Request, res: Response) => Promise<string>;
};

const posted = z.object({ plan: z.enum(UPSELL_PLANS) });

/** Set while the last press of an offer opened its checkout, so that Back does not show an earlier one's failure. */
const OPENED = {
  name: 'openedOffer',
  value: 'yes',
  path: '/sample-sent',
  maxAge: 60 * 60_000,
} as const;

/** The offers after a sample without JavaScript: a plain form, answered with a redirect. Next: `checkout.service.ts`. */
export function upsellForm({
  settings,
  newId,
  startCheckout,
}: UpsellFormDeps): (RequestHandler | ErrorRequestHandler)[] {
  const open = async (req: Request, res: Response) => {
    // The page says so, and sells no second plan.
    if (isSubscribed(req.get('Cookie'))) return res.redirect(303, '/sample-sent');
    const { data, error } = posted.safeParse(req.body ?? {});
    if (!data) throw fieldsProblem(error);
    // Visitors without an address may look alike, and must not share a payment page.
    const visitor = { email: undefined, leadId: undefined, ip: req.ip, caller: newId() };
    const url = await startCheckout({ ...visitor, ...data, returnTo: '/sample-sent' }, req, res);
    const secure = settings.publicUrl.startsWith('https:');
    res.cookie(OPENED.name, OPENED.value, { ...OPENED, httpOnly: true, sameSite: 'lax', secure });
    res.redirect(303, withSampleSource(url));
  };
  return [urlencoded({ extended: false, limit: '1kb' }), open, showFailure];
}

const showFailure: ErrorRequestHandler = (error, _req, res, next) => {
  const kind = toProblem(error)?.kind;
  const end = kind === 'too-many-requests' ? 'too-many' : kind === 'stripe-unavailable' && 'failed';
  if (!end) return next(error);
  res.clearCookie(OPENED.name, { path: OPENED.path });
  res.redirect(303, `/sample-sent?checkout=${end}`);
};

/** Leads Back from Stripe, to a press that failed, on to what holds now. */
export const upsellReturn: RequestHandler = (req, res, next) => {
  const { checkout } = req.query;
  const hasOpened = req.get('Cookie')?.includes(`${OPENED.name}=${OPENED.value}`);
  if (!hasOpened || (checkout !== 'failed' && checkout !== 'too-many')) return next();
  res.redirect('/sample-sent?checkout=cancelled');
};
