import type { Database } from '@site/platform/database/connect';
import { task } from '@site/platform/database/task';
import type Stripe from 'stripe';
import { isStripeError, isStripeRefusal } from './stripe-failure.ts';

/** Makes Stripe's page ask for acceptance of the owner's terms. */
export const TERMS_CONSENT = { consent_collection: { terms_of_service: 'required' } } as const;

/**
 * Returns true if Stripe refused to ask for acceptance of the terms: its dashboard has no URL for
 * them.
 */
export function isTermsRefusal(error: unknown): boolean {
  return (
    isStripeError(error) &&
    isStripeRefusal(error) &&
    (error.param ?? '').startsWith('consent_collection')
  );
}

/**
 * Opens and expires a checkout to find out whether Stripe can ask for acceptance of the terms.
 * Throws any other error.
 */
export async function canAskForTerms(
  stripe: Stripe,
  priceId: string,
  publicUrl: string,
): Promise<boolean> {
  try {
    const { id } = await stripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [{ price: priceId, quantity: 1 }],
      success_url: publicUrl,
      ...TERMS_CONSENT,
    });
    await stripe.checkout.sessions.expire(id);
    return true;
  } catch (error) {
    if (isTermsRefusal(error)) return false;
    throw error;
  }
}

/**
 * Returns true if `stripe:setup` found that Stripe can ask for acceptance, and Stripe has not
 * refused it since.
 */
export async function asksForTerms(db: Database): Promise<boolean> {
  const terms = await task(db, 'stripe-terms').whereNotNull('finishedAt').first('fault');
  return terms?.fault === null;
}

export async function storeTermsSeen(db: Database, canAsk: boolean): Promise<void> {
  await task(db, 'stripe-terms').update({
    finishedAt: canAsk ? db.fn.now() : null,
    fault: null,
  });
}

/** Stores that Stripe refuses to ask for acceptance, so that no further checkout tries it. */
export async function storeTermsRefused(db: Database): Promise<void> {
  await task(db, 'stripe-terms').update({ since: db.fn.now(), fault: 'refused' });
}
