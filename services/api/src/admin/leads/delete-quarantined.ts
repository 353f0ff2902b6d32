import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import { lockPeopleOf, MAX_LOCKED } from '@site/platform/people/person';
import { MAX_DELETED } from '@site/schema/calls/leads';
import type { QuarantineChoice } from '@site/schema/calls/leads';
import { recordAction } from '../../audit/audit.repository.ts';
import { toRecorded, whereLeads } from './lead-filter.ts';

/** Selects quarantined leads, except leads that paid: bots do not pay. */
const whereQuarantined = (db: Database, { ids, filter = {} }: QuarantineChoice) => {
  const chosen = whereLeads(db('leads'), { ...filter, status: 'quarantined' })
    .whereRaw('not exists (select from subscriptions where lead_id = leads.id)')
    .select('leads.id', 'leads.emailNormalised')
    .limit(MAX_DELETED);
  return ids ? chosen.whereIn('leads.id', ids) : chosen;
};

/** Counts the quarantined leads that would be deleted, at most `MAX_DELETED`. */
export async function countQuarantined(db: Database, choice: QuarantineChoice): Promise<number> {
  const { count } = await queryOne<{ count: number }>(
    db,
    'select count(*)::int as count from (?) chosen',
    [whereQuarantined(db, choice)],
  );
  return count;
}

/**
 * Deletes quarantined leads: only their own rows, and nothing at Beehiiv, which never received
 * them. An email without another lead also loses its unpaid checkouts, for good. Returns the number
 * of leads, at most `MAX_DELETED`.
 */
export async function deleteQuarantined(
  db: Database,
  operator: string,
  choice: QuarantineChoice,
): Promise<number> {
  const chosen = choice.ids ? { selected: choice.ids.length } : toRecorded(choice.filter ?? {});
  let deleted = 0;
  for (let found = 1; found > 0 && deleted < MAX_DELETED; deleted += found) {
    found = await db.transaction(async (trx) => {
      const count = await deleteBatch(trx, choice);
      const detail = { deleted: count, ...chosen };
      if (count > 0 || deleted === 0)
        await recordAction(trx, { operator, action: 'delete-quarantined', detail });
      return count;
    });
  }
  return deleted;
}

/** Deletes the next quarantined leads, and returns their number. */
async function deleteBatch(trx: Database, choice: QuarantineChoice): Promise<number> {
  const next = whereQuarantined(trx, choice).limit(MAX_LOCKED);
  const ids = await next.pluck<string[]>('leads.id');
  await lockPeopleOf(trx, ids);
  const deleted = await query(
    trx,
    `with gone as materialized (?), samples as (
       delete from sample_requests using gone where lead_id = gone.id
     ), unpaid as (
       delete from checkouts using gone
       where checkouts.email_normalised = gone.email_normalised and state <> 'complete'
         and not exists (
           select from leads
           where leads.email_normalised = gone.email_normalised
             and leads.id not in (select id from gone)
         )
       returning stripe_checkout_session_id as id
     ), reported_later as (
       insert into erased_ids (id)
       select id from unpaid where id is not null
       on conflict do nothing
     )
     delete from leads using gone where leads.id = gone.id returning leads.id`,
    // Their quarantine may have been lifted before the lock.
    [whereQuarantined(trx, { ...choice, ids })],
  );
  return deleted.length;
}
