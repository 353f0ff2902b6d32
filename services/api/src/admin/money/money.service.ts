import type { Database } from '@site/platform/database/connect';
import type { ParkedEventAnswer } from '@site/schema/money';
import { problem } from '../../http/problem.ts';
import { recordAction } from '../audit/audit.repository.ts';
import { findParked, markMismatchReviewed } from './money.repository.ts';

/** A parked event as it came, which is put on record. Throws 404 for one that is parked no more. */
export async function readParked(db: Database, operator: string, id: string): Promise<ParkedEventAnswer> {
  const event = await findParked(db, id);
  if (!event) throw problem('not-found', { detail: 'This event is not parked any more.' });
  await recordAction(db, { operator, action: 'read-stripe-event', subject: id });
  return event;
}

/** Says that somebody looked at a mismatch. Once is put on record, and a second time is no fault. Throws 404. */
export async function reviewMismatch(db: Database, operator: string, id: string): Promise<void> {
  await db.transaction(async (trx) => {
    const outcome = await markMismatchReviewed(trx, id);
    if (outcome === undefined) throw problem('not-found', { detail: 'There is no mismatch of this subscription.' });
    if (outcome === 'marked') await recordAction(trx, { operator, action: 'review-mismatch', subject: id });
  });
}
