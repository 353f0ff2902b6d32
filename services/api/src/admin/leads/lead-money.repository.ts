import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { CallSent } from '@site/schema/calls/calls';
import { INVOICES_SHOWN } from '@site/schema/calls/subscriptions';
import { dashboardOf } from '../../stripe/stripe.client.ts';

const SHOWN = 20;
/** The most entries of a history, and of each list that it is built from. */
export const MAX_ENTRIES = 200;

type Answer = CallSent<'GET /api/admin/leads/:id'>;
type Subscription = Answer['subscriptions'][number];

/** An email, and the leads of its person. */
export type Person = { emailNormalised: string; leadIds: string[] };

export type HeldCheckout = Answer['checkouts'][number] & { leadId: string | null; state: string };

/**
 * Lists the checkouts of a person's leads, newest first, and those of their email that name no
 * lead, are open, or did not open.
 */
export async function listCheckouts(db: Database, person: Person): Promise<HeldCheckout[]> {
  return query<HeldCheckout>(
    db,
    `select lead_id, state, hindrance, started_at, recovery_url,
       recovery_ends_at,
       id in (
         select id from abandoned_checkouts
         where lead_id = any(:leadIds::uuid[])
           or (lead_id is null or state = 'not-opened') and email_normalised = :emailNormalised
       ) as is_abandoned
     from checkouts
     where lead_id = any(:leadIds::uuid[])
       or (lead_id is null or state in ('open', 'not-opened'))
         and email_normalised = :emailNormalised
     order by started_at desc
     limit :most`,
    { ...person, most: MAX_ENTRIES },
  );
}

/**
 * Lists the subscriptions that a person pays for, or somebody else for the person's lead, newest
 * first. Leaves out an erased person's.
 */
export async function listSubscriptions(
  db: Database,
  secretKey: string,
  person: Person,
): Promise<Subscription[]> {
  // A subscription with a lead always has an email, because an erasure removes both.
  return query<Subscription>(
    db,
    `select stripe_subscription_id, email, stage, plan, coupon, amount_pence, started_at,
       trial_ends_at, first_paid_at, period_ends_at, cancellation_feedback, cancel_at, ended_at,
       payment_attempts, next_payment_attempt_at, is_collection_paused, unread_parts,
       (select json_build_object('code', decline_code, 'brand', card_brand, 'last4', card_last4)
         from stripe_invoices
         where id = latest_invoice_id and decline_code is not null) as decline,
       array(
         select email_normalised from people
         where free_with_subscription = s.stripe_subscription_id and s.is_live) as readers,
       -- All invoices of a subscription have the same currency.
       coalesce((
         select max(currency) from stripe_invoices i
         where i.stripe_subscription_id = s.stripe_subscription_id), 'gbp') as currency,
       (select coalesce(json_agg(invoice), '[]') from (
         select id, number, status, total_pence as "totalPence", paid_pence as "paidPence",
           currency, iso(issued_at) as "issuedAt", iso(paid_at) as "paidAt",
           refunded_pence as "refundedPence", (
             select json_build_object('status', d.status, 'evidenceDueAt', iso(d.evidence_due_at))
             from stripe_disputes d
             where d.stripe_invoice_id = i.id and d.blocks_refund
             order by d.opened_at desc
             limit 1) as dispute
         from stripe_invoices i
         where i.stripe_subscription_id = s.stripe_subscription_id
         order by issued_at desc, id
         limit :most) invoice) as invoices,
       (select json_build_object('amountPence', d.amount_pence, 'status', d.status,
           'evidenceDueAt', iso(d.evidence_due_at),
           'dashboardUrl', :dashboard || '/disputes/' || d.id)
         from stripe_disputes d
         where d.stripe_subscription_id = s.stripe_subscription_id and d.is_open
         order by d.opened_at desc
         limit 1) as open_dispute,
       (select coalesce(json_agg(total order by currency), '[]') from (
         select currency,
           coalesce(sum(pence) filter (where kind = 'payment'), 0) as "paidPence",
           coalesce(-sum(pence) filter (where kind in ('refund', 'failed refund')), 0)
             as "refundedPence",
           coalesce(-sum(pence) filter (where kind in ('dispute', 'won dispute')), 0)
             as "heldPence"
         from payments p
         where p.stripe_subscription_id = s.stripe_subscription_id
         group by currency) total) as totals,
       (select json_build_object(
           'reason', reason, 'amountPence', c.amount_pence, 'currency', c.currency)
         from unsettled c
         where c.stripe_subscription_id = s.stripe_subscription_id and c.is_open
         order by since desc
         limit 1) as unsettled,
       (select json_build_object('until',
           iso(case when bool_and(other.cancel_at is not null) then max(other.cancel_at) end))
         from subscriptions other
         where other.email_normalised = s.email_normalised and other.id <> s.id and other.is_live
         having count(*) > 0) as other,
       :dashboard || '/subscriptions/' || stripe_subscription_id as dashboard_url,
       :dashboard || '/customers/' || stripe_customer_id as customer_url
     from subscriptions s
     where email is not null
       and (email_normalised = :emailNormalised or lead_id = any(:leadIds::uuid[]))
     order by started_at desc nulls first, stripe_subscription_id desc
     limit :shown`,
    { ...person, dashboard: dashboardOf(secretKey), most: INVOICES_SHOWN, shown: SHOWN },
  );
}

/** Converts a checkout to the contract's form. */
export const toCheckout = ({ leadId, state, ...checkout }: HeldCheckout) => checkout;
