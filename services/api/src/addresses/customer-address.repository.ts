import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { SubscriptionRow } from '@site/platform/database/tables';
import { IS_CORRECTED } from '@site/platform/outbox/retry';

/*
 * The customers' addresses at Stripe, as last read (`subscriptions.customer_email`), where they are not the stored ones.
 */

const DIFFERS = `s.stage <> 'ended' and lower(s.customer_email) <> s.email_normalised`;
/** Somebody paid with a mistyped address after it had been corrected, so Stripe has the typo. */
const IS_TYPO = `s.email_corrected_at is not null and exists (
  select from leads where leads.email_normalised = lower(s.customer_email) and ${IS_CORRECTED})`;

/** Subscriptions whose customer's address was changed at Stripe, and not by a correction of ours. */
export const CHANGED_ADDRESSES = `subscriptions s where ${DIFFERS} and not (${IS_TYPO})`;

export async function listChanged(
  db: Database,
  limit: number,
): Promise<{ stripeSubscriptionId: string; leadId: string | null; email: string; customerEmail: string }[]> {
  return query(
    db,
    `select stripe_subscription_id, lead_id, email, customer_email from ${CHANGED_ADDRESSES} order by stripe_subscription_id limit :limit`,
    { limit },
  );
}

/** Lists customers who have a corrected typo at Stripe. */
export async function listTypos(db: Database): Promise<string[]> {
  const rows = await query<Pick<SubscriptionRow, 'stripeCustomerId'>>(
    db,
    `select distinct stripe_customer_id from subscriptions s where ${DIFFERS} and ${IS_TYPO} limit 20`,
  );
  return rows.map(({ stripeCustomerId }) => stripeCustomerId);
}

/** Reads the stored address of a customer. Null for a person who was erased. */
export async function readStoredEmail(db: Database, stripeCustomerId: string): Promise<string | null> {
  const row = await db('subscriptions')
    .where({ stripeCustomerId })
    .orderByRaw('email_corrected_at desc nulls last')
    .first<Pick<SubscriptionRow, 'email'> | undefined>('email');
  return row?.email ?? null;
}

/** Stores that Stripe has this address. */
export async function noteCustomerEmail(db: Database, stripeCustomerId: string, customerEmail: string): Promise<void> {
  await db('subscriptions').where({ stripeCustomerId }).whereNotNull('email').update({ customerEmail });
}
