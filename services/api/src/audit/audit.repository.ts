import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { Row } from '@site/platform/database/tables';
import type { OperatorAction } from '@site/schema/calls/audit';
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

type ActionFilter = Partial<
  Record<'operator' | 'action' | 'startDate' | 'endDate', string | undefined> & {
    before: number | undefined;
  }
>;

/** Lists the newest actions of the filter, at most `limit`. */
export async function listActions(
  db: Database,
  { before, operator, action, startDate, endDate }: ActionFilter,
  limit: number,
): Promise<Row<'operator_actions'>[]> {
  const actions = db<Row<'operator_actions'>>('operator_actions')
    .orderBy('id', 'desc')
    .limit(limit);
  if (before !== undefined) void actions.where('id', '<', before);
  if (operator !== undefined) void actions.where({ operator });
  if (action !== undefined) void actions.where({ action });
  if (startDate !== undefined)
    void actions.whereRaw(`at >= ?::date::timestamp at time zone 'Europe/London'`, startDate);
  if (endDate !== undefined)
    void actions.whereRaw(`at < (?::date + 1)::timestamp at time zone 'Europe/London'`, endDate);
  return actions;
}

export async function listActors(db: Database): Promise<string[]> {
  const rows = await query<{ operator: string }>(
    db,
    `with recursive actor as (
       (select operator from operator_actions where operator is not null order by operator limit 1)
       union all
       select (select operator from operator_actions where operator > actor.operator order by operator limit 1)
       from actor where actor.operator is not null
     ) select operator from actor where operator is not null`,
  );
  return rows.map(({ operator }) => operator);
}

const IS_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;

/**
 * Finds the leads of actions: for a subscription or a refund the subscription's lead, or else the
 * newest of its payer's email. The record holds only ids, so an erasure leaves no name in it.
 */
export async function findSubjects(
  db: Database,
  actions: readonly Row<'operator_actions'>[],
): Promise<Map<string, OperatorAction['lead']>> {
  const subjects = actions.flatMap(({ subject }) => subject ?? []);
  const rows = await query<{ subject: string; id: string; name: string; email: string }>(
    db,
    `with about as (
       select id::text as subject, id as lead_id from leads where id = any(:ids::uuid[])
       union
       select stripe_subscription_id, coalesce(subscriptions.lead_id, (
         select id from leads where leads.email_normalised = subscriptions.email_normalised
         order by submitted_at desc limit 1
       )) from subscriptions where stripe_subscription_id = any(:subjects::text[])
       union
       select refund.id, coalesce(subscriptions.lead_id, (
         select id from leads where leads.email_normalised = subscriptions.email_normalised
         order by submitted_at desc limit 1
       )) from stripe_refunds refund
         join subscriptions on subscriptions.stripe_subscription_id = refund.stripe_subscription_id
       where refund.id = any(:subjects::text[])
     )
     select subject, leads.id, coalesce(full_name, email) as name, email from about join leads on leads.id = lead_id`,
    { ids: subjects.filter((subject) => IS_ID.test(subject)), subjects },
  );
  return new Map(rows.map(({ subject, ...lead }) => [subject, lead]));
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
