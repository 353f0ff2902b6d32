import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import { lockPeople } from '@site/platform/people/person';
import type { Reviewable } from '@site/schema/calls/money';
import { recordAction } from '../../audit/audit.repository.ts';
import { problem } from '../../http/problem.ts';
import { lockSubscription, readOwner } from '../../billing/storing/subscription.repository.ts';

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
    const reviewed = await markReviewed(trx, kind, id, isReviewed);
    if (reviewed === undefined)
      throw problem('not-found', {
        detail: isReviewed ? 'This item does not need attention.' : 'This item was not reviewed.',
      });
    const action = isReviewed ? ACTIONS[kind] : 'review-undone';
    const { isNew, detail = {} } = reviewed;
    if (isNew) await recordAction(trx, { operator, action, subject: id, detail });
  });
}

/** `isNew`: false for a repeat. */
type Reviewed = { isNew: boolean; detail?: { causes: string[] } };

/**
 * Queries for the causes of a subscription that a review covers. The next cause needs another
 * review.
 */
const CAUSES = {
  subscriptions: 'select cause from unsettled where stripe_subscription_id = :id',
  'not-receiving': `
    select 'not-receiving ' || state_reason as cause
    from subscriptions join people using (email_normalised)
    where stripe_subscription_id = :id and entitled_by = :id and people.state = 'not-receiving'
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
): Promise<Reviewed | undefined> {
  if (kind !== 'refunds' && kind !== 'parked') {
    await lockSubscription(trx, id);
    await lockPeople(trx, [(await readOwner(trx, id))?.email ?? null]);
    return isReviewed ? addCauses(trx, kind, id) : removeCauses(trx, kind, id);
  }
  const { table, waits } = ROWS[kind];
  const row = trx(table).where({ id, ...waits });
  const changed = row.clone().whereRaw('(reviewed_at is null) = ?', [isReviewed]);
  const isNew = (await changed.update({ reviewedAt: isReviewed ? trx.fn.now() : null })) > 0;
  return isNew || (await row.first('id')) ? { isNew } : undefined;
}

/** Adds every current cause of a subscription. The record of the action names the new causes. */
async function addCauses(
  trx: Database,
  kind: keyof typeof CAUSES,
  id: string,
): Promise<Reviewed | undefined> {
  const [added] = await query<{ causes: string[] }>(
    trx,
    `with found as (select array_agg(cause) as causes from (${CAUSES[kind]}) each)
     update subscriptions s
       set reviewed_causes = array(select distinct unnest(before.reviewed_causes || found.causes))
     from found, subscriptions before
     where s.stripe_subscription_id = :id and before.id = s.id and found.causes is not null
     returning array(
       select unnest(found.causes) except select unnest(before.reviewed_causes)
     ) as causes`,
    { id },
  );
  return added && { isNew: added.causes.length > 0, detail: added };
}

/** Removes the causes that the last review added. Causes of earlier reviews stay reviewed. */
async function removeCauses(
  trx: Database,
  kind: keyof typeof CAUSES,
  id: string,
): Promise<Reviewed | undefined> {
  const [removed] = await query<Reviewed>(
    trx,
    `with review as (
       select array(select jsonb_array_elements_text(detail -> 'causes')) as causes
       from operator_actions
       where subject = :id and action = :action
       order by id desc
       limit 1
     )
     update subscriptions s
       set reviewed_causes = array(
         select unnest(before.reviewed_causes) except select unnest(review.causes)
       )
     from review, subscriptions before
     where s.stripe_subscription_id = :id and before.id = s.id
     returning before.reviewed_causes && review.causes as is_new`,
    { id, action: ACTIONS[kind] },
  );
  return removed;
}
