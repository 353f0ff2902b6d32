import type { Database } from '@site/platform/database/connect';
import { lockFound } from '@site/platform/people/person';
import type { CheckoutHindrance } from '@site/schema/money';
import type { BillingInterval } from '@site/schema/offer';
import { findPayer } from './payer-lead.repository.ts';
import { countErasures, isErased, readStanding } from './subscription.repository.ts';

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
export async function storeCheckout(
  trx: Database,
  { id, leadId, recoveredFrom, isPaymentLink, recovery, offer, readAt, ...end }: EndedCheckout,
): Promise<boolean> {
  const changed = {
    ...end,
    recoveryUrl: recovery?.url ?? null,
    recoveryEndsAt: recovery?.endsAt ?? null,
    plan: offer?.plan ?? null,
    amountPence: offer?.amountPence ?? null,
    snapshotAt: readAt,
  };
  const complete = { stripeCheckoutSessionId: id, state: 'complete' };
  const wasComplete = await trx('checkouts').where(complete).first('id');
  const visits = trx('leads').where({ id: leadId }).whereNotNull('sessionId').select('sessionId');
  const stored = await trx('checkouts')
    .insert({
      ...changed,
      stripeCheckoutSessionId: id,
      leadId,
      recoveredFrom,
      isPaymentLink,
      visits: trx.raw('array(?)', [visits]),
    })
    .onConflict('stripeCheckoutSessionId')
    .merge({
      ...changed,
      leadId: trx.raw('coalesce(checkouts.lead_id, excluded.lead_id)'),
      recoveredFrom: trx.raw('coalesce(checkouts.recovered_from, excluded.recovered_from)'),
      visits: trx.raw(
        'array(select unnest(checkouts.visits) union select unnest(excluded.visits))',
      ),
    })
    .where('checkouts.snapshotAt', '<', readAt)
    .returning('id');
  return stored.length > 0 && end.state === 'complete' && wasComplete === undefined;
}

/** The facts about a person before a request to Stripe. */
export type Before = { leadId: string | null; erasures: number };

/**
 * Locks a person and returns their email, which may have been corrected meanwhile. Returns null if
 * they, or the checkout with this id, were erased.
 */
async function lockUnlessErased(
  trx: Database,
  email: string,
  { leadId, erasures }: Before,
  id: string | null,
): Promise<string | null> {
  const { found } = await lockFound(trx, async (db) => {
    const payer = await findPayer(db, { leadReference: leadId, email, startedAt: null });
    return { found: payer.email, emails: [email, payer.email] };
  });
  const isGone =
    (await countErasures(trx, email)) > erasures || (await isErased(trx, [leadId, id]));
  return isGone ? null : found;
}

type OpenCheckout = Pick<EndedCheckout, 'id' | 'offer' | 'isPaymentLink'> & {
  email: string;
  visits: string[];
};

/**
 * Stores a checkout that we opened for an email, unless more is known. Any reading replaces the
 * row. If the person was erased meanwhile, keeps only the checkout's id. `paid`: they have another
 * live subscription meanwhile.
 */
export async function storeOpenCheckout(
  db: Database,
  { id, offer, isPaymentLink, visits, email: given }: OpenCheckout,
  before: Before,
): Promise<'stored' | 'erased' | 'paid'> {
  return db.transaction(async (trx) => {
    const email = await lockUnlessErased(trx, given, before, id);
    if (email === null) {
      // Later events about the checkout store no person.
      await trx('erased_ids').insert({ id }).onConflict('id').ignore();
      return 'erased';
    }
    await trx('checkouts')
      .insert({
        ...offer,
        visits,
        isPaymentLink,
        stripeCheckoutSessionId: id,
        email,
        state: 'open',
        startedAt: trx.fn.now(),
        snapshotAt: '-infinity',
      })
      .onConflict()
      .ignore();
    return (await readStanding(trx, email)) === 'live' ? 'paid' : 'stored';
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
    const email = await lockUnlessErased(trx, checkout.email, before, null);
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
