import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { Row } from '@site/platform/database/tables';

type Event = { id: string; type: string };

/**
 * True if an event needs nothing more. A parked one is tried again whenever it is delivered, and so is an ignored one,
 * because a wrong setting may have been the reason.
 */
export async function isApplied(db: Database, eventId: string): Promise<boolean> {
  return (await db('stripe_events').where({ id: eventId, outcome: 'applied' }).first('id')) !== undefined;
}

/** Records an event's outcome. Returns false if it was recorded before. An applied event stays applied. */
export async function recordEvent(db: Database, { id, type }: Event, outcome: 'applied' | 'ignored'): Promise<boolean> {
  const rows = await query<Pick<Row<'stripe_events'>, 'id'>>(
    db,
    `insert into stripe_events (id, type, outcome) values (:id, :type, :outcome)
     on conflict (id) do update set outcome = excluded.outcome, fault = null, raw_body = null
       where stripe_events.outcome = 'parked' or (stripe_events.outcome = 'ignored' and excluded.outcome = 'applied')
     returning id`,
    { id, type, outcome },
  );
  return rows.length > 0;
}

/** Lists the parked events that can be retried, oldest first. Excludes unreadable ones. */
export async function listParkedEvents(db: Database): Promise<{ id: string; rawBody: string }[]> {
  return db('stripe_events')
    .where({ outcome: 'parked' })
    .whereNot({ type: 'unreadable' })
    .orderBy('receivedAt')
    .select('id', 'rawBody');
}

/**
 * Parks an event with everything needed to retry it. An applied event stays applied. A reviewed event needs attention
 * again only for another fault.
 */
export async function parkEvent(
  db: Database,
  { id, type, fault, rawBody }: Event & { fault: string; rawBody: string },
): Promise<void> {
  await db.raw(
    `insert into stripe_events (id, type, outcome, fault, raw_body) values (:id, :type, 'parked', :fault, :rawBody)
     on conflict (id) do update set outcome = 'parked', fault = excluded.fault, raw_body = excluded.raw_body,
       is_body_reduced = false,
       reviewed_at = case when stripe_events.fault = excluded.fault then stripe_events.reviewed_at end
       where stripe_events.outcome in ('parked', 'ignored')`,
    // Postgres text cannot hold NUL.
    { id, type, fault: fault.slice(0, 1_000), rawBody: rawBody.replaceAll('\0', '') },
  );
}
