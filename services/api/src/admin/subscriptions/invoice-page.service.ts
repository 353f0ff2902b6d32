import { problem } from '../../http/problem.ts';
import { orMissing } from '../../stripe/stripe-failure.ts';
import { recordAction } from '../../audit/audit.repository.ts';
import { askStripe } from './refund.service.ts';
import type { StripeDeps } from '../../payers/payer-lead.service.ts';

/**
 * Asks Stripe for the URL of an invoice's page, and records that an operator did. A stored URL
 * expires 30 days after the invoice is due. Throws 404 for an unknown invoice, one of an erased
 * person, and one without a page; 503.
 */
export async function findInvoicePage(
  { db, stripe, log }: StripeDeps,
  operator: string,
  id: string,
): Promise<string> {
  const owner = await db('stripe_invoices')
    .join(
      'subscriptions',
      'subscriptions.stripeSubscriptionId',
      'stripe_invoices.stripeSubscriptionId',
    )
    .where('stripe_invoices.id', id)
    .whereNotNull('subscriptions.email')
    .first<{ subject: string } | undefined>('subscriptions.stripeSubscriptionId as subject');
  if (!owner)
    throw problem('not-found', { detail: 'There is no such invoice, or its payer was erased.' });
  const url = (await askStripe(log, () => orMissing(stripe.invoices.retrieve(id))))
    ?.hosted_invoice_url;
  if (!url) throw problem('not-found', { detail: 'Stripe has no page for this invoice.' });
  await recordAction(db, { operator, action: 'open-invoice', ...owner, detail: { invoice: id } });
  return url;
}
