import type { Database } from '@site/platform/database/connect';
import type { Reviewable } from '@site/schema/money';
import type { Knex } from 'knex';

/** For each kind the row that waits to be looked at, and where it is written that somebody did. */
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
  parked: { find: (db, id) => db('stripe_events').where({ id, outcome: 'parked' }), reviewedAt: 'reviewedAt' },
};

/** Marks something as looked at, once; undefined for what does not wait (any more). */
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
