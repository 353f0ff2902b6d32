import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type {
  ChargeSnapshot,
  DisputeSnapshot,
  InvoiceSnapshot,
} from '../stripe/invoice-reading.ts';

/** True for a row `d` of `stripe_disputes` that is not decided. */
export const IS_DISPUTE_OPEN = `d.status not in ('won', 'lost', 'warning_closed', 'prevented')`;
/** Orders open disputes: those to answer by their deadline, then those that the bank decides. */
export const byDeadline = (status: string, due: string) =>
  `${status} like '%under_review', ${due} nulls last`;
/** True for one because of which Stripe refuses a refund. An inquiry (`warning_…`) has not taken the money. */
export const IS_REFUND_REFUSED = `d.status not in ('won', 'prevented') and d.status not like 'warning!_%' escape '!'`;

/** Joins the charge `c` and its invoice `i` of a refund or a dispute. */
export const PAID_BY =
  'join stripe_charges c on c.id = stripe_charge_id join stripe_invoices i on i.id = c.stripe_invoice_id';
/** Every refund and dispute has both. So that those who are only added up are not looked up, they are joined as if some had none. */
const OF_CHARGE =
  'left join stripe_charges c on c.id = stripe_charge_id left join stripe_invoices i on i.id = c.stripe_invoice_id';
/**
 * Refunds, as `r` with its charge `c` and its invoice `i`. One that failed was made first, and comes back on the day it failed:
 * a second row with a negative amount, so that a month that is over does not change.
 */
export const REFUNDS = `(
  select id, stripe_charge_id, amount_pence, refunded_at, false as is_back from stripe_refunds
    where status not in ('failed', 'canceled') or failed_at is not null
  union all
  select id, stripe_charge_id, -amount_pence, failed_at, true from stripe_refunds
    where status in ('failed', 'canceled') and failed_at is not null
) r ${OF_CHARGE}`;
/** Disputes that took the money, as `d` likewise, on the day that they were lost. One that is won after all comes back likewise. */
export const LOST_DISPUTES = `(
  select id, stripe_charge_id, amount_pence, coalesce(lost_at, opened_at) as lost_at, false as is_back from stripe_disputes
    where status = 'lost' or lost_at is not null
  union all
  select id, stripe_charge_id, -amount_pence, coalesce(won_at, snapshot_at), true from stripe_disputes
    where status = 'won' and lost_at is not null
) d ${OF_CHARGE}`;
/**
 * True for a row `i` of `stripe_invoices` that figures may add up. Until it is read again, an older one is assumed to be. Not
 * by `coalesce`, of which Postgres expects one row in 200.
 */
export const IN_POUNDS = `(i.currency is null or i.currency = 'gbp')`;
/** The same of a refund, without looking up each one's invoice: few are in another currency, so their charges are read once. */
const IS_REFUND_IN_POUNDS = `(stripe_charge_id not in (
  select id from stripe_charges where stripe_invoice_id in (select id from stripe_invoices where currency <> 'gbp')))`;

/** Each kind of what moved. */
const KINDS = {
  payment: (
    within: Within,
  ) => `select 'payment' as kind, i.id as entry, i.stripe_subscription_id, i.currency,
    ${IN_POUNDS} as is_in_pounds, i.paid_at as at, i.paid_pence as pence from stripe_invoices i where i.paid_pence > 0 and ${within('i.paid_at')}`,
  refund: (
    within: Within,
  ) => `select 'refund' as kind, case when is_back then 'failed ' else '' end || r.id as entry, i.stripe_subscription_id, i.currency,
    ${IS_REFUND_IN_POUNDS} as is_in_pounds, r.refunded_at as at, r.amount_pence as pence from ${REFUNDS} where ${within('r.refunded_at')}`,
  lost: (
    within: Within,
  ) => `select 'lost' as kind, case when is_back then 'won ' else '' end || d.id as entry, i.stripe_subscription_id, i.currency,
    ${IN_POUNDS} as is_in_pounds, d.lost_at as at, d.amount_pence as pence from ${LOST_DISPUTES} where ${within('d.lost_at')}`,
};
type Within = (at: string) => string;
export type MovedKind = keyof typeof KINDS;

/**
 * What was paid, refunded and lost in disputes, or only a kind of it, as `moved`: a row each, on its own day, with the condition
 * `within` on that day. A refund that failed and a dispute that was won after all are ones of a negative amount.
 */
export const toMoved = (within: Within, kind?: MovedKind) =>
  `(${(kind ? [KINDS[kind]] : Object.values(KINDS)).map((rows) => rows(within)).join(' union all ')}) moved`;

/*
 * Invoices, charges, refunds and disputes. Each row is the latest reading; an older reading changes nothing.
 */

