import type { Database } from '@site/platform/database/connect';

/*
 * The comparison of sent leads with the newsletter's own list. The list is put beside the leads page by
 * page, without holding a transaction open meanwhile, and is then compared in one statement.
 */

export type ListedSubscriber = { email: string; id: string; status: string };

/** What differs. A person with several leads is named by the newest sent one. */
export type Differences = {
  /** Sent leads compared, one a person. */
  checked: number;
  /** Sent, and not there. */
  missing: string[];
  /** There, and called invalid. */
  invalid: string[];
  /** There, and has left. */
  left: string[];
  /** Subscribers of whom no lead knows. */
  unknown: number;
};

/** A comparison of millions takes days at the usual rate; one that is older has ended without a word. */
const LONGEST_DAYS = 7;

/** Begins a comparison; what a killed one left behind goes, those under way keep their lists. Returns the moment up to which sent leads are compared. */
export async function startReconcile(db: Database): Promise<Date> {
  await db.raw(`delete from reconcile_subscribers where listed_at < now() - interval '${LONGEST_DAYS} days'`);
  const { rows } = await db.raw('select sync_now() as started_at');
  return rows[0].startedAt;
}

/** Sent leads, to say how far a comparison has come. */
export async function countSentLeads(db: Database): Promise<number> {
  const [row] = await db('lead_counts').where({ beehiivStatus: 'sent' }).sum<{ sum: string | null }[]>('leads');
  return Number(row?.sum ?? 0);
}

export async function addListedSubscribers(db: Database, run: string, subscribers: ListedSubscriber[]): Promise<void> {
  if (subscribers.length === 0) return;
  await db.raw(
    `insert into reconcile_subscribers (run, email_normalised, subscriber_id, subscriber_status)
     select distinct on (lower(email)) :run::uuid, lower(email), id, status
     from json_to_recordset(:subscribers) as listed (email text, id text, status text)
     on conflict (run, email_normalised) do update
       set subscriber_id = excluded.subscriber_id, subscriber_status = excluded.subscriber_status`,
    { run, subscribers: JSON.stringify(subscribers) },
  );
}

/** Forgets the list of a comparison that is over, however it ended. */
export async function deleteListedSubscribers(db: Database, run: string): Promise<void> {
  await db('reconcile_subscribers').where({ run }).delete();
}

/** Compares leads sent before the list was started with what it held. Statuses that changed are taken over. */
export async function findDifferences(db: Database, run: string, startedAt: Date): Promise<Differences> {
  return db.transaction(async (trx) => {
    await trx.raw('set local statement_timeout = 0');
    await trx.raw(
      `update leads set subscriber_id = subscriber.subscriber_id, subscriber_status = subscriber.subscriber_status,
         subscriber_checked_at = sync_now()
       from reconcile_subscribers subscriber
       where subscriber.run = :run and leads.email_normalised = subscriber.email_normalised and leads.beehiiv_status = 'sent'
         and leads.subscriber_status is distinct from subscriber.subscriber_status`,
      { run },
    );
    const { rows } = await trx.raw(
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
    const { checked, missing, invalid, left, unknown } = rows[0];
    const counts = { checked, missing: missing.length, invalid: invalid.length, left: left.length, unknown };
    await trx('sync_health').update({ reconcileReport: JSON.stringify(counts) });
    return { checked, missing, invalid, left, unknown };
  });
}

/** Takes the nightly comparison for this process alone: true once after each 03:00 UTC. */
export async function claimNightlyReconcile(db: Database): Promise<boolean> {
  const { rows } = await db.raw(
    `update sync_health set reconciled_at = sync_now()
     where reconciled_at < date_trunc('day', sync_now() - interval '3 hours', 'UTC') + interval '3 hours'
     returning id`,
  );
  return rows.length > 0;
}
