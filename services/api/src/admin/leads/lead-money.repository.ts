import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { CallSent } from '@site/schema/calls/calls';
import { INVOICES_SHOWN } from '@site/schema/calls/subscriptions';
import { dashboardOf } from '../../stripe/stripe.client.ts';

const SHOWN = 20;

type LeadSubscription = CallSent<'GET /api/admin/leads/:id'>['subscriptions'][number];
type LeadCheckout = CallSent<'GET /api/admin/leads/:id'>['checkouts'][number];

/** Lists a lead's checkouts, newest first. */
export async function listCheckouts(db: Database, leadId: string): Promise<LeadCheckout[]> {
  return query<LeadCheckout>(
    db,
    `select started_at, recovery_url, recovery_ends_at, stripe_checkout_session_id in (
       select stripe_checkout_session_id from abandoned_checkouts where lead_id = :leadId) as is_abandoned
     from checkouts where lead_id = :leadId order by started_at desc limit :limit`,
    { leadId, limit: SHOWN },
  );
}

/** Which subscriptions are listed. Of a lead of the email, somebody else may be the payer. */
const OF = {
  leadId: 'lead_id = :leadId',
  address: `stripe_subscription_id in (
    select stripe_subscription_id from subscriptions where email_normalised = :address
    union select stripe_subscription_id from subscriptions join leads on leads.id = lead_id
      where leads.email_normalised = :address)`,
};

/** Lists the subscriptions of a lead or an email, newest first. An erased person's are left out. */
export async function listSubscriptions(
  db: Database,
  secretKey: string,
  of: { leadId: string } | { address: string },
): Promise<LeadSubscription[]> {
  const which = Object.keys(of)[0] as keyof typeof OF;
  // A subscription with a lead always has an email: erasing a person removes both.
  return query<LeadSubscription>(
    db,
    `select stripe_subscription_id, email, array(
         select email_normalised from people
         where with_subscription = s.stripe_subscription_id and s.is_live) as readers, stage, plan, coupon, amount_pence, started_at,
       trial_ends_at, first_paid_at, period_ends_at, cancellation_feedback, cancel_at, ended_at, payment_attempts,
       next_payment_attempt_at, is_collection_paused, unread_parts,
       -- All invoices of a subscription have the same currency.
       coalesce((
         select max(currency) from stripe_invoices i where i.stripe_subscription_id = s.stripe_subscription_id
       ), 'gbp') as currency,
       (select coalesce(json_agg(invoice), '[]') from (
         select id, number, status, total_pence as "totalPence", paid_pence as "paidPence", currency,
           iso(issued_at) as "issuedAt", iso(paid_at) as "paidAt", refunded_pence as "refundedPence", (
             select json_build_object('status', d.status, 'evidenceDueAt', iso(d.evidence_due_at))
             from stripe_disputes d where d.stripe_invoice_id = i.id and d.blocks_refund order by d.opened_at desc limit 1
           ) as dispute
         from stripe_invoices i where i.stripe_subscription_id = s.stripe_subscription_id
         order by issued_at desc, id limit :invoices
       ) invoice) as invoices,
       (select json_build_object('amountPence', d.amount_pence, 'status', d.status, 'evidenceDueAt', iso(d.evidence_due_at),
           'dashboardUrl', :dashboard || '/disputes/' || d.id)
         from stripe_disputes d where d.stripe_subscription_id = s.stripe_subscription_id and d.is_open
         order by d.opened_at desc limit 1) as open_dispute,
       (select json_build_object('pence', sum(pence), 'currency', max(currency)) from disputed_payments d
         where d.stripe_subscription_id = s.stripe_subscription_id having count(*) > 0) as disputed,
       (select json_build_object('reason', reason, 'amountPence', c.amount_pence, 'currency', c.currency)
         from concerns c where c.stripe_subscription_id = s.stripe_subscription_id and c.is_open
         order by since desc limit 1) as unsettled,
       (select json_build_object('until', iso(case when bool_and(other.cancel_at is not null) then max(other.cancel_at) end))
         from subscriptions other
         where other.email_normalised = s.email_normalised and other.id <> s.id and other.is_live having count(*) > 0) as other,
       :dashboard || '/subscriptions/' || stripe_subscription_id as dashboard_url,
       :dashboard || '/customers/' || stripe_customer_id as customer_url
     from subscriptions s where ${OF[which]} and email is not null
     order by started_at desc nulls first, stripe_subscription_id desc limit :limit`,
    { ...of, dashboard: dashboardOf(secretKey), invoices: INVOICES_SHOWN, limit: SHOWN },
  );
}
