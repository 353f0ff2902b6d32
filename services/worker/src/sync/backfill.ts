import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import { ADDRESS_IS_USED } from '@site/platform/outbox/address-use';
import { recordSubscribers } from '@site/platform/outbox/subscribers';
import type { Told } from '@site/platform/outbox/subscribers';
import { BEEHIIV_ANSWERS } from '@site/schema/beehiiv-answers';
import type { BeehiivAnswer } from '@site/schema/beehiiv-answers';

/*
 * Fills the columns of this release in rows that version 0.2.0 wrote, and may still write during an update. In batches, so
 * that nothing waits long for their locks. Until then, the console shows such a failure by its message, or without a
 * reason. 0.4.0 removes it.
 */

const BATCH = 1_000;

/** The reason of an attempt, by its class and status. Accepted ones need none. */
const REASON = `case
  when class = 'unknown' then 'not-recorded'
  when class = 'permanent' and kind = 'tier' then case http_status when 404 then 'tier-not-subscribed' else 'tier-unchanged' end
  when class = 'permanent' and http_status < 300 then 'address-rejected'
  when class = 'transient' and http_status < 300 then 'unreadable'
  when class = 'transient' and http_status in (401, 403, 404) then 'this-request-only'
  when http_status is null then 'no-answer'
  ${Object.entries<BeehiivAnswer>(BEEHIIV_ANSWERS)
    .flatMap(([reason, { statuses = [] }]) =>
      statuses.map((status) => `when http_status = ${status} then '${reason}'`),
    )
    .join('\n')}
  when http_status >= 500 then 'server-error' else 'unexpected' end`;

const ATTEMPTS = `
  with batch as (
    select id, started_at as at from lead_sync_attempts
    where class <> 'accepted' and (started_at, id) > (:at::timestamptz, :id::uuid) order by started_at, id limit :size
  ), filled as (
    update lead_sync_attempts set reason = ${REASON} from batch where lead_sync_attempts.id = batch.id and reason is null
  )`;

/** Leads of a status get the reason of their last answer. Sent ones need none: the console shows their subscriber's status. */
const LEADS = `
  with batch as (
    select id, submitted_at as at from leads
    where beehiiv_status = :status and (submitted_at, id) > (:at::timestamptz, :id::uuid)
    order by submitted_at, id limit :size for no key update skip locked
  ), filled as (
    update leads set beehiiv_reason = last.reason from batch, lateral (
      select reason from lead_sync_attempts
      where lead_id = batch.id and kind in ('push', 'probe') and class <> 'unknown' order by round desc, number desc limit 1
    ) last where leads.id = batch.id and (beehiiv_reason is null and last.reason is not null or
      -- Version 0.2.0 has tried it since. A run that is just being recorded may be newer than this statement.
      beehiiv_reason <> last.reason and updated_at between now() - interval '1 day' and now() - interval '1 minute')
  )`;

/** A trigger takes the source of a subscription's lead. */
const SOURCES = `
  with batch as (
    select id, '-infinity' as at, lead_id from subscriptions where id > :id::uuid order by id limit :size
  ), filled as (
    update subscriptions s set lead_id = s.lead_id from batch join leads on leads.id = lead_id
    where s.id = batch.id and (leads.visit_utm_source, leads.utm_source, leads.referrer is null)
      is distinct from (s.visit_utm_source, s.utm_source, s.referrer is null)
  )`;

/**
 * Fills the reasons of failed attempts, of leads that are not sent, and of what was asked of Beehiiv, sources of subscriptions,
 * and the counters of what subscribers became.
 */
export async function fillReasons(
  { db }: { db: Database },
  signal: AbortSignal,
  size = BATCH,
): Promise<void> {
  await fillAll(db, signal, ATTEMPTS, { size });
  for (const status of ['failed', 'pending']) await fillAll(db, signal, LEADS, { size, status });
  await fillAll(db, signal, SOURCES, { size });
  await countStates(db, signal);
  await query(
    db,
    `update erasures set reason = 'not-subscribed' where reason is null and last_message = 'Beehiiv does not know the address'`,
  );
  await query(
    db,
    'update unsubscribe_requests set reason = :reason where reason is null and last_message = :message',
    ADDRESS_IS_USED,
  );
}

