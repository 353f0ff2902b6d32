import type { Request } from 'express';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { operatorOf } from '../operators/operator-session.ts';
import type { CheckoutDeps } from '../../checkout/checkout.service.ts';
import { openPaymentLink } from '../../checkout/payment-link.service.ts';
import { createPriceBook } from '../../stripe/catalog.ts';
import { changeSubscriptionEmail } from '../../corrections/correction.service.ts';
import { changeEnd } from './cancel.service.ts';
import { giveFreeAccess } from '../../free-access/free-access.service.ts';
import { refundAndCancel } from './refund-and-cancel.service.ts';
import { findInvoicePage, previewRefund } from './refund.service.ts';
import type { Asked } from '../../acts/act.ts';
import type { StripeDeps } from '../../billing/storing/payer-lead.service.ts';

type SubscriptionDeps = StripeDeps &
  Omit<CheckoutDeps, 'subscribedLimit'> & { newId: () => string };

/** Serves operators' changes of subscriptions, payment links and free access. */
export function subscriptionRoutes(deps: SubscriptionDeps): Route[] {
  const prices = createPriceBook(deps);
  return [
    route('POST /api/admin/subscriptions/:id/email', ({ params: { id }, body, req }) =>
      changeSubscriptionEmail(deps, operatorOf(req), id, body.email),
    ),
    route('GET /api/admin/subscriptions/:id/refund', ({ params: { id }, query }) =>
      previewRefund(deps, { stripeSubscriptionId: id, ...query }),
    ),
    route('POST /api/admin/subscriptions/:id/refund', ({ params: { id }, body, req }) =>
      refundAndCancel(
        deps,
        toAsked(req),
        { stripeSubscriptionId: id, invoiceId: body.invoiceId },
        body,
      ),
    ),
    route('POST /api/admin/subscriptions/:id/cancel', ({ params: { id }, body, req }) =>
      changeEnd(deps, toAsked(req), id, body.when),
    ),
    route('POST /api/admin/subscriptions/:id/resume', ({ params: { id }, req }) =>
      changeEnd(deps, toAsked(req), id, 'resume'),
    ),
    route('GET /api/admin/invoices/:id/page', async ({ params: { id }, req, res }) => {
      const url = await findInvoicePage(deps, operatorOf(req), id);
      if (req.get('Accept') === 'application/json') return { url };
      res.status(303).set('Location', url);
      return undefined;
    }),
    route('POST /api/admin/people/payment-link', ({ body, req }) =>
      openPaymentLink({ ...deps, prices }, toAsked(req), body),
    ),
    route('POST /api/admin/people/free-access', ({ body, req }) =>
      giveFreeAccess(deps, toAsked(req), body),
    ),
  ];
}

const toAsked = (req: Request): Asked => ({
  operator: operatorOf(req),
  key: req.get('Idempotency-Key')?.slice(0, 200) || undefined,
});
