import type { Database } from '@site/platform/database/connect';

/*
 * Checkouts that we opened for an address. Rows go once the end of a checkout is stored, so what is listed may already
 * be over at Stripe.
 */

export async function storeOpenCheckout(db: Database, id: string, email: string): Promise<void> {
  await db.raw(
    `insert into open_checkouts (stripe_checkout_session_id, email_normalised) values (:id, lower(:email))
     on conflict do nothing`,
    { id, email },
  );
}

/** Lists the address's open checkouts, except for one. */
export async function listOtherOpenCheckouts(db: Database, email: string, exceptId: string): Promise<string[]> {
  const rows = await db('open_checkouts')
    .whereRaw('email_normalised = lower(?)', [email])
    .whereNot({ stripeCheckoutSessionId: exceptId })
    .select('stripeCheckoutSessionId');
  return rows.map(({ stripeCheckoutSessionId }) => stripeCheckoutSessionId);
}

export async function deleteOpenCheckout(db: Database, id: string): Promise<void> {
  await db('open_checkouts').where({ stripeCheckoutSessionId: id }).delete();
}
