import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import { ACTIONS_PER_PAGE } from '@site/schema/calls/audit';
import type { auditCalls, OperatorAction } from '@site/schema/calls/audit';
import type { ActionName } from '@site/schema/operator-actions';
import type { z } from 'zod';

export type NewAction = {
  /** Null for commands, where no operator is signed in. */
  operator: string | null;
  action: ActionName;
  subject?: string | null;
  /** Ids, counts and filters, never personal data. */
  detail?: Record<string, unknown>;
};

/** Records an operator's action, in the action's transaction if it has one. */
export async function recordAction(
  db: Database,
  { operator, action, subject = null, detail = {} }: NewAction,
): Promise<void> {
  const values = { operator, action, subject, detail: JSON.stringify(detail) };
  await db('operator_actions').insert(values);
}

/**
 * Records that an operator read a lead or its whole person, once an hour, because an open view
 * loads again with every change.
 */
export async function recordLeadRead(
  db: Database,
  operator: string,
  leadId: string,
  detail = {},
): Promise<void> {
  await db.raw(
    `insert into operator_actions (operator, action, subject, detail) select :operator, 'read-lead',
       :leadId, :detail::jsonb
     where not exists (select from operator_actions
       where operator = :operator and action = 'read-lead'
       and subject = :leadId and detail = :detail::jsonb and at > now() - interval '1 hour')`,
    { operator, leadId, detail: JSON.stringify(detail) },
  );
}

export type Listed = 'leads' | 'people' | 'payers' | 'money';

/** Adds rows to an operator's listings of this hour. Records earlier hours as an action. */
export async function recordRowsViewed(
  db: Database,
  operator: string,
  listed: Listed,
  rows: number,
): Promise<void> {
  await foldReadings(db);
  await query(
    db,
    `update users set readings_hour = date_trunc('hour', now()),
       readings = readings
         || jsonb_build_object(:listed::text,
         coalesce((readings ->> :listed)::bigint, 0) + :rows::bigint)
     where username = :operator`,
    { operator, listed, rows },
  );
}

/**
 * Turns each operator's listings of a past hour into one action with the number of rows. For a
 * removed operator, does so at once.
 */
export async function foldReadings(db: Database, leaving = ''): Promise<void> {
  await query(
    db,
    `with past as (
       select id, username, readings_hour, readings from users
       where readings_hour < date_trunc('hour', now())
         or (readings_hour is not null and username = :leaving)
       for update
     ), cleared as (
       update users set readings_hour = null, readings = '{}' from past where users.id = past.id
     )
     insert into operator_actions (at, operator, action, detail)
     select least(now(), readings_hour + interval '1 hour'), username, 'read-lists', readings
     from past
     order by readings_hour`,
    { leaving },
  );
}

type ListedAction = Omit<OperatorAction, 'at'> & { at: Date };
type Wanted = z.output<(typeof auditCalls)['GET /api/admin/audit']['query']>;

/**
 * Lists operators' actions and logins, newest first, one more than a page. The record has only ids,
 * so an erasure leaves no names in it. For a subscription or a refund, adds the subscription's
 * lead, or else the payer's newest lead.
 */
export async function listActions(db: Database, wanted: Wanted): Promise<ListedAction[]> {
  return query<ListedAction>(
    db,
    `with record as (
       select id, at, operator, action, subject, detail from operator_actions
       union all
       -- A password that confirms an action is no login.
       select id, at, operator,
         case outcome when 'succeeded' then 'login' else 'login-failed' end as action, subject,
         jsonb_build_object('browser', browser, 'isCode', is_code) as detail
       from logins
       where outcome <> 'refused' and device is distinct from 'account ' || account
     ), listed as (
       select * from record
       where (:before::bigint is null or id < :before)
         and (:operator::text is null or operator = :operator)
         and (:action::text is null or action = :action)
         and (:startDate::date is null or at >= midnight(:startDate::date))
         and (:endDate::date is null or at < midnight(:endDate::date + 1))
       order by id desc
       limit :most
     )
     select listed.*, (
         select json_build_object('id', leads.id, 'name', coalesce(full_name, email), 'email',
           email)
         from leads where leads.id = about.lead_id
       ) as lead
     from listed left join lateral (
       select coalesce(
         case when subject ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then subject::uuid end,
         (select coalesce(lead_id, (
            select id
            from leads
            where leads.email_normalised = s.email_normalised
            order by submitted_at desc
            limit 1
          )) from subscriptions s
          where stripe_subscription_id
            = coalesce((select stripe_subscription_id from stripe_refunds where id = subject),
            subject))
       ) as lead_id
     ) about on true order by listed.id desc`,
    {
      before: wanted.before ?? null,
      operator: wanted.operator ?? null,
      action: wanted.action ?? null,
      startDate: wanted.startDate ?? null,
      endDate: wanted.endDate ?? null,
      most: ACTIONS_PER_PAGE + 1,
    },
  );
}

/** Lists the operators, and everybody else with a recorded action, in alphabetical order. */
export async function listActors(db: Database): Promise<string[]> {
  const actors = await query<{ operator: string }>(
    db,
    `with recursive actor as (
       (select operator from operator_actions where operator is not null order by operator limit 1)
       union all
       select (
         select operator
         from operator_actions
         where operator > actor.operator
         order by operator
         limit 1
       )
       from actor where actor.operator is not null
     )
     select operator from actor where operator is not null
     union select username from users
     order by 1`,
  );
  return actors.map(({ operator }) => operator);
}
