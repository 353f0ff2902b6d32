import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import { lockFound } from '@site/platform/people/person';
import type { CheckoutHindrance } from '@site/schema/money';
import type { BillingInterval } from '@site/schema/offer';
import { findPayer } from './payer-lead.repository.ts';
import { countErasures, isErased } from './subscription.repository.ts';

export type EndedCheckout = {
  id: string;
  email: string | null;
  leadId: string | null;
  state: 'complete' | 'abandoned' | 'payment-failed';
  startedAt: Date;
  recoveredFrom: string | null;
  isPaymentLink: boolean;
  /** The plan and price of an abandoned or open checkout. */
  offer?: { plan: BillingInterval; amountPence: number } | null;
  recovery: { url: string; endsAt: Date | null } | null;
  readAt: string;
};

/**
 * Stores the end of a checkout. An older reading changes nothing, and the first link to a lead
 * stays. Returns true for the first reading of a complete checkout.
 */
export async function storeCheckout(trx: Database, checkout: EndedCheckout): Promise<boolean> {
  const { recovery, offer, ...rest } = checkout;
  const [stored] = await query<{ isNewlyComplete: boolean }>(
    trx,
    `with before as (
       select from checkouts where stripe_checkout_session_id = :id and state = 'complete'
     )
     insert into checkouts (stripe_checkout_session_id, email, lead_id, state, started_at,
         recovered_from, is_payment_link, visits, recovery_url, recovery_ends_at, plan,
         amount_pence, snapshot_at)
       values (:id, :email, :leadId, :state, :startedAt, :recoveredFrom, :isPaymentLink,
         array(select session_id from leads where id = :leadId and session_id is not null),
         :recoveryUrl, :recoveryEndsAt, :plan, :amountPence, :readAt)
     on conflict (stripe_checkout_session_id) do update set
       email = excluded.email, lead_id = coalesce(checkouts.lead_id, excluded.lead_id),
       state = excluded.state, started_at = excluded.started_at,
       recovered_from = coalesce(checkouts.recovered_from, excluded.recovered_from),
       visits = array(select unnest(checkouts.visits) union select unnest(excluded.visits)),
       recovery_url = excluded.recovery_url, recovery_ends_at = excluded.recovery_ends_at,
       plan = excluded.plan, amount_pence = excluded.amount_pence,
       snapshot_at = excluded.snapshot_at
       where checkouts.snapshot_at < excluded.snapshot_at
     returning state = 'complete' and not exists (select from before) as is_newly_complete`,
    {
      ...rest,
      recoveryUrl: recovery?.url ?? null,
      recoveryEndsAt: recovery?.endsAt ?? null,
      plan: offer?.plan ?? null,
      amountPence: offer?.amountPence ?? null,
    },
  );
  return stored?.isNewlyComplete === true;
}

/** The facts about a person before a request to Stripe. */
export type Before = { leadId: string | null; erasures: number };

/**
 * Locks a person and returns their email, which may have been corrected meanwhile. Returns null if
 * they were erased.
 */
async function lockUnlessErased(
  trx: Database,
  email: string,
  { leadId, erasures }: Before,
): Promise<string | null> {
  const { found } = await lockFound(trx, async (db) => {
    const payer = await findPayer(db, { leadReference: leadId, email, startedAt: null });
    return { found: payer.email, emails: [email, payer.email] };
  });
  const isGone = (await countErasures(trx, email)) > erasures || (await isErased(trx, [leadId]));
  return isGone ? null : found;
}

/**
 * Stores a checkout that we opened for an email, unless more is known. Any reading replaces the
 * row. Returns false, and keeps only the checkout's id, if the person was erased meanwhile.
 */
export async function storeOpenCheckout(
  db: Database,
  {
    offer = null,
    ...checkout
  }: Pick<EndedCheckout, 'id' | 'offer' | 'isPaymentLink'> & { email: string; visits: string[] },
  before: Before,
): Promise<boolean> {
  return db.transaction(async (trx) => {
    const email = await lockUnlessErased(trx, checkout.email, before);
    if (email === null) {
      // Later events about the checkout store no person.
      await trx('erased_ids').insert({ id: checkout.id }).onConflict('id').ignore();
      return false;
    }
    await trx.raw(
      `insert into checkouts (stripe_checkout_session_id, email, state, started_at, visits,
         is_payment_link, plan, amount_pence, snapshot_at)
         values (:id, :email, 'open', now(), :visits, :isPaymentLink, :plan, :amountPence,
           '-infinity')
       on conflict do nothing`,
      {
        ...checkout,
        email,
        plan: offer?.plan ?? null,
        amountPence: offer?.amountPence ?? null,
      },
    );
    return true;
  });
}

/**
 * Stores that Stripe did not open a checkout, once an email: the latest replaces it. Returns
 * nothing to open. Somebody erased meanwhile is left out.
 */
export async function storeNotOpened(
  db: Database,
  checkout: {
    email: string;
    hindrance: CheckoutHindrance;
    plan: BillingInterval;
    amountPence: number;
  },
  before: Before,
): Promise<void> {
  await db.transaction(async (trx) => {
    const email = await lockUnlessErased(trx, checkout.email, before);
    if (email === null) return;
    await trx.raw(
      `insert into checkouts (email, lead_id, state, hindrance, plan, amount_pence, started_at,
         visits, snapshot_at)
         select :email, lead.id, 'not-opened', :hindrance, :plan, :amountPence, now(),
           array_remove(array[lead.session_id], null), now()
         from (select) one left join leads lead on lead.id = :leadId
       on conflict (email_normalised) where state = 'not-opened' do update set
         lead_id = coalesce(excluded.lead_id, checkouts.lead_id), hindrance = excluded.hindrance,
         plan = excluded.plan, amount_pence = excluded.amount_pence,
         started_at = excluded.started_at, visits = checkouts.visits || excluded.visits,
         contacted_at = null, snapshot_at = excluded.snapshot_at`,
      { ...checkout, email, leadId: before.leadId },
    );
  });
}

/** Lists an email's checkouts without a stored end. They may have ended at Stripe. */
export async function listOpenCheckouts(db: Database, email: string): Promise<string[]> {
  return db('checkouts')
    .whereRaw(`email_normalised = normalised_email(?) and state = 'open'`, [email])
    .pluck('stripe_checkout_session_id');
}

export async function deleteOpenCheckout(db: Database, id: string): Promise<void> {
  await db('checkouts').where({ stripeCheckoutSessionId: id, state: 'open' }).delete();
}
