import { isDatabaseUnavailable } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { SubscriptionRow } from '@site/platform/database/tables';
import type Stripe from 'stripe';
import { readInvoice } from '../reading/invoice-reading.ts';
import { failureOf, isStripeUnreachable } from '../../stripe/stripe-failure.ts';
import {
  INCLUDED,
  includingWhatExists,
  readSubscription,
  toSnapshot,
} from '../reading/subscription-reading.ts';
import { readDatabaseClock } from '../storing/subscription.repository.ts';
import { toReading } from '../reading/stripe-reading.ts';
import { storeReading } from '../storing/store-reading.ts';
import type { WebhookDeps } from '../inbox/inbox.service.ts';

/**
 * Reads every subscription that has not ended from Stripe, and every stored subscription that
 * Stripe no longer lists, and stores them as events do. So our rows agree with Stripe even if
 * events were lost for longer than Stripe keeps them. A failure to store one does not stop the
 * others. Throws if Stripe is unreachable.
 */
export async function readLiveSubscriptions(
  deps: WebhookDeps,
): Promise<{ read: number; failed: number }> {
  const { db, stripe, log } = deps;
  const seen = new Set<string>();
  const report = { read: 0, failed: 0 };
  const store = async (
    id: string,
    readAt: string,
    read: () => ReturnType<typeof readSubscription>,
  ) => {
    seen.add(id);
    try {
      const subscription = await read();
      await storeReading(deps, [toReading(subscription, id, readAt)]);
      if (subscription !== 'foreign') report.read += 1;
    } catch (err) {
      const failure = failureOf(err);
      // A missing permission affects all of them.
      if (failure === 'unreachable' || failure === 'forbidden' || isDatabaseUnavailable(err))
        throw err;
      report.failed += 1;
      log.warn({ err, stripeSubscriptionId: id }, 'subscription could not be read');
    }
  };
  let after: string | undefined;
  do {
    const at = await readDatabaseClock(db);
    const { page, isWhole } = await listPage(stripe, after);
    for (const subscription of page.data) {
      await store(subscription.id, at, () =>
        isWhole
          ? Promise.resolve(toSnapshot(subscription, at))
          : readSubscription(stripe, subscription.id, at),
      );
    }
    after = page.has_more ? page.data.at(-1)?.id : undefined;
  } while (after !== undefined);
  const stored = await db<SubscriptionRow>('subscriptions')
    .whereNot({ stage: 'ended' })
    .select<Pick<SubscriptionRow, 'stripeSubscriptionId'>[]>('stripeSubscriptionId');
  for (const { stripeSubscriptionId: id } of stored) {
    if (seen.has(id)) continue;
    const at = await readDatabaseClock(db);
    await store(id, at, () => readSubscription(stripe, id, at));
  }
  return report;
}

/**
 * Lists one page. Stripe refuses a whole page for a part of one subscription. Then each is read
 * alone.
 */
async function listPage(stripe: Stripe, after: string | undefined) {
  let isWhole = false;
  const page = await includingWhatExists((parts) => {
    isWhole = parts === INCLUDED;
    return stripe.subscriptions.list({
      limit: 100,
      expand: parts.map((part) => `data.${part}`),
      ...(after !== undefined && { starting_after: after }),
    });
  });
  return { page, isWhole };
}

/**
 * Reads unpaid invoices again, and the latest invoices that no event has brought, a hundred at a
 * time. Those belong to subscriptions that the nightly reading found, or whose email was missing at
 * first. Throws if Stripe is unreachable.
 */
export async function readMissingInvoices(deps: WebhookDeps): Promise<void> {
  const missing = await query<{ id: string }>(
    deps.db,
    `select latest_invoice_id as id from subscriptions
     where latest_invoice_id is not null
       and not exists (select from stripe_invoices where id = latest_invoice_id)
     order by random() limit 100`,
  );
  const open = await query<{ id: string }>(
    deps.db,
    `select id from stripe_invoices
     where status = 'open' and snapshot_at < now() - interval '1 hour'
     order by snapshot_at limit 1000`,
  );
  for (const { id } of [...missing, ...open]) await storeInvoice(deps, id);
}

/** Reads an invoice and stores it, or logs the failure. */
async function storeInvoice(deps: WebhookDeps, id: string): Promise<void> {
  const { db, stripe, log } = deps;
  const readAt = await readDatabaseClock(db);
  try {
    const reading = await readInvoice(stripe, id, readAt);
    await storeReading(deps, reading ? [reading] : []);
  } catch (err) {
    if (isStripeUnreachable(err) || isDatabaseUnavailable(err)) throw err;
    log.warn({ err, invoice: id }, 'invoice could not be read');
  }
}
