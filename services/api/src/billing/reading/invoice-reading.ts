import type Stripe from 'stripe';
import { z } from 'zod';
import { idOf } from '../../stripe/stripe.client.ts';
import { orMissing, orRefused } from '../../stripe/stripe-failure.ts';
import {
  NO_ATTEMPT,
  stripeAttempt,
  stripeDispute,
  stripeInvoice,
  stripeRefund,
} from './payment-snapshots.ts';
import type { ChargeSnapshot, InvoiceSnapshot, PaymentAttempt } from './payment-snapshots.ts';
import { readSubscription } from './subscription-reading.ts';
import { toReading } from './stripe-reading.ts';
import type { StripeReading } from './stripe-reading.ts';

/*
 * Reads invoices, charges, refunds and disputes with everything up to the subscription. Only the
 * subscription shows whether they are ours, and its row must exist first, whichever event comes
 * first.
 */

const invoiceParent = z.object({
  parent: z
    .object({ subscription_details: z.object({ subscription: z.string() }).nullish() })
    .nullish(),
});
const stripeCharge = z.object({
  id: z.string(),
  payment_intent: z.string().nullable(),
});

/**
 * Reads an invoice and its subscription. If Stripe no longer has the invoice, or shows it in an
 * unknown shape, reads only the subscription, which `told` (an older state of the invoice) may
 * name. Returns null if it is no subscription's. Throws Stripe's error.
 */
export async function readInvoice(
  stripe: Stripe,
  id: string,
  readAt: string,
  told: unknown = null,
): Promise<StripeReading | null> {
  const found = await orMissing(stripe.invoices.retrieve(id));
  const subscriptionId = findSubscriptionId(found) ?? findSubscriptionId(told);
  if (subscriptionId === undefined) return null;
  const subscription = await readSubscription(stripe, subscriptionId, readAt);
  const reading = toReading(subscription, subscriptionId, readAt);
  if (subscription === 'foreign') return reading;
  const invoice = await toInvoice(stripe, found);
  if (invoice) return { ...reading, invoices: [invoice] };
  const unreadParts = [...new Set([...subscription.unreadParts, 'invoice' as const])];
  return { ...reading, subscription: { ...subscription, unreadParts } };
}

/** Adds its newest charge to an invoice. Returns undefined for an unknown shape. */
async function toInvoice(stripe: Stripe, found: unknown): Promise<InvoiceSnapshot | undefined> {
  const invoice = stripeInvoice.safeParse(found).data;
  if (!invoice) return undefined;
  const isTried = invoice.attempts > 0 || invoice.paidPence > 0;
  const attempt = isTried ? await orRefused(readAttempt(stripe, invoice)) : null;
  return { ...invoice, attempt };
}

/** Finds the payment of an invoice. */
export async function findIntent(
  stripe: Stripe,
  asked: Stripe.InvoicePaymentListParams,
): Promise<string | null> {
  const intent = (await stripe.invoicePayments.list(asked)).data[0]?.payment.payment_intent;
  return intent ? idOf(intent) : null;
}

/** Finds the invoice of a payment, because a charge does not name its invoice. */
export async function findPaidInvoiceId(stripe: Stripe, intent: string): Promise<string | null> {
  const payment = { type: 'payment_intent', payment_intent: intent } as const;
  const invoice = (await stripe.invoicePayments.list({ payment })).data[0]?.invoice;
  return invoice ? idOf(invoice) : null;
}

/**
 * Reads the newest charge of an invoice, without its fee if the key may not read fees. An invoice
 * that was paid outside Stripe has no charge, and its fee is 0.
 */
async function readAttempt(
  stripe: Stripe,
  { id: invoice, status }: Pick<InvoiceSnapshot, 'id' | 'status'>,
): Promise<PaymentAttempt | null> {
  const outside = status === 'paid' ? { ...NO_ATTEMPT, feePence: 0 } : null;
  const intent = await findIntent(stripe, { invoice, limit: 1 });
  if (intent === null) return outside;
  const asked = { payment_intent: intent, limit: 1 };
  const found =
    (await orRefused(stripe.charges.list({ ...asked, expand: ['data.balance_transaction'] }))) ??
    (await stripe.charges.list(asked));
  const attempt = stripeAttempt.safeParse(found.data[0]).data ?? null;
  return attempt?.declineCode ? (outside ?? attempt) : attempt;
}