/** Stores an invoice. Returns true if this is the first reading in which it is paid. An invoice with nothing due is not a payment. */
export async function storeInvoice(
  trx: Database,
  invoice: InvoiceSnapshot & { stripeSubscriptionId: string; readAt: string },
): Promise<boolean> {
  const [stored] = await query<{ isNewlyPaid: boolean }>(
    trx,
    `with before as (
       select from stripe_invoices where id = :id and status = 'paid'
     )
     insert into stripe_invoices (id, stripe_subscription_id, status, number, total_pence, paid_pence, attempts, issued_at,
         paid_at, currency, net_pence, tax_pence, remaining_pence, country, first_failed_at, snapshot_at)
       values (:id, :stripeSubscriptionId, :status, :number, :totalPence, :paidPence, :attempts, :issuedAt, :paidAt,
         :currency, :netPence, :taxPence, :remainingPence, :country,
         case when :status = 'open' and :attempts > 0 then :readAt::timestamptz end, :readAt)
     on conflict (id) do update set
       status = excluded.status, number = excluded.number, total_pence = excluded.total_pence,
       paid_pence = excluded.paid_pence, attempts = excluded.attempts, paid_at = excluded.paid_at,
       currency = excluded.currency, net_pence = excluded.net_pence, tax_pence = excluded.tax_pence,
       remaining_pence = excluded.remaining_pence, country = excluded.country,
       first_failed_at = coalesce(stripe_invoices.first_failed_at, excluded.first_failed_at), snapshot_at = excluded.snapshot_at
       where stripe_invoices.snapshot_at < excluded.snapshot_at
     returning status = 'paid' and not exists (select from before) as is_newly_paid`,
    invoice,
  );
  if (invoice.paidPence === 0) return false;
  const firstPaidAt = invoice.paidAt ?? invoice.issuedAt;
  await trx('subscriptions')
    .where({ stripeSubscriptionId: invoice.stripeSubscriptionId })
    .whereRaw('(first_paid_at is null or first_paid_at > ?)', [firstPaidAt])
    .update({ firstPaidAt });
  return stored?.isNewlyPaid === true;
}

export async function storeCharge(
  trx: Database,
  { refunds, ...charge }: ChargeSnapshot & { invoiceId: string; readAt: string },
): Promise<void> {
  await trx.raw(
    `insert into stripe_charges (id, stripe_invoice_id, amount_pence, refunded_pence, snapshot_at)
       values (:id, :invoiceId, :amountPence, :refundedPence, :readAt)
     on conflict (id) do update set refunded_pence = excluded.refunded_pence, snapshot_at = excluded.snapshot_at
       where stripe_charges.snapshot_at < excluded.snapshot_at`,
    charge,
  );
  for (const refund of refunds) {
    await trx.raw(
      `insert into stripe_refunds (id, stripe_charge_id, amount_pence, status, failure_reason, refunded_at, failed_at, snapshot_at)
         values (:id, :chargeId, :amountPence, :status, :failureReason, :refundedAt,
           case when :status in ('failed', 'canceled') then :readAt::timestamptz end, :readAt)
       on conflict (id) do update set status = excluded.status, failure_reason = excluded.failure_reason,
         failed_at = coalesce(stripe_refunds.failed_at, excluded.failed_at), snapshot_at = excluded.snapshot_at
         where stripe_refunds.snapshot_at < excluded.snapshot_at`,
      { ...refund, chargeId: charge.id, readAt: charge.readAt },
    );
  }
}

/** Stores a dispute. Returns true if it is new. */
export async function storeDispute(
  trx: Database,
  dispute: DisputeSnapshot & { chargeId: string; readAt: string },
): Promise<boolean> {
  const [stored] = await query<{ isNew: boolean }>(
    trx,
    `insert into stripe_disputes (id, stripe_charge_id, amount_pence, reason, status, evidence_due_at, opened_at, lost_at, snapshot_at)
       values (:id, :chargeId, :amountPence, :reason, :status, :evidenceDueAt, :openedAt,
         case when :status = 'lost' then :readAt::timestamptz end, :readAt)
     on conflict (id) do update set status = excluded.status, amount_pence = excluded.amount_pence,
       evidence_due_at = excluded.evidence_due_at, snapshot_at = excluded.snapshot_at,
       lost_at = coalesce(stripe_disputes.lost_at, case when stripe_disputes.status = 'lost' then stripe_disputes.opened_at end, excluded.lost_at),
       won_at = coalesce(stripe_disputes.won_at, case when stripe_disputes.lost_at is not null and excluded.status = 'won' then excluded.snapshot_at end)
       where stripe_disputes.snapshot_at < excluded.snapshot_at
     returning xmax = 0 as is_new`,
    dispute,
  );
  return stored?.isNew === true;
}

/** Finds whether an invoice has a dispute because of which Stripe refuses to refund it. */
export async function findRefusingDispute(
  db: Database,
  invoiceId: string,
): Promise<'open' | 'lost' | null> {
  const [found] = await query<{ dispute: 'open' | 'lost' }>(
    db,
    `select case d.status when 'lost' then 'lost' else 'open' end as dispute
     from stripe_disputes d join stripe_charges c on c.id = d.stripe_charge_id
     where c.stripe_invoice_id = ? and ${IS_REFUND_REFUSED} order by d.opened_at desc limit 1`,
    [invoiceId],
  );
  return found?.dispute ?? null;
}
