import type { Database } from '@site/platform/database/connect';
import { isUsed } from '@site/platform/outbox/address-use';

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

/** Moves a mistyped address's open checkouts to the correct one, unless somebody else uses the mistyped one. */
export async function moveOpenCheckouts(trx: Database, mistyped: string, email: string): Promise<void> {
  await trx.raw(
    `update open_checkouts set email_normalised = lower(:email)
     where email_normalised = lower(:mistyped) and not ${isUsed('lower(:mistyped)')}`,
    { mistyped, email },
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
