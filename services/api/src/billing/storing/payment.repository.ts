import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import { NO_ATTEMPT, RETURNED_NOTHING } from '../reading/payment-snapshots.ts';
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
  {
    attempt,
    readAt,
    ...invoice
  }: InvoiceSnapshot & { stripeSubscriptionId: string; readAt: string },
): Promise<boolean> {
  const { id, stripeSubscriptionId, status } = invoice;
  const row = { ...invoice, ...(attempt ?? NO_ATTEMPT), snapshotAt: readAt };
  const kept = ['cardBrand', 'cardLast4', 'feePence', 'availableAt'].map((name) => [
    name,
    trx.raw('coalesce(excluded.??, stripe_invoices.??)', [name, name]),
  ]);
  const wasPaid = await trx('stripe_invoices').where({ id, status: 'paid' }).first('id');
  const stored = await trx('stripe_invoices')
    .insert(row)
    .onConflict('id')
    .merge({ ...row, ...Object.fromEntries(kept) })
    .where('stripe_invoices.snapshotAt', '<', readAt)
    .returning('id');
  if (invoice.paidPence === 0) return false;
  const firstPaidAt = invoice.paidAt ?? invoice.issuedAt;
  await trx('subscriptions')
    .where({ stripeSubscriptionId })
    .whereRaw('(first_paid_at is null or first_paid_at > ?)', [firstPaidAt])
    .update({ firstPaidAt });
  await addUpRefunds(trx, id);
  return stored.length > 0 && status === 'paid' && wasPaid === undefined;
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

const toColumns = ({ stripeSubscriptionId, invoiceId, chargeId }: Paid & { chargeId: string }) => ({
  stripeSubscriptionId,
  stripeInvoiceId: invoiceId,
  stripeChargeId: chargeId,
});

export async function storeCharge(
  trx: Database,
  { refunds, ...charge }: ChargeSnapshot & Paid,
): Promise<void> {
  const { invoiceId, readAt } = charge;
  for (const { operatorRequest: _, ...refund } of refunds) {
    const { status, failureReason } = refund;
    const changed = { status, failureReason, snapshotAt: readAt };
    const failedAt = RETURNED_NOTHING.has(status) ? readAt : null;
    await trx('stripe_refunds')
      .insert({ ...refund, ...toColumns({ ...charge, chargeId: charge.id }), ...changed, failedAt })
      .onConflict('id')
      .merge({ ...changed, failedAt: trx.raw('coalesce(stripe_refunds.failed_at, ?)', [failedAt]) })
      .where('stripe_refunds.snapshotAt', '<', readAt);
  }
  await trx('stripe_invoices')
    .where({ id: invoiceId })
    .whereNull('stripeChargeId')
    .update({ stripeChargeId: charge.id, stripePaymentIntentId: charge.paymentIntentId });
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
  { id, reason, openedAt, ...dispute }: DisputeSnapshot & Paid & { chargeId: string },
): Promise<boolean> {
  const { status, amountPence, currency, evidenceDueAt, readAt } = dispute;
  const changed = { status, amountPence, currency, evidenceDueAt, snapshotAt: readAt };
  const [stored] = await trx('stripe_disputes')
    .insert({ id, reason, openedAt, ...toColumns(dispute), ...changed })
    .onConflict('id')
    .merge({
      ...changed,
      escalatedAt: trx.raw(
        `coalesce(stripe_disputes.escalated_at, case
           when starts_with(stripe_disputes.status, 'warning_')
             and not starts_with(excluded.status, 'warning_') then excluded.snapshot_at end)`,
      ),
      wonAt: trx.raw(
        `coalesce(stripe_disputes.won_at, case when stripe_disputes.blocks_refund
           and excluded.status in ('won', 'prevented') then excluded.snapshot_at end)`,
      ),
    })
    .where('stripe_disputes.snapshotAt', '<', readAt)
    .returning<{ isNew: boolean }[]>(trx.raw('xmax = 0 as is_new'));
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
