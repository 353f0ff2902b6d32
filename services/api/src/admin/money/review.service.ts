import type { Database } from '@site/platform/database/connect';
import type { Reviewable } from '@site/schema/calls/attention';
import { problem } from '../../http/problem.ts';
import { recordAction } from '../../audit/audit.repository.ts';
import { markReviewed } from './review.repository.ts';

const REVIEWS = {
  'second-subscriptions': {
    action: 'review-second',
    missing: 'This subscription is not, or no longer, a second one.',
  },
  'not-receiving': {
    action: 'review-not-receiving',
    missing: 'This subscription has no payer who does not receive.',
  },
  subscriptions: {
    action: 'review-subscription',
    missing: 'This subscription is paid for, or has ended.',
  },
  refunds: { action: 'review-refund', missing: 'This refund has not failed.' },
  parked: { action: 'review-stripe-event', missing: 'This event is no longer parked.' },
} as const;

/**
 * Marks an item as reviewed. Repeating it does no harm, and is recorded once. Throws 404 for an
 * item that needs no attention.
 */
export async function review(
  db: Database,
  operator: string,
  kind: Reviewable,
  id: string,
): Promise<void> {
  const { action, missing } = REVIEWS[kind];
  await db.transaction(async (trx) => {
    const outcome = await markReviewed(trx, kind, id);
    if (outcome === undefined) throw problem('not-found', { detail: missing });
    if (outcome === 'marked') await recordAction(trx, { operator, action, subject: id });
  });
}
