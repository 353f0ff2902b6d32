import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import { lockPeopleOf, MAX_LOCKED } from '@site/platform/people/person';
import { CHANGES_KEPT_MS } from '@site/platform/live/live-changes';

/** Rows per statement, few enough that nothing waits long for their locks. */
const BATCH = 1_000;

/** Attempts of the last round stay, because they explain the lead's status. */
const EARLIER_ATTEMPT_DAYS = 180;

/** The days for which personal data is kept. Null keeps it. */
export type Retention = {
  networkDataDays: number;
  abandonedCheckoutDays: number;
  failedLeadDays: number | null;
};

const CLEAR_NETWORK_DATA = `
  update leads set ip_address = null, user_agent = null where id in (
    select id from leads
    where (ip_address is not null or user_agent is not null)
      and submitted_at < sync_now() - make_interval(days => :days)
    order by submitted_at limit :batch for update skip locked
  ) returning id`;

/** Removes the client's network from logins, and names that no operator has. The logins stay. */
const CLEAR_LOGINS = `
  update logins set client = null,
    account = case when coalesce(operator, subject, device) is not null then account end
  where id in (
    select id from logins
    where client is not null and at < sync_now() - make_interval(days => :days)
    order by at
    limit :batch
    for update skip locked)
  returning id`;

const CLEAR_ABANDONED_ADDRESSES = `
  update checkouts set email = null, recovery_url = null, is_settled = not exists (
    select from abandoned_checkouts lost where lost.id = checkouts.id
  )
  where id in (
    select id from checkouts
    where state in ('abandoned', 'payment-failed', 'not-opened')
      and (email is not null or recovery_url is not null)
      and started_at < sync_now() - make_interval(days => :days)
    order by started_at limit :batch for update skip locked
  ) returning state`;

/** Deletes open checkouts whose end Stripe never reported. */
const DELETE_OPEN_CHECKOUTS = `
  delete from checkouts where stripe_checkout_session_id in (
    select stripe_checkout_session_id from checkouts
    where state = 'open' and started_at < sync_now() - make_interval(days => :days)
    order by started_at limit :batch for update skip locked
  ) returning state`;

/** Failed leads that never paid: the oldest, or those of `ids`. */
const OLD_FAILED_LEADS = `
  select id, email_normalised
  from leads, (select sync_now() - make_interval(days => :days) as until) past
  -- A lead fails with its last attempt, or when it is stored or retried. Later changes to the row
  -- do not count.
  where beehiiv_status = 'failed' and submitted_at < until and round_started_at < until
    and (:ids::uuid[] is null or id = any(:ids::uuid[]))
    and not exists (
      select from lead_sync_attempts
      where lead_id = leads.id and started_at >= until
    )
    and not exists (select from subscriptions where lead_id = leads.id)
    and not exists (
      select from people
      where people.email_normalised = leads.email_normalised and tier = 'premium'
    )
  order by submitted_at
  limit :batch`;

/**
 * Deletes failed leads that never paid, with their sample requests, and all we know of people
 * without another lead. Spares an email with a live subscription or free access, because it is
 * entitled to the paid issue, and only its lead can be sent. Returns the number of leads found.
 */
async function deleteFailedLeads(db: Database, days: number): Promise<number> {
  return db.transaction(async (trx) => {
    const find = (ids: string[] | null) =>
      query<{ id: string; emailNormalised: string }>(trx, OLD_FAILED_LEADS, {
        days,
        ids,
        batch: MAX_LOCKED,
      });
    const found = (await find(null)).map(({ id }) => id);
    await lockPeopleOf(trx, found);
    // They may have been retried or paid before the lock.
    const old = await find(found);
    const ids = old.map(({ id }) => id);
    await trx('sample_requests').whereIn('leadId', ids).delete();
    await trx('leads').whereIn('id', ids).delete();
    return found.length;
  });
}

const DELETE_EARLIER_ATTEMPTS = `
  delete from lead_sync_attempts where id in (
    select attempt.id from leads join lead_sync_attempts attempt on attempt.lead_id = leads.id
    where beehiiv_status = 'sent' and sync_round > 1 and attempt.round < sync_round
      and attempt.started_at < sync_now() - make_interval(days => :days)
    limit :batch
  ) returning id`;

const DELETE_ENDED_REPEATS = `
  delete from submission_keys where key in (
    select key from submission_keys where until < sync_now()
    order by until limit :batch for update skip locked
  ) returning key`;

/** Forgets the mistyped emails that we unsubscribed over 30 days ago. */
const FORGET_OWN_UNSUBSCRIPTIONS = `
  update people set unsubscribed_by_us_at = null
  where email_normalised in (
    select email_normalised from people
    where unsubscribed_by_us_at < sync_now() - interval '30 days'
    order by unsubscribed_by_us_at limit :batch for update skip locked
  )
  returning email_normalised`;

/** Two years and a month, so that a month has the same month of two years before beside it. */
const DELETE_OLD_VISITS = `
  delete from visits where (day, part, name) in (
    select day, part, name from visits
    where day < (sync_now() at time zone 'Europe/London')::date - interval '25 months'
    order by day limit :batch for update skip locked
  ) returning day`;

const DELETE_OLD_CHANGES = `
  delete from live_changes where id in (
    select id from live_changes where at < clock_timestamp() - make_interval(secs => :keptSeconds)
    order by at limit :batch for update skip locked
  ) returning id`;

/**
 * Deletes expired data in batches. A failing step stops no other, and its error is thrown at the
 * end. A pending lead is never deleted.
 */
export async function deleteOldData(
  { db, retention }: { db: Database; retention: Retention },
  signal: AbortSignal,
): Promise<void> {
  const { networkDataDays, abandonedCheckoutDays, failedLeadDays } = retention;
  const kept = { batch: BATCH, keptSeconds: CHANGES_KEPT_MS / 1_000 };
  const inBatches = (sql: string, days: number | null) => async () =>
    (await query(db, sql, { ...kept, days })).length === BATCH;
  /** Each deletes a batch. Returns true if there may be more. */
  const steps: (() => Promise<boolean>)[] = [
    inBatches(CLEAR_NETWORK_DATA, networkDataDays),
    inBatches(CLEAR_LOGINS, networkDataDays),
    inBatches(CLEAR_ABANDONED_ADDRESSES, abandonedCheckoutDays),
    inBatches(DELETE_OPEN_CHECKOUTS, abandonedCheckoutDays),
    async () =>
      failedLeadDays !== null && (await deleteFailedLeads(db, failedLeadDays)) === MAX_LOCKED,
    inBatches(DELETE_EARLIER_ATTEMPTS, EARLIER_ATTEMPT_DAYS),
    inBatches(DELETE_ENDED_REPEATS, null),
    inBatches(FORGET_OWN_UNSUBSCRIPTIONS, null),
    inBatches(DELETE_OLD_VISITS, null),
    inBatches(DELETE_OLD_CHANGES, null),
  ];
  const errors: unknown[] = [];
  for (const deleteBatch of steps) {
    try {
      while (!signal.aborted && (await deleteBatch()));
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, 'not all old data was deleted');
}
