import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import type { Row } from '@site/platform/database/tables';
import { BULK_REMEDIES, MAX_DIFFERENCES } from '@site/schema/differences';
import type { DifferenceKind, Remedy } from '@site/schema/differences';

type ListedRow = Row<'differences'> & { sentAt: Date | null; subscribedAt: Date | null };

/** Lists what the last comparison found, at most 200 of each kind. */
export async function listDifferences(db: Database): Promise<ListedRow[]> {
  return query(
    db,
    `select ranked.*, leads.beehiiv_sent_at as sent_at, subscriptions.started_at as subscribed_at from (
       select *, row_number() over (partition by kind order by id) as place from listed_differences
     ) ranked left join leads on leads.id = lead_id
       left join subscriptions using (stripe_subscription_id)
     where place <= :most order by ranked.id`,
    { most: MAX_DIFFERENCES },
  );
}

type KindCounts = { kind: DifferenceKind; count: number; fixable: number };

/** Counts what is listed, by kind, and how much of it has a safe remedy that nobody has asked for yet. */
export async function countDifferences(db: Database): Promise<KindCounts[]> {
  return query<KindCounts>(
    db,
    `select kind, count(*) as count,
       count(*) filter (where remedy = any(:safe) and requested_at is null) as fixable
     from listed_differences group by kind`,
    { safe: [...BULK_REMEDIES] },
  );
}

/** Counts the people with a difference, each once. Of the unknown subscribers only the first are stored. */
export async function countPeople(db: Database): Promise<number> {
  const { people } = await queryOne<{ people: number }>(
    db,
    `select count(distinct email_normalised)
       + greatest(0, (select (detail ->> 'unknown')::int from tasks where name = 'comparison') - count(*) filter (where kind = 'unknown-here')) as people
     from differences`,
  );
  return people;
}

/**
 * Asks the worker for a difference's remedy. Returns undefined if there is no such difference, or none that a program can
 * put right, and null if it was asked for before.
 */
export async function requestRemedy(
  trx: Database,
  id: number,
): Promise<{ kind: DifferenceKind; remedy: Remedy; leadId: string | null } | null | undefined> {
  const [found] = await query<{
    kind: DifferenceKind;
    remedy: Remedy;
    leadId: string | null;
    wasRequested: boolean;
  }>(
    trx,
    `update differences set requested_at = coalesce(requested_at, sync_now())
     from (select id, requested_at is not null as was_requested from differences where id = ? for update) before
     where differences.id = before.id and remedy is not null
     returning kind, remedy, lead_id, was_requested`,
    [id],
  );
  if (!found) return undefined;
  const { wasRequested, ...difference } = found;
  return wasRequested ? null : difference;
}

/**
 * Asks the worker for every safe remedy of a kind, and records each in the operator's name. Returns how many were asked
 * for.
 */
export async function requestSafeRemedies(
  db: Database,
  operator: string,
  kind: DifferenceKind,
): Promise<number> {
  const { asked } = await queryOne<{ asked: number }>(
    db,
    `with open as (
       -- In one order for all who ask.
       select id from differences
       where remedy = any(:safe) and requested_at is null
         and id in (select id from listed_differences where kind = :kind)
       order by id for update
     ), asked as (
       update differences set requested_at = sync_now() from open where differences.id = open.id
       returning kind, remedy, lead_id
     ), recorded as (
       insert into operator_actions (operator, action, subject, detail)
         select :operator, 'remedy', lead_id::text, jsonb_build_object('kind', kind, 'remedy', remedy) from asked
     )
     select count(*) as asked from asked`,
    { operator, kind, safe: [...BULK_REMEDIES] },
  );
  return asked;
}