/**
 * Adds the current state of these invoices to a reading. Leaves out what Stripe does not show.
 * Throws if Stripe is unreachable.
 */
export async function withInvoices(
  stripe: Stripe,
  { invoices = [], ...reading }: StripeReading,
  ids: readonly string[],
): Promise<StripeReading> {
  const all = [...invoices];
  for (const id of ids) {
    if (all.some((invoice) => invoice.id === id)) continue;
    const invoice = await toInvoice(stripe, await orRefused(stripe.invoices.retrieve(id)));
    if (invoice) all.push(invoice);
  }
  return { ...reading, invoices: all };
}

/** Reads the invoice that a credit note lowers. Throws as `readInvoice` does. */
export async function readCreditNote(
  stripe: Stripe,
  id: string,
  readAt: string,
): Promise<StripeReading | null> {
  const { invoice } = z
    .object({ invoice: z.string() })
    .parse(await stripe.creditNotes.retrieve(id));
  return readInvoice(stripe, invoice, readAt);
}

function findSubscriptionId(invoice: unknown): string | undefined {
  return invoiceParent.safeParse(invoice).data?.parent?.subscription_details?.subscription;
}

/** Reads a charge, the invoice it paid and its subscription. Throws as `readInvoice` does. */
export async function readCharge(
  stripe: Stripe,
  id: string,
  readAt: string,
): Promise<StripeReading | null> {
  const { payment_intent: intent, ...charge } = stripeCharge.parse(
    await stripe.charges.retrieve(id),
  );
  if (intent === null) return null;
  const invoiceId = await findPaidInvoiceId(stripe, intent);
  if (invoiceId === null) return null;
  const reading = await readInvoice(stripe, invoiceId, readAt);
  if (reading === null || reading.subscription === 'foreign') return reading;
  const refunds = await readRefunds(stripe, charge.id);
  return { ...reading, charge: { id: charge.id, paymentIntentId: intent, invoiceId, refunds } };
}

async function readRefunds(stripe: Stripe, charge: string): Promise<ChargeSnapshot['refunds']> {
  const refunds = [];
  for await (const found of stripe.refunds.list({ charge, limit: 100 }))
    refunds.push(stripeRefund.parse(found));
  return refunds;
}

/**
 * Reads a refund's charge with all its refunds, its invoice and its subscription. Throws as
 * `readInvoice` does.
 */
export async function readRefund(
  stripe: Stripe,
  id: string,
  readAt: string,
): Promise<StripeReading | null> {
  const { charge } = z
    .object({ charge: z.string().nullable() })
    .parse(await stripe.refunds.retrieve(id));
  return charge === null ? null : readCharge(stripe, charge, readAt);
}

const stripeCreditNote = z.object({
  status: z.string(),
  post_payment_amount: z.int(),
  refunds: z.array(z.object({ amount_refunded: z.int() })),
});

/**
 * Reads the part of a paid invoice that was returned without a refund: credited to the customer's
 * balance, or outside Stripe. Throws Stripe's error.
 */
export async function readCredited(stripe: Stripe, invoice: string): Promise<number> {
  const { post_payment_credit_notes_amount: credited } = await stripe.invoices.retrieve(invoice);
  if (credited === 0) return 0;
  const notes = await stripe.creditNotes.list({ invoice, limit: 100 });
  return z
    .array(stripeCreditNote)
    .parse(notes.data)
    .filter(({ status }) => status !== 'void')
    .reduce(
      (sum, { post_payment_amount: amount, refunds }) =>
        refunds.reduce((rest, { amount_refunded: refunded }) => rest - refunded, sum + amount),
      0,
    );
}

/** Reads a dispute with its charge, invoice and subscription. Throws as `readInvoice` does. */
export async function readDispute(
  stripe: Stripe,
  id: string,
  readAt: string,
): Promise<StripeReading | null> {
  const { charge, dispute } = stripeDispute.parse(await stripe.disputes.retrieve(id));
  const reading = await readCharge(stripe, charge, readAt);
  return reading?.charge ? { ...reading, dispute } : reading;
}