/**
 * Counts a day's sent leads by the state of their subscriber, which version 0.2.0 did not. Rows and counters are read at one
 * moment, and only the difference is added, so nobody who writes leads waits.
 */
const COUNTED_STATES = `
  insert into lead_counts (day, form_type, beehiiv_status, subscriber_status, shard, leads)
    select :day::date, form_type, 'sent', subscriber_status, (select free_count_shard()), sum(leads) from (
      select form_type, coalesce(subscriber_status, '') as subscriber_status, 1 as leads from leads
      where beehiiv_status = 'sent' and submitted_at >= (:day::date)::timestamp at time zone 'Europe/London'
        and submitted_at < (:day::date + 1)::timestamp at time zone 'Europe/London'
      union all
      select form_type, subscriber_status, -leads from lead_counts where day = :day and beehiiv_status = 'sent'
    ) differing group by form_type, subscriber_status having sum(leads) <> 0
  on conflict (day, form_type, beehiiv_status, subscriber_status, shard) do update set leads = lead_counts.leads + excluded.leads`;

async function countStates(db: Database, signal: AbortSignal): Promise<void> {
  const days = await query<{ day: string }>(
    db,
    `select day::text as day from lead_counts where beehiiv_status = 'sent' and subscriber_status = ''
     group by day having sum(leads) > 0 order by day desc`,
  );
  for (const { day } of days) if (!signal.aborted) await query(db, COUNTED_STATES, { day });
}

type Place = { at: string; id: string };
const START: Place = { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

async function fillAll(
  db: Database,
  signal: AbortSignal,
  fill: string,
  bindings: Record<string, unknown>,
) {
  for (let place: Place | undefined = START; place && !signal.aborted;) {
    const after: Place = place;
    place = await db.transaction(async (trx) => {
      // So that `updated_at` stays: the console shows it as the time of a failure.
      await query(trx, `set local site.is_backfill = 'true'`);
      const sql = `${fill} select at::text, id from batch order by batch.at desc, id desc limit 1`;
      const [last] = await query<Place>(trx, sql, { ...bindings, ...after });
      return last;
    });
  }
}

/** What the leads of each address know of its subscriber. */
const KNOWN_TO_LEADS = `
  with batch as (
    select distinct email_normalised from leads where email_normalised > :after order by email_normalised limit :size
  ), newest as (
    select distinct on (email_normalised) email_normalised, subscriber_id, subscriber_status,
      coalesce(subscriber_checked_at, beehiiv_sent_at, submitted_at) as at
    from leads join batch using (email_normalised) where subscriber_status is not null
    order by email_normalised, subscriber_checked_at desc nulls last, submitted_at desc
  )
  select email_normalised as email, newest.subscriber_id as id, subscriber_status as status, at::text,
    coalesce(at > coalesce(learned_at, '-infinity'), false) as is_news
  from batch left join newest using (email_normalised) left join subscribers using (email_normalised) order by 1`;

/** Fills what is known of each person. Their leads then agree. */
export async function fillSubscribers(
  { db }: { db: Database },
  signal: AbortSignal,
  size = BATCH,
): Promise<void> {
  for (let after: string | null = ''; after !== null && !signal.aborted;)
    after = await fillAfter(db, after, size);
}

async function fillAfter(db: Database, after: string, size: number): Promise<string | null> {
  return db.transaction(async (trx) => {
    await query(trx, `set local site.is_backfill = 'true'`);
    const batch = await query<Told & { isNews: boolean }>(trx, KNOWN_TO_LEADS, { after, size });
    const news = batch.filter(({ isNews }) => isNews);
    if (news.length > 0) await recordSubscribers(trx, news);
    return batch.at(-1)?.email ?? null;
  });
}
