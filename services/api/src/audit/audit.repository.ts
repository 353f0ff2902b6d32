import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { ActionName } from '@site/schema/operator-actions';

export type NewAction = {
  /** Null for commands, where no operator is signed in. */
  operator: string | null;
  action: ActionName;
  subject?: string | null;
  /** Ids, counts and filters. Never personal data. */
  detail?: Record<string, unknown>;
};

/** Records an operator's action, in the action's own transaction where it has one. */
export async function recordAction(
  db: Database,
  { operator, action, subject = null, detail = {} }: NewAction,
): Promise<void> {
  const values = { operator, action, subject, detail: JSON.stringify(detail) };
  await db('operator_actions').insert(values);
}

/**
 * Records that an operator read a lead, or all of its person, once an hour: an open view loads
 * again with every change.
 */
export async function recordLeadRead(
  db: Database,
  operator: string,
  leadId: string,
  detail = {},
): Promise<void> {
  await db.raw(
    `insert into operator_actions (operator, action, subject, detail) select :operator, 'read-lead', :leadId, :detail::jsonb
     where not exists (select from operator_actions where operator = :operator and action = 'read-lead'
       and subject = :leadId and detail = :detail::jsonb and at > now() - interval '1 hour')`,
    { operator, leadId, detail: JSON.stringify(detail) },
  );
}

export type Listed = 'leads' | 'people' | 'payers' | 'money' | 'comparison';

/** Adds rows to an operator's listings of this hour. Earlier hours become an action on record. */
export async function recordReading(
  db: Database,
  operator: string,
  listed: Listed,
  rows: number,
): Promise<void> {
  await foldReadings(db);
  await query(
    db,
    `update users set readings_hour = date_trunc('hour', now()),
       readings = readings || jsonb_build_object(:listed::text, coalesce((readings ->> :listed)::bigint, 0) + :rows::bigint)
     where username = :operator`,
    { operator, listed, rows },
  );
}

/**
 * Turns each operator's listings of a past hour into one action with the number of rows, and those
 * of an operator who leaves at once.
 */
export async function foldReadings(db: Database, leaving = ''): Promise<void> {
  await query(
    db,
    `with past as (
       select id, username, readings_hour, readings from users
       where readings_hour < date_trunc('hour', now()) or (readings_hour is not null and username = :leaving) for update
     ), cleared as (
       update users set readings_hour = null, readings = '{}' from past where users.id = past.id
     )
     insert into operator_actions (at, operator, action, detail)
     select least(now(), readings_hour + interval '1 hour'), username, 'read-lists', readings from past order by readings_hour`,
    { leaving },
  );
}
