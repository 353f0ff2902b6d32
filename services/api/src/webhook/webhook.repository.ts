import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { Row } from '@site/platform/database/tables';

type Event = { id: string; type: string };

/** True for an event that needs nothing more. A parked one does: its redelivery is another try. */
export async function isSettled(db: Database, eventId: string): Promise<boolean> {
  const event = await db('stripe_events').where({ id: eventId }).whereNot({ outcome: 'parked' }).first('id');
  return event !== undefined;
}

/** Records what became of an event; false when that was recorded before. A parked event is parked no more. */
export async function recordEvent(db: Database, { id, type }: Event, outcome: 'applied' | 'ignored'): Promise<boolean> {
  const rows = await query<Pick<Row<'stripe_events'>, 'id'>>(
    db,
    `insert into stripe_events (id, type, outcome) values (:id, :type, :outcome)
     on conflict (id) do update set outcome = excluded.outcome, fault = null, raw_body = null
       where stripe_events.outcome = 'parked'
     returning id`,
    { id, type, outcome },
  );
  return rows.length > 0;
}

/** What was put aside and may be tried again, oldest first: never what is no event at all. */
export async function listParkedEvents(db: Database): Promise<{ id: string; rawBody: string }[]> {
  return db('stripe_events')
    .where({ outcome: 'parked' })
    .whereNot({ type: 'unreadable' })
    .orderBy('receivedAt')
    .select('id', 'rawBody');
}

/**
 * Puts an event aside with all that is needed to try it again. One that was settled meanwhile stays so, and one
 * that somebody has looked at is to be looked at again only for another fault.
 */
export async function parkEvent(
  db: Database,
  { id, type, fault, rawBody }: Event & { fault: string; rawBody: string },
): Promise<void> {
  await db.raw(
    `insert into stripe_events (id, type, outcome, fault, raw_body) values (:id, :type, 'parked', :fault, :rawBody)
     on conflict (id) do update set fault = excluded.fault, raw_body = excluded.raw_body,
       reviewed_at = case when stripe_events.fault = excluded.fault then stripe_events.reviewed_at end
       where stripe_events.outcome = 'parked'`,
    // Postgres keeps no NUL in a text.
    { id, type, fault: fault.slice(0, 1_000), rawBody: rawBody.replaceAll('\0', '') },
  );
}
