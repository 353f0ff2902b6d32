import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';

/*
 * Subscriptions that continue without payment: after a lost dispute or a full refund of the latest payment, or because Stripe
 * will not try to charge again. Each cause has an id, so that a review holds until there is another cause.
 */

/** What of a subscription is reviewed, each as its cause. */
const CAUSES = {
  subscriptions: 'select cause from concerns where stripe_subscription_id = :id',
  'not-receiving': `
    select 'not-receiving ' || reason as cause from not_receiving
    where stripe_subscription_id = :id and not is_reader
    union select cause from subscriptions, unnest(reviewed_causes) cause
    where stripe_subscription_id = :id and cause like 'not-receiving %'`,
  'second-subscriptions':
    "select 'second ' || other_id as cause from second_subscriptions where stripe_subscription_id = :id",
};

type Causes = keyof typeof CAUSES;
export const isOfCauses = (kind: string): kind is Causes => Object.hasOwn(CAUSES, kind);

/** Marks every cause of a subscription as reviewed. Returns undefined if it has none. */
export async function reviewCauses(
  trx: Database,
  kind: Causes,
  id: string,
): Promise<'marked' | 'marked-before' | undefined> {
  const [found] = await query<{ isNew: boolean }>(
    trx,
    `with found as (select array_agg(cause) as causes from (${CAUSES[kind]}) each)
     update subscriptions s
       set reviewed_causes = array(select distinct unnest(before.reviewed_causes || found.causes))
     from found, subscriptions before
     where s.stripe_subscription_id = :id and before.id = s.id and found.causes is not null
     returning not before.reviewed_causes @> found.causes as is_new`,
    { id },
  );
  return found && (found.isNew ? 'marked' : 'marked-before');
}
