import { isDatabaseUnavailable } from '@site/platform/database/connect';
import { readInvoice } from '../stripe/invoice-reading.ts';
import { isStripeUnreachable } from '../stripe/stripe-failure.ts';
import { readDatabaseClock } from '../subscriptions/subscription.repository.ts';
import { applyMoney } from '../webhook/store-reading.ts';
import type { WebhookDeps } from '../webhook/webhook.service.ts';

const A_NIGHT = 100;

/**
 * Reads invoices again that 0.2.0 stored, without their currency and tax, a hundred at a time. One that cannot be read
 * comes last the next time. Throws if Stripe is unreachable. 0.4.0 removes it.
 */
export async function readOlderInvoices(deps: WebhookDeps): Promise<void> {
  const { db, stripe, log } = deps;
  const older = await db('stripe_invoices').whereNull('currency').orderBy('snapshotAt').limit(A_NIGHT).pluck('id');
  for (const id of older) {
    const readAt = await readDatabaseClock(db);
    try {
      const reading = await readInvoice(stripe, id, readAt);
      if (reading !== 'foreign') await applyMoney(deps, reading);
    } catch (err) {
      if (isStripeUnreachable(err) || isDatabaseUnavailable(err)) throw err;
      log.warn({ err, invoice: id }, 'invoice could not be read');
    }
    await db('stripe_invoices').where({ id }).whereNull('currency').update({ snapshotAt: readAt });
  }
}
