import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';

/**
 * Ends reviews of payers who did not receive, once they receive again: later, the same reason is
 * news. Other causes have an id, so they never return.
 */
export async function endReviews({ db }: { db: Database }): Promise<void> {
  await query(
    db,
    `with reviewed as materialized (
       select id, email_normalised from subscriptions
       where reviewed_causes <> '{}' and exists (
         select from unnest(reviewed_causes) cause where starts_with(cause, 'not-receiving ')
       )
     ), ended as (
       select s.id from reviewed join subscriptions s using (id)
       where not exists (
         select from doubtful
         where doubtful.email_normalised = reviewed.email_normalised and reason is not null
         offset 0
       )
       for no key update of s skip locked
     )
     update subscriptions s
       set reviewed_causes = array(
         select cause from unnest(reviewed_causes) cause
         where not starts_with(cause, 'not-receiving ')
       )
     from ended
     where s.id = ended.id`,
  );
}
