import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import { CHANGES_KEPT_MS } from '@site/platform/live-changes';
import { z } from 'zod';

/** Clears IP address and user agent of at most `limit` leads older than `days`. Returns how many. */
export async function clearNetworkData(db: Database, days: number, limit: number): Promise<number> {
  const cleared = await query(
    db,
    `update leads set ip_address = null, user_agent = null where id in (
       select id from leads where (ip_address is not null or user_agent is not null)
         and submitted_at < sync_now() - make_interval(days => :days)
       order by submitted_at limit :limit for update skip locked
     ) returning id`,
    { days, limit },
  );
  return cleared.length;
}

/** Deletes at most `limit` repeat keys that have ended. Returns how many. */
export async function deleteEndedRepeats(db: Database, limit: number): Promise<number> {
  const deleted = await query(
    db,
    `delete from lead_repeats where (email_normalised, scope) in (
       select email_normalised, scope from lead_repeats where until < sync_now() order by until limit :limit for update skip locked
     ) returning scope`,
    { limit },
  );
  return deleted.length;
}

/** Deletes at most `limit` changes that are too old for any console to ask for. Returns how many. */
export async function deleteOldChanges(db: Database, limit: number): Promise<number> {
  const deleted = await query(
    db,
    `delete from lead_changes where id in (
       select id from lead_changes where at < clock_timestamp() - make_interval(secs => :kept)
       order by at limit :limit for update skip locked
     ) returning id`,
    { kept: CHANGES_KEPT_MS / 1_000, limit },
  );
  return deleted.length;
}

/** Removes addresses and recovery links of at most `limit` unpaid checkouts older than `days`. Returns how many. */
export async function clearAbandonedAddresses(db: Database, days: number, limit: number): Promise<number> {
  const cleared = await query(
    db,
    `update checkouts set email = null, recovery_url = null where stripe_checkout_session_id in (
       select stripe_checkout_session_id from checkouts
       where state <> 'complete' and (email is not null or recovery_url is not null)
         and started_at < sync_now() - make_interval(days => :days)
       order by started_at limit :limit for update skip locked
     ) returning state`,
    { days, limit },
  );
  return cleared.length;
}

/** Deletes at most `limit` open checkouts older than `days`, whose end Stripe never reported. Returns how many. */
export async function deleteOldOpenCheckouts(db: Database, days: number, limit: number): Promise<number> {
  const deleted = await query(
    db,
    `delete from open_checkouts where stripe_checkout_session_id in (
       select stripe_checkout_session_id from open_checkouts
       where opened_at < sync_now() - make_interval(days => :days)
       order by opened_at limit :limit for update skip locked
     ) returning opened_at`,
    { days, limit },
  );
  return deleted.length;
}

/**
 * Removes everything but the ids from the bodies of at most `limit` parked events older than `days`. What stays is
 * enough to retry them. Returns how many.
 */
export async function reduceParkedEvents(db: Database, days: number, limit: number): Promise<number> {
  return db.transaction(async (trx) => {
    const old = await query<{ id: string; rawBody: string }>(
      trx,
      `select id, raw_body from stripe_events
       where outcome = 'parked' and not is_body_reduced and received_at < sync_now() - make_interval(days => :days)
       order by received_at limit :limit for update skip locked`,
      { days, limit },
    );
    for (const { id, rawBody } of old) {
      await trx('stripe_events')
        .where({ id })
        .update({ rawBody: withoutPerson(rawBody), isBodyReduced: true });
    }
    return old.length;
  });
}

const event = z.object({
  id: z.string(),
  type: z.string(),
  livemode: z.boolean(),
  data: z.object({ object: z.object({ id: z.string() }) }),
});

/** A body that is not an event leaves nothing to retry. Not in SQL: Postgres refuses an escaped NUL in JSON. */
function withoutPerson(rawBody: string): string {
  try {
    return JSON.stringify(event.parse(JSON.parse(rawBody)));
  } catch {
    return JSON.stringify({ erased: true });
  }
}

/**
 * Deletes at most `limit` leads that failed over `days` ago, with their sample requests, and what is known of somebody who
 * has no other lead. Leads that paid stay. Returns how many.
 */
export async function deleteFailedLeads(db: Database, days: number, limit: number): Promise<number> {
  const deleted = await query(
    db,
    `with past as (
       select sync_now() - make_interval(days => :days) as until
     ), old as (
       -- A lead fails with its last attempt, or as it is stored or retried. Other changes say nothing of it.
       select id, email_normalised from leads, past
       where beehiiv_status = 'failed' and submitted_at < until and round_started_at < until
         and not exists (select from lead_sync_attempts where lead_id = leads.id and started_at >= until)
         and not exists (select from subscriptions where lead_id = leads.id)
       order by submitted_at limit :limit for update of leads skip locked
     ), samples as (
       delete from sample_requests using old where lead_id = old.id
     ), known as (
       delete from subscribers using old where subscribers.email_normalised = old.email_normalised and not exists (
         select from leads where leads.email_normalised = old.email_normalised and id not in (select id from old)
       )
     )
     delete from leads using old where leads.id = old.id returning leads.id`,
    { days, limit },
  );
  return deleted.length;
}

/** Deletes at most `limit` attempts older than `days` of sent leads that began another round since. Returns how many. */
export async function deleteEarlierAttempts(db: Database, days: number, limit: number): Promise<number> {
  const deleted = await query(
    db,
    `delete from lead_sync_attempts where id in (
       select attempt.id from leads join lead_sync_attempts attempt on attempt.lead_id = leads.id
       where beehiiv_status = 'sent' and sync_round > 1 and attempt.round < sync_round
         and attempt.started_at < sync_now() - make_interval(days => :days)
       limit :limit
     ) returning id`,
    { days, limit },
  );
  return deleted.length;
}
