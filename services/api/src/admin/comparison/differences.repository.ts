import { task } from '@site/platform/database/task';
import { query, queryOne } from '@site/platform/database/query';
import type { Database } from '@site/platform/database/connect';
import type { Row } from '@site/platform/database/tables';
import type { ComparisonDetail } from '@site/platform/database/task';
import type { CallSent } from '@site/schema/calls/calls';
import { BULK_REMEDIES, MAX_DIFFERENCES } from '@site/schema/differences';
import type { DifferenceKind } from '@site/schema/differences';
import { recordAction } from '../../audit/audit.repository.ts';

type Answer = CallSent<'GET /api/admin/differences'>;
type Difference = Answer['differences'][number];
type Comparison = Row<'tasks'> & { detail: ComparisonDetail; nextAt: Date | null; people: number };

/** Reads the differences of each kind, and the comparison's progress. */
export async function readDifferences(db: Database): Promise<Answer> {
  const [rows, { detail, people, ...last }, kinds] = await Promise.all([
    query<Difference>(
      db,
      `select ranked.id, kind, email_normalised as email, stripe_subscription_id,
         s.started_at as subscribed_at,
         ranked.lead_id, beehiiv_sent_at as sent_at, ranked.subscriber_status, remedy,
         requested_at is not null as is_requested
       from (
         select *, row_number() over (partition by kind order by id) as place
         from listed_differences
       ) ranked
         left join lateral (select beehiiv_sent_at from leads where id = ranked.lead_id) l on true
         left join lateral (
           select started_at
           from subscriptions
           where stripe_subscription_id = ranked.stripe_subscription_id
         ) s on true
       where place <= :most order by ranked.id`,
      { most: MAX_DIFFERENCES },
    ),
    queryOne<Comparison>(
      db,
      `select *, case when retry_at > sync_now() then retry_at end as next_at, (
           -- Counts each person once. Only the first unknown subscribers are stored.
           select count(distinct email_normalised)
             + greatest(0,
             (detail ->> 'unknown')::int - count(*) filter (where kind = 'unknown-here'))
               from differences
         ) as people
       from tasks where name = 'comparison'`,
    ),
    query<{ kind: DifferenceKind; count: number; fixable: number }>(
      db,
      `select kind, count(*) as count,
         count(*) filter (where remedy = any(:safe) and requested_at is null) as fixable
       from listed_differences group by kind`,
      { safe: [...BULK_REMEDIES] },
    ),
  ]);
  const counts = Object.fromEntries(kinds.map(({ kind, count }) => [kind, count]));
  return {
    comparedAt: last.coversUntil,
    subscribersRead: last.leasedUntil ? detail.subscribersRead : last.requestedAt && 0,
    failure: last.failure,
    retryAt: last.nextAt,
    differences: rows.map(withoutUnknown),
    counts: { ...counts, ...(detail.unknown > 0 ? { 'unknown-here': detail.unknown } : {}) },
    fixable: Object.fromEntries(kinds.map(({ kind, fixable }) => [kind, fixable])),
    people,
  };
}

/** Leaves out unknown fields. The remedy is null if only a person can decide. */
const withoutUnknown = ({ remedy, ...difference }: Difference) => ({
  ...(Object.fromEntries(
    Object.entries(difference).filter(([, value]) => value !== null),
  ) as typeof difference),
  remedy,
});

type Asked = Pick<Row<'differences'>, 'kind' | 'remedy' | 'leadId'> & { wasRequested: boolean };

/** Asks the worker for a comparison, unless one is in progress. */
export async function requestComparison(db: Database): Promise<void> {
  await task(db, 'comparison')
    .whereNull('leasedUntil')
    .update({ requestedAt: db.raw('sync_now()') });
}

/**
 * Asks the worker to put a difference right, and records the operator. Returns false if the
 * difference is gone or only a person can decide.
 */
export async function requestRemedy(db: Database, operator: string, id: number): Promise<boolean> {
  return db.transaction(async (trx) => {
    const [asked] = await query<Asked>(
      trx,
      `update differences set requested_at = coalesce(requested_at, sync_now())
       from (
         select id, requested_at is not null as was_requested from differences
         where id = ?
         for update
       ) before
       where differences.id = before.id and remedy is not null
       returning kind, remedy, lead_id, was_requested`,
      [id],
    );
    if (!asked) return false;
    if (asked.wasRequested) return true;
    const { kind, remedy, leadId } = asked;
    const detail = { kind, remedy };
    await recordAction(trx, { operator, action: 'remedy', subject: leadId, detail });
    return true;
  });
}

/**
 * Asks the worker for every safe remedy of a kind, and records each in the operator's name. Returns
 * the number of remedies.
 */
export async function requestSafeRemedies(
  db: Database,
  operator: string,
  kind: DifferenceKind,
): Promise<number> {
  const { asked } = await queryOne<{ asked: number }>(
    db,
    `with open as (
       -- Locks in the same order for all callers.
       select id from differences
       where remedy = any(:safe) and requested_at is null
         and id in (select id from listed_differences where kind = :kind)
       order by id for update
     ), asked as (
       update differences set requested_at = sync_now() from open where differences.id = open.id
       returning kind, remedy, lead_id
     ), recorded as (
       insert into operator_actions (operator, action, subject, detail)
         select :operator, 'remedy', lead_id::text,
           jsonb_build_object('kind', kind, 'remedy', remedy)
         from asked
     )
     select count(*) as asked from asked`,
    { operator, kind, safe: [...BULK_REMEDIES] },
  );
  return asked;
}
