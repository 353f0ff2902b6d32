import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import { NO_ATTEMPT } from '../reading/payment-snapshots.ts';
import type {
  ChargeSnapshot,
  DisputeSnapshot,
  InvoiceSnapshot,
} from '../reading/payment-snapshots.ts';

/*
 * Invoices, refunds and disputes. Each row is the latest reading, and an older reading changes
 * nothing. A refund or dispute whose invoice could not be read is stored without it.
 */

/**
 * Stores an invoice. Returns true for the first reading of a paid invoice. An invoice with nothing
 * due is not a payment.
 */
export async function storeInvoice(
  trx: Database,
  { attempt, ...invoice }: InvoiceSnapshot & { stripeSubscriptionId: string; readAt: string },
): Promise<boolean> {
  const [stored] = await query<{ isNewlyPaid: boolean }>(
    trx,
    `with before as (
       select from stripe_invoices where id = :id and status = 'paid'
     )
     insert into stripe_invoices (id, stripe_subscription_id, status, number, total_pence,
       paid_pence, attempts, issued_at, paid_at, currency, tax_pence, remaining_pence, country,
       page_url, decline_code, card_brand, card_last4, fee_pence, available_at, snapshot_at)
       values (:id, :stripeSubscriptionId, :status, :number, :totalPence, :paidPence, :attempts,
         :issuedAt, :paidAt, :currency, :taxPence, :remainingPence, :country, :pageUrl,
         :declineCode, :cardBrand, :cardLast4, :feePence, :availableAt, :readAt)
     on conflict (id) do update set
       status = excluded.status, number = excluded.number, total_pence = excluded.total_pence,
       paid_pence = excluded.paid_pence, attempts = excluded.attempts, paid_at = excluded.paid_at,
       currency = excluded.currency, tax_pence = excluded.tax_pence,
       remaining_pence = excluded.remaining_pence, country = excluded.country,
       page_url = excluded.page_url, decline_code = excluded.decline_code,
       card_brand = coalesce(excluded.card_brand, stripe_invoices.card_brand),
       card_last4 = coalesce(excluded.card_last4, stripe_invoices.card_last4),
       fee_pence = coalesce(excluded.fee_pence, stripe_invoices.fee_pence),
       available_at = coalesce(excluded.available_at, stripe_invoices.available_at),
       snapshot_at = excluded.snapshot_at
       where stripe_invoices.snapshot_at < excluded.snapshot_at
     returning status = 'paid' and not exists (select from before) as is_newly_paid`,
    { ...invoice, ...(attempt ?? NO_ATTEMPT) },
  );
  if (invoice.paidPence === 0) return false;
  const firstPaidAt = invoice.paidAt ?? invoice.issuedAt;
  await trx('subscriptions')
    .where({ stripeSubscriptionId: invoice.stripeSubscriptionId })
    .whereRaw('(first_paid_at is null or first_paid_at > ?)', [firstPaidAt])
    .update({ firstPaidAt });
  await addUpRefunds(trx, invoice.id);
  return stored?.isNewlyPaid === true;
}

/**
 * Lists a subscription's unpaid invoices, at most ten: Stripe may have closed them without an event
 * that arrived.
 */
export const listOpenInvoices = (db: Database, stripeSubscriptionId: string | null) =>
  db('stripe_invoices')
    .where({ stripeSubscriptionId, status: 'open' })
    .orderBy('issuedAt')
    .limit(10)
    .pluck<string[]>('id');

/**
 * Removes the links to invoice pages, which name the customer, and their cards. Call it before an
 * erasure.
 */
export async function clearInvoicePages(trx: Database, emails: string[]): Promise<void> {
  const paid = trx('subscriptions').whereIn('emailNormalised', emails);
  await trx('stripe_invoices')
    .whereIn('stripeSubscriptionId', paid.select('stripeSubscriptionId'))
    .update({ pageUrl: null, declineCode: null, cardBrand: null, cardLast4: null });
}

/** The invoice of a refund or a dispute, which may not be stored. */
type Paid = { stripeSubscriptionId: string; invoiceId: string; readAt: string };

