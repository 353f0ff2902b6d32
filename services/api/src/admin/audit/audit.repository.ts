import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { OperatorAction } from '@site/schema/console';

export type Action =
  | 'login'
  | 'login-failed'
  | 'logout'
  | 'password-change'
  | 'second-factor-on'
  | 'second-factor-off'
  | 'recovery-codes'
  | 'sign-out-everywhere'
  | 'read-lead'
  | 'export-leads'
  | 'probe'
  | 'retry'
  | 'retry-run'
  | 'retry-run-stop'
  | 'correct'
  | 'correct-payer'
  | 'change-delivery'
  | 'refund'
  | 'complimentary'
  | 'cancel-subscription'
  | 'export-person'
  | 'erase-person'
  | 'read-stripe-event'
  | 'review-mismatch'
  | 'review-second'
  | 'review-stripe-event'
  | 'remedy'
  | 'review-refund'
  | 'user-add'
  | 'user-reset'
  | 'user-remove';

export type NewAction = {
  /** Null for commands, where no operator is signed in. */
  operator: string | null;
  action: Action;
  subject?: string | null;
  /** Ids, counts and filters. Never personal data. */
  detail?: Record<string, unknown>;
};

export type ActionRow = {
  id: number;
  at: Date;
  operator: string | null;
  action: string;
  subject: string | null;
  detail: Record<string, unknown>;
};

/** Records what an operator did, in the transaction of the action where it has one. */
export async function recordAction(
  db: Database,
  { operator, action, subject = null, detail = {} }: NewAction,
): Promise<void> {
  await db('operator_actions').insert({ operator, action, subject, detail: JSON.stringify(detail) });
}

type ActionFilter = Partial<
  Record<'operator' | 'action' | 'startDate' | 'endDate', string | undefined> & { before: number | undefined }
>;

/** Lists the newest actions of the filter, at most `limit`. */
export async function listActions(
  db: Database,
  { before, operator, action, startDate, endDate }: ActionFilter,
  limit: number,
): Promise<ActionRow[]> {
  const actions = db<ActionRow>('operator_actions').orderBy('id', 'desc').limit(limit);
  if (before !== undefined) void actions.where('id', '<', before);
  if (operator !== undefined) void actions.where({ operator });
  if (action !== undefined) void actions.where({ action });
  if (startDate !== undefined)
    void actions.whereRaw(`at >= ?::date::timestamp at time zone 'Europe/London'`, startDate);
  if (endDate !== undefined)
    void actions.whereRaw(`at < (?::date + 1)::timestamp at time zone 'Europe/London'`, endDate);
  return actions;
}

/** Lists everyone with an action on record, by the index on operators. */
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

/** Finds the leads that actions were about: the record holds only ids, so that an erasure leaves no name in it. */
export async function findSubjects(
  db: Database,
  actions: readonly ActionRow[],
): Promise<Map<string, OperatorAction['lead']>> {
  const ids = actions.flatMap(({ subject }) => (subject !== null && IS_ID.test(subject) ? [subject] : []));
  const rows = await db('leads')
    .whereIn('id', ids)
    .select<{ id: string; fullName: string | null; email: string }[]>('id', 'fullName', 'email');
  return new Map(rows.map(({ id, fullName, email }) => [id, { id, name: fullName ?? email, email }]));
}

/** Records that an operator read a lead, once an hour: an open drawer loads it again with every change. */
export async function recordLeadRead(db: Database, operator: string, leadId: string): Promise<void> {
  await db.raw(
    `insert into operator_actions (operator, action, subject) select :operator, 'read-lead', :leadId
     where not exists (select from operator_actions where operator = :operator and action = 'read-lead'
       and subject = :leadId and at > now() - interval '1 hour')`,
    { operator, leadId },
  );
}

export type SignInRow = { at: Date; action: 'login' | 'login-failed'; browser: string | null };

/** Lists the latest logins to an account, failed ones included. */
export async function listSignIns(db: Database, username: string, limit: number): Promise<SignInRow[]> {
  return query<SignInRow>(
    db,
    `select at, action, detail->>'browser' as browser from (
       (select * from operator_actions where operator = :username and action = 'login' order by id desc limit :limit)
       union all
       (select * from operator_actions where subject = :username and action = 'login-failed' order by id desc limit :limit)
     ) sign_ins order by id desc limit :limit`,
    { username, limit },
  );
}
