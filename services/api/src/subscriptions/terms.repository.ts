import type { Database } from '@site/platform/database/connect';
import type { Row } from '@site/platform/database/tables';

/** True if `stripe:setup` saw that Stripe can ask for acceptance of the terms, and Stripe has not refused it since. */
export async function asksForTerms(db: Database): Promise<boolean> {
  const watch = await db<Row<'stripe_watch'>>('stripe_watch').first('termsAcceptedAt', 'termsRefusedAt');
  return watch !== undefined && watch.termsAcceptedAt !== null && watch.termsRefusedAt === null;
}

/** Stores what `stripe:setup` saw. */
export async function storeTermsSeen(db: Database, canAsk: boolean): Promise<void> {
  await db('stripe_watch').update({ termsAcceptedAt: canAsk ? db.fn.now() : null, termsRefusedAt: null });
}

/** Stores that Stripe refuses to ask for acceptance, so that no further checkout tries it. */
export async function storeTermsRefused(db: Database): Promise<void> {
  await db('stripe_watch').update({ termsRefusedAt: db.fn.now() });
}
