import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';

/** Revenue from the leads of one source. Amounts in pence, over all time. */
export type SourceRevenue = {
  /** The button that opened the form; null for subscriptions without a lead, and leads without a button. */
  source: string | null;
  /** The campaign that brought the visit. */
  campaign: string | null;
  subscriptions: number;
  live: number;
  paidPence: number;
  /** Refunds, and disputes that were lost. */
  returnedPence: number;
};

/** Sums revenue by the button and the campaign of each subscription's lead, largest first. */
export async function readRevenueBySource(db: Database): Promise<SourceRevenue[]> {
  return query<SourceRevenue>(
    db,
    `with charged as (
       select stripe_charges.id, stripe_invoices.stripe_subscription_id as subscription,
         least(stripe_charges.amount_pence, stripe_charges.refunded_pence + coalesce((
           select sum(amount_pence) from stripe_disputes
           where stripe_charge_id = stripe_charges.id and status = 'lost'
         ), 0)) as returned
       from stripe_charges join stripe_invoices on stripe_invoices.id = stripe_charges.stripe_invoice_id
     ), of_subscription as (
       select s.lead_id, s.is_live,
         coalesce((select sum(paid_pence) from stripe_invoices i where i.stripe_subscription_id = s.stripe_subscription_id), 0) as paid,
         coalesce((select sum(returned) from charged where subscription = s.stripe_subscription_id), 0) as returned
       from subscriptions s
     )
     select l.utm_source as source, l.visit_utm_campaign as campaign, count(*)::int as subscriptions,
       (count(*) filter (where is_live))::int as live, sum(paid)::bigint as paid_pence, sum(returned)::bigint as returned_pence
     from of_subscription left join leads l on l.id = of_subscription.lead_id
     group by 1, 2 order by sum(paid) - sum(returned) desc, 1, 2`,
  );
}
