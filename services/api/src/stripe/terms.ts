import type { Database } from '@site/platform/database/connect';
import { task } from '@site/platform/database/task';
import { isStripeError, isStripeRefusal } from './stripe-failure.ts';

/** Makes Stripe's page ask for acceptance of the owner's terms. */
export const TERMS_CONSENT = { consent_collection: { terms_of_service: 'required' } } as const;

/**
 * Returns true if Stripe refused to ask for acceptance of the terms, because its dashboard has no
 * URL for them.
 */
export function isTermsRefusal(error: unknown): boolean {
  return (
    isStripeError(error) &&
    isStripeRefusal(error) &&
    (error.param ?? '').startsWith('consent_collection')
  );
}

/** Returns true unless Stripe has refused to ask for acceptance since `stripe:setup` last ran. */
export async function asksForTerms(db: Database): Promise<boolean> {
  return (await task(db, 'stripe-terms').whereNotNull('failure').first('name')) === undefined;
}

/** Lets the next checkout ask for acceptance again. */
export async function forgetTermsRefused(db: Database): Promise<void> {
  await task(db, 'stripe-terms').update({ failure: null });
}

/** Stores that Stripe refuses to ask for acceptance, so that no further checkout tries it. */
export async function storeTermsRefused(db: Database): Promise<void> {
  await task(db, 'stripe-terms').update({ since: db.fn.now(), failure: 'refused' });
}
