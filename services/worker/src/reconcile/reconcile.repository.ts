import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';

/*
 * Compares sent leads with the newsletter's list. The list is stored page by page, without an open transaction, and then
 * compared in one statement.
 */

export type ListedSubscriber = { email: string; id: string; status: string };

/** The differences. For a person with several leads, the newest sent lead counts. */
export type Differences = {
  /** How many people were compared. */
  checked: number;
  /** Leads whose subscriber is absent. */
  missing: string[];
  /** Leads whose address the newsletter rejected. */
  invalid: string[];
  /** Leads whose subscriber has unsubscribed. */
  left: string[];
  /** How many subscribers have no lead. */
  unknown: number;
};

/** With millions of subscribers, a comparison takes days. One that is older than this was killed. */
const LONGEST_DAYS = 7;

/** Starts a comparison, and deletes the lists of killed ones. Returns the time up to which sent leads are compared. */
export async function startReconcile(db: Database): Promise<Date> {
  await query(db, `delete from reconcile_subscribers where listed_at < now() - interval '${LONGEST_DAYS} days'`);
  return (await queryOne<{ startedAt: Date }>(db, 'select sync_now() as started_at')).startedAt;
}

/** Counts sent leads, to show a comparison's progress. */
export async function countSentLeads(db: Database): Promise<number> {
  const [row] = await db('lead_counts').where({ beehiivStatus: 'sent' }).sum<{ sum: string | null }[]>('leads');
  return Number(row?.sum ?? 0);
}

export async function addListedSubscribers(db: Database, run: string, subscribers: ListedSubscriber[]): Promise<void> {
  if (subscribers.length === 0) return;
  await query(
    db,
    `insert into reconcile_subscribers (run, email_normalised, subscriber_id, subscriber_status)
     select distinct on (lower(email)) :run::uuid, lower(email), id, status
     from json_to_recordset(:subscribers) as listed (email text, id text, status text)
     on conflict (run, email_normalised) do update
       set subscriber_id = excluded.subscriber_id, subscriber_status = excluded.subscriber_status`,
    { run, subscribers: JSON.stringify(subscribers) },
  );
}

/** Deletes the list of a comparison that has ended. */
export async function deleteListedSubscribers(db: Database, run: string): Promise<void> {
  await db('reconcile_subscribers').where({ run }).delete();
}

/** Compares leads sent before `startedAt` with the list, and stores changed statuses. */
export async function findDifferences(db: Database, run: string, startedAt: Date): Promise<Differences> {
  return db.transaction(async (trx) => {
    await query(trx, 'set local statement_timeout = 0');
    await query(
      trx,
      `update leads set subscriber_id = subscriber.subscriber_id, subscriber_status = subscriber.subscriber_status,
         subscriber_checked_at = sync_now()
       from reconcile_subscribers subscriber
       where subscriber.run = :run and leads.email_normalised = subscriber.email_normalised and leads.beehiiv_status = 'sent'
         and leads.subscriber_status is distinct from subscriber.subscriber_status`,
      { run },
    );
    const differences = await queryOne<Differences>(
      trx,
      `with people as (
         select distinct on (email_normalised) email_normalised, id
         from leads where beehiiv_status = 'sent' and coalesce(beehiiv_sent_at, submitted_at) < :startedAt
         order by email_normalised, coalesce(beehiiv_sent_at, submitted_at) desc
       ), compared as (
         select people.id, subscriber.subscriber_status as status
         from people left join reconcile_subscribers subscriber
           on subscriber.run = :run and subscriber.email_normalised = people.email_normalised
       )
       select count(*)::int as checked,
         coalesce(json_agg(id) filter (where status is null), '[]') as missing,
         coalesce(json_agg(id) filter (where status = 'invalid'), '[]') as invalid,
         coalesce(json_agg(id) filter (where status = 'inactive'), '[]') as left,
         (select count(*)::int from reconcile_subscribers subscriber where subscriber.run = :run and not exists (
            select from leads where leads.email_normalised = subscriber.email_normalised)) as unknown
       from compared`,
      { run, startedAt },
    );
    const { checked, missing, invalid, left, unknown } = differences;
    const counts = { checked, missing: missing.length, invalid: invalid.length, left: left.length, unknown };
    await trx('sync_health').update({ reconcileReport: JSON.stringify(counts) });
    return differences;
  });
}

/** Claims the nightly comparison. Returns true in one process, once after each 03:00 UTC. */
export async function claimNightlyReconcile(db: Database): Promise<boolean> {
  const claimed = await query(
    db,
    `update sync_health set reconciled_at = sync_now()
     where reconciled_at < date_trunc('day', sync_now() - interval '3 hours', 'UTC') + interval '3 hours'
     returning id`,
  );
  return claimed.length > 0;
}
