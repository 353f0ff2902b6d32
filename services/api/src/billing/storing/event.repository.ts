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
  const rows = await db('stripe_events')
    .insert({ id, type, outcome, arrivedBy })
    .onConflict('id')
    .merge({ outcome, failure: null, missingPermission: null, objectId: null })
    .whereRaw(
      `stripe_events.outcome = 'parked'
         or stripe_events.outcome = 'ignored' and excluded.outcome = 'applied'`,
    )
    .returning('id');
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
  // Postgres text cannot hold NUL.
  const stored = failure.slice(0, 1_000).replaceAll('\0', '');
  const parked = { outcome: 'parked', objectId, failure: stored, missingPermission };
  await db('stripe_events')
    .insert({ id, type, arrivedBy, ...parked })
    .onConflict('id')
    .merge({
      ...parked,
      reviewedAt: db.raw(
        'case when stripe_events.failure = excluded.failure then stripe_events.reviewed_at end',
      ),
    })
    .whereIn('stripe_events.outcome', ['parked', 'ignored']);
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
