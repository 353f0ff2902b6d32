import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import type { DifferenceKind } from '@site/platform/database/tables';

/*
 * What a comparison has read, and what it finds. The list is stored page by page, in short transactions, and compared in
 * the end.
 */

type ListedSubscriber = { email: string; id: string; status: string };

/** The list may be that of another newsletter, so only so many unknown subscribers are kept. */
const MOST_UNKNOWN = 1_000;

/** Stores one page of the list, asked for at `askedAt`, and the statuses that it changes. A newer status stays. */
export async function storeListed(trx: Database, subscribers: ListedSubscriber[], askedAt: Date): Promise<void> {
  await query(
    trx,
    `with page as (
       insert into listed_subscribers (email_normalised, subscriber_id, subscriber_status)
         select distinct on (lower(email)) lower(email), id, status
         from json_to_recordset(:subscribers) as listed (email text, id text, status text)
       on conflict (email_normalised) do update
         set subscriber_id = excluded.subscriber_id, subscriber_status = excluded.subscriber_status
       returning *
     )
     update leads set subscriber_id = page.subscriber_id, subscriber_status = page.subscriber_status,
       subscriber_checked_at = :askedAt
     from page
     where leads.email_normalised = page.email_normalised and beehiiv_status = 'sent'
       and (subscriber_checked_at is null or subscriber_checked_at < :askedAt)
       and (leads.subscriber_status, leads.subscriber_id)
         is distinct from (page.subscriber_status, page.subscriber_id)`,
    { subscribers: JSON.stringify(subscribers), askedAt },
  );
}

/**
 * Compares leads sent before `startedAt` with the list, and stores the differences in place of the last ones. For a person
 * with several leads, the newest counts. Returns how many people were compared, and how many subscribers have no lead.
 */
export async function storeDifferences(trx: Database, startedAt: Date): Promise<{ checked: number; unknown: number }> {
  await query(trx, 'set local statement_timeout = 0; delete from differences');
  const { checked } = await queryOne<{ checked: number }>(
    trx,
    `with sent as (
       select email_normalised, id, coalesce(beehiiv_sent_at, submitted_at) as sent_at,
         first_value(subscriber_status) over newest as status,
         first_value(subscriber_checked_at) over newest >= :startedAt as is_newer
       from leads where beehiiv_status = 'sent'
       window newest as (partition by email_normalised order by subscriber_checked_at desc nulls last)
     ), people as (
       select distinct on (email_normalised) * from sent where sent_at < :startedAt order by email_normalised, sent_at desc
     ), found as (
       select email_normalised, id, listed.subscriber_id,
         case when listed.subscriber_id is null and is_newer is not true then 'missing-there'
           when status = 'invalid' then 'invalid' when status = 'inactive' then 'unsubscribed' end as kind
       from people left join listed_subscribers listed using (email_normalised)
     ), stored as (
       insert into differences (kind, email_normalised, lead_id, subscriber_id)
         select kind, email_normalised, id, subscriber_id from found where kind is not null
     )
     select count(*)::int as checked from people`,
    { startedAt },
  );
  const { unknown } = await queryOne<{ unknown: number }>(
    trx,
    `with unknown as (
       select email_normalised, subscriber_id from listed_subscribers listed
       where not exists (select from leads where leads.email_normalised = listed.email_normalised)
     ), stored as (
       insert into differences (kind, email_normalised, subscriber_id)
         select 'unknown-here', email_normalised, subscriber_id from unknown limit ${MOST_UNKNOWN}
     )
     select count(*)::int as unknown from unknown`,
  );
  await query(trx, 'truncate listed_subscribers');
  return { checked, unknown };
}

/** Counts the differences by kind. */
export async function countDifferences(db: Database): Promise<Partial<Record<DifferenceKind, number>>> {
  const rows = await db('differences')
    .select<{ kind: DifferenceKind; count: number }[]>('kind')
    .count()
    .groupBy('kind');
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]));
}

/** Lists the leads of one kind of difference. */
export async function listLeadsThatDiffer(db: Database, kind: DifferenceKind): Promise<string[]> {
  return db('differences').where({ kind }).whereNotNull('leadId').orderBy('id').pluck('leadId');
}

/** Deletes a difference that has been put right. */
export async function deleteDifference(db: Database, kind: DifferenceKind, leadId: string): Promise<void> {
  await db('differences').where({ kind, leadId }).delete();
}

/** Counts sent leads, to show a comparison's progress. */
export async function countSentLeads(db: Database): Promise<number> {
  const [row] = await db('lead_counts').where({ beehiivStatus: 'sent' }).sum<{ sum: string | null }[]>('leads');
  return Number(row?.sum ?? 0);
}
