import { isDatabaseUnavailable } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import { readInvoice } from '../stripe/invoice-reading.ts';
import { isStripeUnreachable } from '../stripe/stripe-failure.ts';
import { readDatabaseClock } from '../subscriptions/subscription.repository.ts';
import { applyMoney } from '../webhook/store-reading.ts';
import type { WebhookDeps } from '../webhook/webhook.service.ts';

const A_NIGHT = 100;

/**
 * Reads the latest invoices that no event has brought, a hundred at a time: of subscriptions that the night's reading
 * found, or whose address was missing at first. Throws if Stripe is unreachable.
 */
export async function readMissingInvoices(deps: WebhookDeps): Promise<void> {
  const missing = await query<{ id: string }>(
    deps.db,
    `select latest_invoice_id as id from subscriptions
     where latest_invoice_id is not null and not exists (select from stripe_invoices where id = latest_invoice_id)
     order by random() limit ${A_NIGHT}`,
  );
  for (const { id } of missing) await storeAgain(deps, id);
}

/**
 * Reads invoices again that 0.2.0 stored, without their currency and tax, a hundred at a time. One that cannot be read
 * comes last the next time. Throws if Stripe is unreachable. 0.4.0 removes it.
 */
export async function readOlderInvoices(deps: WebhookDeps): Promise<void> {
  const { db } = deps;
  const older = await db('stripe_invoices').whereNull('currency').orderBy('snapshotAt').limit(A_NIGHT).pluck('id');
  for (const id of older) {
    const snapshotAt = await storeAgain(deps, id);
    await db('stripe_invoices').where({ id }).whereNull('currency').update({ snapshotAt });
  }
}

/** Reads an invoice and stores it, or logs why not. Returns when it was read. */
async function storeAgain(deps: WebhookDeps, id: string): Promise<string> {
  const { db, stripe, log } = deps;
  const readAt = await readDatabaseClock(db);
  try {
    const reading = await readInvoice(stripe, id, readAt);
    if (reading !== 'foreign') await applyMoney(deps, reading);
  } catch (err) {
    if (isStripeUnreachable(err) || isDatabaseUnavailable(err)) throw err;
    log.warn({ err, invoice: id }, 'invoice could not be read');
  }
  return readAt;
}
