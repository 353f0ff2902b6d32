import type { CallSent } from '@site/schema/calls/calls';
import { z } from 'zod';
import { parseCursor, toCursor } from '../../http/cursor.ts';
import { orMissing } from '../../stripe/stripe-failure.ts';
import { askStripe } from '../subscriptions/refund.service.ts';
import type { StripeDeps } from '../subscriptions/refund.service.ts';
import { findByStripeId, findPeople, listAddresses } from './people-search.repository.ts';

type Found = CallSent<'POST /api/admin/people/search'>;
export type SearchDeps = Pick<StripeDeps, 'db' | 'stripe' | 'log'>;

/** An id of Stripe's, as its dashboard shows it. */
const STRIPE_ID = /^(?:sub|cus|in|ch|py|pi|re|pyr|dp|du|cs)_\w+$/;
const IS_PAYMENT = /^(?:pi|ch|py)_/;

/** Finds a page of people. Throws 503 for the id of a payment that only Stripe knows, while Stripe is unreachable. */
export async function searchPeople(deps: SearchDeps, text: string, cursor: string | undefined): Promise<Found> {
  const { db } = deps;
  if (STRIPE_ID.test(text)) {
    const known = await findByStripeId(db, text);
    const addresses = known.length > 0 || !IS_PAYMENT.test(text) ? known : await findByPayment(deps, text);
    return { people: await findPeople(db, addresses), nextCursor: null };
  }
  const { addresses, next } = await listAddresses(db, text, parseCursor(cursor, z.string().max(254)));
  return { people: await findPeople(db, addresses), nextCursor: toCursor(next) };
}

/** Payments are not stored, and charges only once something was refunded or disputed: Stripe names their invoice. */
async function findByPayment({ db, stripe, log }: SearchDeps, id: string): Promise<string[]> {
  return askStripe(log, async () => {
    const intent = id.startsWith('pi_') ? id : (await orMissing(stripe.charges.retrieve(id)))?.payment_intent;
    if (typeof intent !== 'string') return [];
    const payment = { type: 'payment_intent', payment_intent: intent } as const;
    const invoice = (await orMissing(stripe.invoicePayments.list({ payment })))?.data[0]?.invoice;
    return invoice === undefined ? [] : findByStripeId(db, typeof invoice === 'string' ? invoice : invoice.id);
  });
}
