import { formatPence } from '@site/schema/offer';
import { Router, urlencoded } from 'express';
import type { Response } from 'express';
import { z } from 'zod';
import { epochSeconds } from '../../clock.ts';
import { productName } from '../catalog.ts';
import { expireDueCheckouts, recoverCheckout } from './checkout-session.service.ts';
import type { CheckoutDeps, CheckoutRecord } from './checkout-session.ts';
import { completeCheckout } from './complete-checkout.ts';
import type { CheckoutForm } from './hosted-checkout.page.ts';
import {
  authenticationPage,
  checkoutPage,
  closedCheckoutPage,
  prefilledEmail,
} from './hosted-checkout.page.ts';

const field = z.string().trim().max(300).catch('');
const payForm = z.object({ email: field, name: field, cardNumber: field, taxId: field });
const bankForm = z.object({
  authentication: z.enum(['succeeded', 'failed']).optional().catch(undefined),
});

/** Serves Stripe's hosted page for a session, at `/c/pay/:id`. Next: complete-checkout.ts. */
export function hostedCheckoutRoutes(deps: CheckoutDeps): Router {
  const router = Router();

  function find(id: string): CheckoutRecord | undefined {
    expireDueCheckouts(deps);
    return deps.store.checkouts.find(id);
  }

  function show(res: Response, record: CheckoutRecord, form: CheckoutForm): void {
    const product = record.order.items[0]?.price.product ?? '';
    res.type('html').send(checkoutPage(record, productName(deps.store, product), form));
  }

  router.get('/:id', (req, res) => {
    const record = find(req.params.id);
    if (record?.session.status !== 'open') {
      showClosed(res, record);
      return;
    }
    const email = record.session.customer_details?.email ?? '';
    show(res, record, { email, name: '', cardNumber: '', taxId: '', refusal: null });
  });

  router.post('/:id', urlencoded({ extended: false }), (req, res) => {
    const record = find(req.params.id);
    if (!record) {
      showClosed(res, undefined);
      return;
    }
    const posted = payForm.parse(req.body ?? {});
    const form = { ...posted, email: prefilledEmail(record.session) ?? posted.email };
    const { authentication } = bankForm.parse(req.body ?? {});
    const outcome = completeCheckout(deps, record, {
      ...form,
      name: form.name || null,
      ...(authentication && { authentication }),
    });
    switch (outcome.kind) {
      case 'completed':
        res.redirect(303, outcome.redirectTo);
        return;
      case 'needs-authentication':
        res.type('html').send(authenticationPage(record, form));
        return;
      case 'refused':
        show(res, record, { ...form, refusal: outcome });
        return;
      case 'not-open':
        showClosed(res, record);
    }
  });

  return router;
}

/** Serves the recovery link of an expired checkout, at `/r/:id`. Each visit opens a new copy. */
export function recoveryRoutes(deps: CheckoutDeps): Router {
  const router = Router();
  router.get('/:id', (req, res) => {
    expireDueCheckouts(deps);
    const record = deps.store.checkouts.find(req.params.id);
    const recovered = record && recoverCheckout(deps, record);
    const url = (recovered ?? record)?.session.url ?? null;
    if (url === null) showClosed(res, record);
    else res.redirect(303, url);
  });
  return router;
}

const INVOICE_PAGE_SECONDS = 30 * 24 * 60 * 60;

/** Serves Stripe's page of an invoice, at `/i/:id/:since`, until the URL expires. */
export function invoicePageRoutes({ store, clock }: CheckoutDeps): Router {
  const router = Router();
  router.get('/:id/:since', (req, res) => {
    const invoice = store.invoices.find(req.params.id);
    res.type('html');
    if (!invoice || Number(req.params.since) + INVOICE_PAGE_SECONDS < epochSeconds(clock)) {
      res
        .status(410)
        .send(
          closedCheckoutPage('This link has expired', 'Ask for a new link to the invoice.', null),
        );
    } else {
      const state = `${formatPence(invoice.total, true)}, ${invoice.status}`;
      res.send(
        closedCheckoutPage(
          `Invoice ${invoice.number}`,
          `${state}. ${invoice.customer_email}`,
          null,
        ),
      );
    }
  });
  return router;
}

function showClosed(res: Response, record: CheckoutRecord | undefined): void {
  res.type('html');
  if (!record) {
    res
      .status(404)
      .send(closedCheckoutPage('Checkout not found', 'Check that the link is complete.', null));
    return;
  }
  const { session } = record;
  res.send(
    session.status === 'complete'
      ? closedCheckoutPage(
          'You’re all done here',
          'This checkout is complete. You can close this page.',
          null,
        )
      : closedCheckoutPage(
          'This page has expired',
          'Your checkout timed out. Go back and start again.',
          session.cancel_url,
        ),
  );
}
