import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
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

/**
 * Deletes failed leads that never paid, with their sample requests, and all we know of people
 * without another lead. Spares an email with a live subscription or free access, because it is
 * entitled to the paid issue, and only its lead can be sent.
 */
const DELETE_FAILED_LEADS = `
  with past as (
    -- One transaction at a time deletes leads.
    select sync_now() - make_interval(days => :days) as until,
      pg_advisory_xact_lock(hashtext('delete leads')) as turn
  ), old as (
    -- A lead fails with its last attempt, or when it is stored or retried. Later changes to the row
    -- do not count.
    select id, email_normalised from leads, past
    where beehiiv_status = 'failed' and submitted_at < until and round_started_at < until
      and not exists (
        select from lead_sync_attempts
        where lead_id = leads.id and started_at >= until
      )
      and not exists (select from subscriptions where lead_id = leads.id)
      and (corrected_to is not null or not exists (
        select from subscriptions where is_live and email_normalised = leads.email_normalised
      ) and not exists (
        select from free_readers where email_normalised = leads.email_normalised
      ))
    order by submitted_at limit :batch for update of leads skip locked
  ), samples as (
    delete from sample_requests using old where lead_id = old.id
  ), gone as (
    delete from leads using old where leads.id = old.id returning leads.email_normalised
  )
  select refresh_person(email_normalised)
  from (select email_normalised from gone order by 1) emptied`;

const DELETE_EARLIER_ATTEMPTS = `
  delete from lead_sync_attempts where id in (
    select attempt.id from leads join lead_sync_attempts attempt on attempt.lead_id = leads.id
    where beehiiv_status = 'sent' and sync_round > 1 and attempt.round < sync_round
      and attempt.started_at < sync_now() - make_interval(days => :days)
    limit :batch
  ) returning id`;

const DELETE_ENDED_REPEATS = `
  delete from submission_keys where (email_normalised, scope) in (
    select email_normalised, scope from submission_keys where until < sync_now()
    order by until limit :batch for update skip locked
  ) returning scope`;

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
  const steps: [sql: string, days?: number][] = [
    [CLEAR_NETWORK_DATA, networkDataDays],
    [CLEAR_LOGINS, networkDataDays],
    [CLEAR_ABANDONED_ADDRESSES, abandonedCheckoutDays],
    [DELETE_OPEN_CHECKOUTS, abandonedCheckoutDays],
    ...(failedLeadDays === null
      ? []
      : [[DELETE_FAILED_LEADS, failedLeadDays] satisfies [string, number]]),
    [DELETE_EARLIER_ATTEMPTS, EARLIER_ATTEMPT_DAYS],
    [DELETE_ENDED_REPEATS],
    [DELETE_OLD_CHANGES],
  ];
  const errors: unknown[] = [];
  for (const [sql, days] of steps) {
    try {
      while (
        !signal.aborted &&
        (await query(db, sql, { ...kept, days: days ?? null })).length === BATCH
      );
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, 'not all old data was deleted');
}