export async function storeCharge(
  trx: Database,
  { refunds, ...charge }: ChargeSnapshot & Paid,
): Promise<void> {
  const { id: chargeId, invoiceId, stripeSubscriptionId, readAt } = charge;
  for (const refund of refunds) {
    await trx.raw(
      `insert into stripe_refunds (id, stripe_subscription_id, stripe_invoice_id, stripe_charge_id,
         amount_pence, currency, status, failure_reason, refunded_at, failed_at, snapshot_at)
       values (:id, :stripeSubscriptionId, :invoiceId, :chargeId, :amountPence, :currency,
         :status, :failureReason, :refundedAt,
         case when :status in ('failed', 'canceled') then :readAt::timestamptz end, :readAt)
       on conflict (id) do update set
         status = excluded.status,
         failure_reason = excluded.failure_reason,
         failed_at = coalesce(stripe_refunds.failed_at, excluded.failed_at),
         snapshot_at = excluded.snapshot_at
       where stripe_refunds.snapshot_at < excluded.snapshot_at`,
      { ...refund, chargeId, invoiceId, stripeSubscriptionId, readAt },
    );
  }
  await trx('stripe_invoices')
    .where({ id: invoiceId })
    .whereNull('stripeChargeId')
    .update({ stripeChargeId: chargeId, stripePaymentIntentId: charge.paymentIntentId });
  await addUpRefunds(trx, invoiceId);
}

/** Adds up an invoice's refunds, whether the invoice or a refund was stored first. */
async function addUpRefunds(trx: Database, invoiceId: string): Promise<void> {
  await trx.raw(
    `update stripe_invoices set refunded_pence = refunded.pence
     from (select coalesce(sum(amount_pence), 0) as pence from stripe_refunds
       where stripe_invoice_id = :invoiceId and status not in ('failed', 'canceled')) refunded
     where id = :invoiceId and refunded_pence <> refunded.pence`,
    { invoiceId },
  );
}

/** Stores a dispute. Returns true if it is new. */
export async function storeDispute(
  trx: Database,
  dispute: DisputeSnapshot & Paid & { chargeId: string },
): Promise<boolean> {
  const [stored] = await query<{ isNew: boolean }>(
    trx,
    `insert into stripe_disputes (id, stripe_subscription_id, stripe_invoice_id, stripe_charge_id,
       amount_pence, currency,
         reason, status, evidence_due_at, opened_at, snapshot_at)
       values (:id, :stripeSubscriptionId, :invoiceId, :chargeId, :amountPence, :currency, :reason,
         :status, :evidenceDueAt,
         :openedAt, :readAt)
     on conflict (id) do update set status = excluded.status, amount_pence = excluded.amount_pence,
       currency = excluded.currency, evidence_due_at = excluded.evidence_due_at,
       snapshot_at = excluded.snapshot_at,
       escalated_at = coalesce(stripe_disputes.escalated_at, case
         when starts_with(stripe_disputes.status, 'warning_')
           and not starts_with(excluded.status, 'warning_') then excluded.snapshot_at end),
       won_at = coalesce(stripe_disputes.won_at, case when stripe_disputes.blocks_refund
         and excluded.status in ('won', 'prevented') then excluded.snapshot_at end)
       where stripe_disputes.snapshot_at < excluded.snapshot_at
     returning xmax = 0 as is_new`,
    dispute,
  );
  return stored?.isNew === true;
}

/** Finds the invoice's dispute that makes Stripe refuse a refund, or returns null. */
export async function findRefusingDispute(
  db: Database,
  invoiceId: string,
): Promise<'open' | 'lost' | null> {
  const [found] = await query<{ dispute: 'open' | 'lost' }>(
    db,
    `select case status when 'lost' then 'lost' else 'open' end as dispute
     from stripe_disputes
     where stripe_invoice_id = ? and blocks_refund
     order by opened_at desc
     limit 1`,
    [invoiceId],
  );
  return found?.dispute ?? null;
}

/** Finds the latest paid invoice of a subscription, or the named one. */
export const findPaidInvoice = (
  db: Database,
  stripeSubscriptionId: string,
  invoiceId: string | undefined,
) =>
  db('stripe_invoices')
    .where({ stripeSubscriptionId, ...(invoiceId !== undefined && { id: invoiceId }) })
    .where('paidPence', '>', 0)
    .orderBy('issuedAt', 'desc')
    .first('id', 'number', 'paidPence', 'paidAt', 'currency');

/** Finds an invoice's subscription. Returns null for an unknown invoice or an erased person. */
export async function findInvoiceOwner(db: Database, id: string): Promise<string | null> {
  const [owner] = await query<{ stripeSubscriptionId: string }>(
    db,
    `select stripe_subscription_id
     from stripe_invoices join subscriptions using (stripe_subscription_id)
     where stripe_invoices.id = ? and email is not null`,
    [id],
  );
  return owner?.stripeSubscriptionId ?? null;
}
