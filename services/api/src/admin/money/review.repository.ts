import type { Database } from '@site/platform/database/connect';
import type { Reviewable } from '@site/schema/calls/money';
import type { Knex } from 'knex';

/** For each kind, how to find the row and which column records the review. */
const WAITING: Record<Reviewable, { find: (db: Database, id: string) => Knex.QueryBuilder; reviewedAt: string }> = {
  mismatches: {
    find: (db, stripeSubscriptionId) => db('payer_mismatches').where({ stripeSubscriptionId }),
    reviewedAt: 'reviewedAt',
  },
  'second-subscriptions': {
    find: (db, stripeSubscriptionId) =>
      db('subscriptions').where({ stripeSubscriptionId }).whereNotNull('secondLiveSince'),
    reviewedAt: 'secondLiveReviewedAt',
  },
  refunds: { find: (db, id) => db('stripe_refunds').where({ id, status: 'failed' }), reviewedAt: 'reviewedAt' },
  parked: { find: (db, id) => db('stripe_events').where({ id, outcome: 'parked' }), reviewedAt: 'reviewedAt' },
};

/** Marks a row as reviewed, once. Returns undefined if it does not need attention. */
export async function markReviewed(
  db: Database,
  kind: Reviewable,
  id: string,
): Promise<'marked' | 'marked-before' | undefined> {
  const { find, reviewedAt } = WAITING[kind];
  const marked = await find(db, id)
    .whereNull(reviewedAt)
    .update({ [reviewedAt]: db.fn.now() });
  if (marked > 0) return 'marked';
  return (await find(db, id).first(reviewedAt)) && 'marked-before';
}
