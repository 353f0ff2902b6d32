import type { Database } from '@site/platform/database/connect';
import type { ParkedEventAnswer, Reviewable } from '@site/schema/money';
import { problem } from '../../http/problem.ts';
import { recordAction } from '../audit/audit.repository.ts';
import { findParked } from './money.repository.ts';
import { markReviewed } from './review.repository.ts';

/** A parked event as it came, which is put on record. Throws 404 for one that is parked no more. */
export async function readParked(db: Database, operator: string, id: string): Promise<ParkedEventAnswer> {
  const event = await findParked(db, id);
  if (!event) throw problem('not-found', { detail: 'This event is not parked any more.' });
  await recordAction(db, { operator, action: 'read-stripe-event', subject: id });
  return event;
}

const REVIEWS = {
  mismatches: { action: 'review-mismatch', missing: 'There is no mismatch of this subscription.' },
  'second-subscriptions': {
    action: 'review-second',
    missing: 'This subscription is not a second one, or not any more.',
  },
  parked: { action: 'review-stripe-event', missing: 'This event is not parked any more.' },
} as const;

/** Says that somebody looked at it. Once is put on record, and a second time is no fault. Throws 404 for what does not wait. */
export async function review(db: Database, operator: string, kind: Reviewable, id: string): Promise<void> {
  const { action, missing } = REVIEWS[kind];
  await db.transaction(async (trx) => {
    const outcome = await markReviewed(trx, kind, id);
    if (outcome === undefined) throw problem('not-found', { detail: missing });
    if (outcome === 'marked') await recordAction(trx, { operator, action, subject: id });
  });
}
