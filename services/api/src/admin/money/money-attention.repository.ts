import type { Database } from '@site/platform/database/connect';
import { queryOne } from '@site/platform/database/query';
import { IS_DISPUTE_OPEN } from '../../subscriptions/payment.repository.ts';

/** Counts what needs attention: parked events, payer mismatches, second subscriptions, failed refunds and open disputes. */
export async function countAttention(db: Database): Promise<number> {
  const { count } = await queryOne<{ count: number }>(
    db,
    `select (select count(*) from stripe_events where outcome = 'parked' and reviewed_at is null)::int
       + (select count(*) from payer_mismatches where reviewed_at is null)::int
       + (select count(*) from subscriptions where second_live_since is not null and second_live_reviewed_at is null)::int
       + (select count(*) from stripe_refunds where status = 'failed' and reviewed_at is null)::int
       + (select count(*) from stripe_disputes d where ${IS_DISPUTE_OPEN})::int as count`,
  );
  return count;
}
