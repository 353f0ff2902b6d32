import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import { refreshPeople } from '@site/platform/people/person';
import type { Reviewable } from '@site/schema/calls/money';
import { recordAction } from '../../audit/audit.repository.ts';
import { problem } from '../../http/problem.ts';
import {
  lockEmails,
  lockSubscription,
  readOwner,
} from '../../subscriptions/subscription.repository.ts';

const ACTIONS = {
  'second-subscriptions': 'review-second',
  'not-receiving': 'review-not-receiving',
  subscriptions: 'review-subscription',
  refunds: 'review-refund',
  parked: 'review-stripe-event',
} as const satisfies Record<Reviewable, string>;

/**
 * Marks an item as reviewed, or undoes the review. A repeat does no harm, and is recorded once.
 * Throws 404 for an item that needs no attention.
 */
export async function review(
  db: Database,
  operator: string,
  { kind, id }: { kind: Reviewable; id: string },
  isReviewed: boolean,
): Promise<void> {
  await db.transaction(async (trx) => {
    const outcome = await markReviewed(trx, kind, id, isReviewed);
    if (outcome === undefined)
      throw problem('not-found', { detail: 'This item does not need attention.' });
    const action = isReviewed ? ACTIONS[kind] : 'review-undone';
    if (outcome === 'marked') await recordAction(trx, { operator, action, subject: id });
  });
}

type Reviewed = 'marked' | 'marked-before' | undefined;

/**
 * Queries for the causes of a subscription that a review covers. The next cause needs another
 * review.
 */
const CAUSES = {
  subscriptions: 'select cause from unsettled where stripe_subscription_id = :id',
  'not-receiving': `
    select 'not-receiving ' || reason as cause from not_receiving
    where stripe_subscription_id = :id and not is_reader
    union select cause from subscriptions, unnest(reviewed_causes) cause
    where stripe_subscription_id = :id and cause like 'not-receiving %'`,
  'second-subscriptions': `
    select 'second ' || other_id as cause from second_subscriptions
    where stripe_subscription_id = :id`,
};

const ROWS = {
  refunds: { table: 'stripe_refunds', waits: { status: 'failed' } },
  parked: { table: 'stripe_events', waits: { outcome: 'parked' } },
} as const;

/** Marks an item, once. Returns undefined if it does not need attention. */
async function markReviewed(
  trx: Database,
  kind: Reviewable,
  id: string,
  isReviewed: boolean,
): Promise<Reviewed> {
  if (kind !== 'refunds' && kind !== 'parked') {
    await lockSubscription(trx, id);
    const emails = await lockEmails(trx, [(await readOwner(trx, id))?.email ?? null]);
    const outcome = await markCauses(trx, kind, id, isReviewed);
    // A reviewed payment is no longer in doubt.
    await refreshPeople(trx, emails);
    return outcome;
  }
  const { table, waits } = ROWS[kind];
  const row = trx(table).where({ id, ...waits });
  const changed = row.clone().whereRaw('(reviewed_at is null) = ?', [isReviewed]);
  if ((await changed.update({ reviewedAt: isReviewed ? trx.fn.now() : null })) > 0) return 'marked';
  return (await row.first('id')) && 'marked-before';
}

/** Marks every current cause of a subscription. */
async function markCauses(
  trx: Database,
  kind: keyof typeof CAUSES,
  id: string,
  isReviewed: boolean,
): Promise<Reviewed> {
  const [found] = await query<{ isNew: boolean }>(
    trx,
    `with found as (select array_agg(cause) as causes from (${CAUSES[kind]}) each)
     update subscriptions s
       set reviewed_causes = case when :isReviewed
         then array(select distinct unnest(before.reviewed_causes || found.causes))
         else array(select unnest(before.reviewed_causes) except select unnest(found.causes)) end
     from found, subscriptions before
     where s.stripe_subscription_id = :id and before.id = s.id and found.causes is not null
     returning case when :isReviewed then not before.reviewed_causes @> found.causes
       else before.reviewed_causes && found.causes end as is_new`,
    { id, isReviewed },
  );
  return found && (found.isNew ? 'marked' : 'marked-before');
}
