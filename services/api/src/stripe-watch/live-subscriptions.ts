import { isDatabaseUnavailable } from '@site/platform/database/connect';
import type { SubscriptionRow } from '@site/platform/database/tables';
import { isStripeAway } from '../stripe/stripe-failure.ts';
import { INCLUDED, readSubscription, toSnapshot } from '../stripe/subscription-reading.ts';
import { readDatabaseClock } from '../subscriptions/subscription.repository.ts';
import { applyMoney } from '../subscriptions/subscription.service.ts';
import type { WebhookDeps } from '../webhook/webhook.service.ts';

const FINAL = ['canceled', 'incomplete_expired'];

/**
 * Reads every subscription that is not over from Stripe, and every stored one that Stripe no longer lists, and stores
 * them as events do. So our rows agree with Stripe even if events were lost for longer than Stripe keeps them. One
 * that cannot be stored does not stop the others. Throws if Stripe is unreachable.
 */
export async function readLiveSubscriptions(deps: WebhookDeps): Promise<{ read: number; failed: number }> {
  const { db, stripe, log } = deps;
  const seen = new Set<string>();
  const report = { read: 0, failed: 0 };
  const store = async (id: string, read: () => ReturnType<typeof readSubscription>) => {
    seen.add(id);
    try {
      const subscription = await read();
      if (subscription === 'foreign') return;
      await applyMoney(deps, { subscription });
      report.read += 1;
    } catch (err) {
      if (isStripeAway(err) || isDatabaseUnavailable(err)) throw err;
      report.failed += 1;
      log.warn({ err, stripeSubscriptionId: id }, 'subscription could not be read');
    }
  };
  let readAt = await readDatabaseClock(db);
  const expand = INCLUDED.map((part) => `data.${part}`);
  let page = await stripe.subscriptions.list({ limit: 100, expand });
  for (;;) {
    const at = readAt;
    for (const found of page.data) await store(found.id, () => Promise.resolve(toSnapshot(found, at)));
    const last = page.data.at(-1);
    if (!page.has_more || !last) break;
    readAt = await readDatabaseClock(db);
    page = await stripe.subscriptions.list({ limit: 100, expand, starting_after: last.id });
  }
  const stored = await db<SubscriptionRow>('subscriptions')
    .whereNotIn('status', FINAL)
    .select<Pick<SubscriptionRow, 'stripeSubscriptionId'>[]>('stripeSubscriptionId');
  for (const { stripeSubscriptionId: id } of stored) {
    if (seen.has(id)) continue;
    const at = await readDatabaseClock(db);
    await store(id, () => readSubscription(stripe, id, at));
  }
  return report;
}
