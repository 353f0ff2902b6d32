import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';

export type StripeEvent = {
  id: string;
  type: string;
  arrivedBy?: Arrival;
  /** The operator's request that caused the event. */
  request?: string | null;
};

/**
 * The way an event reached us: Stripe's request, our look in Stripe's list for undelivered events,
 * or a command.
 */
export type Arrival = 'delivery' | 'listing' | 'replay';

/**
 * Counts an event with a wrong signature. Counting begins again after ten minutes without one.
 * Returns the count, or null if another was counted in this second, because strangers may post any
 * number.
 */
export async function countRefusedSignature(db: Database): Promise<number | null> {
  const [row] = await query<{ count: number }>(
    db,
    `update tasks set seen_at = now(), since = case when is_first then now() else since end,
       detail = jsonb_build_object('refused', case when is_first then 1
         else (detail ->> 'refused')::int + 1 end)
     from (
       select seen_at is null or seen_at < now() - interval '10 minutes' as is_first
       from tasks where name = 'stripe-signatures' for update
     ) before
     where name = 'stripe-signatures' and (seen_at is null or seen_at < now() - interval '1 second')
     returning (detail ->> 'refused')::int as count`,
  );
  return row?.count ?? null;
}

/**
 * Records an event's outcome. Returns false if it was already recorded. An applied event stays
 * applied.
 */
export async function recordStripeEvent(
  db: Database,
  { id, type, arrivedBy = 'delivery' }: StripeEvent,
  outcome: 'applied' | 'ignored',
): Promise<boolean> {
  const rows = await query(
    db,
    `insert into stripe_events (id, type, outcome, arrived_by)
     values (:id, :type, :outcome, :arrivedBy)
     on conflict (id) do update set
       outcome = excluded.outcome,
       failure = null,
       missing_permission = null,
       object_id = null
     where stripe_events.outcome = 'parked'
       or (stripe_events.outcome = 'ignored' and excluded.outcome = 'applied')
     returning id`,
    { id, type, outcome, arrivedBy },
  );
  return rows.length > 0;
}

/**
 * Lists the parked events that can be retried, oldest first: events whose object is known. With
 * `isForPermission`, only events that wait for a permission, at most 100.
 */
export async function listParkedEvents(
  db: Database,
  { isForPermission = false } = {},
): Promise<{ id: string; type: string; objectId: string }[]> {
  const parked = db('stripe_events').where({ outcome: 'parked' }).orderBy('receivedAt');
  if (isForPermission) void parked.whereNotNull('missingPermission').limit(100);
  const rows = await parked.select('id', 'type', 'objectId');
  return rows.flatMap(({ objectId, ...row }) => (objectId === null ? [] : [{ ...row, objectId }]));
}

/**
 * Parks an event with the ids that a retry needs. An applied event stays applied. A reviewed event
 * needs attention again only for another failure.
 */
export async function parkEvent(
  db: Database,
  { id, type, arrivedBy = 'delivery' }: StripeEvent,
  objectId: string | null,
  failure: string,
  missingPermission: string | null = null,
): Promise<void> {
  await db.raw(
    `insert into stripe_events (id, type, outcome, arrived_by, failure, missing_permission,
       object_id)
     values (:id, :type, 'parked', :arrivedBy, :failure, :missingPermission, :objectId)
     on conflict (id) do update set
       outcome = 'parked',
       failure = excluded.failure,
       object_id = excluded.object_id,
       missing_permission = excluded.missing_permission,
       reviewed_at = case
         when stripe_events.failure = excluded.failure then stripe_events.reviewed_at end
     where stripe_events.outcome in ('parked', 'ignored')`,
    // Postgres text cannot hold NUL.
    {
      id,
      type,
      arrivedBy,
      failure: failure.slice(0, 1_000).replaceAll('\0', ''),
      missingPermission,
      objectId,
    },
  );
}

export async function isApplied(db: Database, id: string): Promise<boolean> {
  return (await db('stripe_events').where({ id, outcome: 'applied' }).first('id')) !== undefined;
}

/** Records that an event arrived at last, after it was fetched from Stripe's list. */
export async function noteLateDelivery(db: Database, id: string): Promise<void> {
  await db('stripe_events')
    .where({ id, arrivedBy: 'listing' })
    .update({ arrivedBy: 'delivery', receivedAt: db.fn.now() });
}
