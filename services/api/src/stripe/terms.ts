import type Stripe from 'stripe';
import { isStripeError, isStripeRefusal } from './stripe-failure.ts';

/** What makes Stripe's page ask for acceptance of the owner's terms. */
export const TERMS_CONSENT = { consent_collection: { terms_of_service: 'required' } } as const;

/** True if Stripe refused to ask for acceptance of the terms: their address is not set in its dashboard. */
export function isTermsRefusal(error: unknown): boolean {
  return isStripeError(error) && isStripeRefusal(error) && (error.param ?? '').startsWith('consent_collection');
}

/** Opens and expires a checkout to see whether Stripe can ask for acceptance of the terms. Throws any other error. */
export async function canAskForTerms(stripe: Stripe, priceId: string, publicUrl: string): Promise<boolean> {
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
