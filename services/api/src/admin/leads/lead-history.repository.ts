import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import { ADDRESS_IS_USED } from '@site/platform/outbox/correction';
import type { CallSent } from '@site/schema/calls/calls';
import { OUTAGE_KINDS } from '@site/schema/conditions';
import { MAX_ENTRIES } from './lead-money.repository.ts';
import type { Person } from './lead-money.repository.ts';

type HistoryEntry = CallSent<'GET /api/admin/leads/:id'>['history'][number];
/** An entry of a history. Fields that it does not name are null. */
export type Done = Pick<HistoryEntry, 'kind' | 'detail'> & { at: Date } & Partial<HistoryEntry>;

/*
 * One statement for each kind of entry that the rest of the answer lacks, the latest first. Their
 * columns are the entry's fields.
 */

/** Refunds. An operator's refund appears as the operator's action, unless it failed. */
const REFUNDS = `
  select 'refund' as kind, refunded_at as at, id as subject, status as detail, amount_pence,
    currency
  from stripe_refunds refund
  where stripe_subscription_id = any(:subscriptionIds) and (
    status not in ('succeeded', 'pending')
    or not exists (
      select from operator_actions
      where action = 'refund' and subject = any(:subscriptionIds)
        and detail ->> 'refund' = refund.id))
  order by at desc, id
  limit :most`;

const DISPUTES = `
  select 'dispute' as kind, opened_at as at, id as subject, status as detail, amount_pence, currency
  from stripe_disputes
  where stripe_subscription_id = any(:subscriptionIds)
  order by at desc
  limit :most`;

/** Changes of the person's tier through their other leads. */
const TIERS = `
  select 'tier' as kind, started_at as at, message as detail
  from lead_sync_attempts
  where lead_id = any(:leadIds::uuid[]) and lead_id <> :id and kind = 'tier' and class = 'accepted'
  order by at desc
  limit :most`;

/** Actions on the person's leads and subscriptions. */
const ACTIONS = `
  select 'action' as kind, at, operator, detail ->> 'currency' as currency,
    case when action = 'cancel-subscription' and detail ->> 'when' = 'now' then 'cancel-now'
      when action = 'read-lead' and detail ->> 'of' = 'person' then 'read-person'
      when action = 'retry' and detail -> 'fromQuarantine' is not null then 'send-quarantined'
      else action end as detail,
    case action when 'refund' then (detail ->> 'pence')::int end as amount_pence,
    case when action in ('free-access', 'payment-link')
      then (detail ->> 'until')::timestamptz end as until
  from operator_actions
  where subject = any(:leadIds::text[] || :subscriptionIds::text[]) and (
    action not in ('correct', 'correct-payer')
    or subject = any(:subscriptionIds::text[]))
  order by at desc
  limit :most`;

/** Corrections of the email, once for all leads that one moved. */
const CORRECTIONS = `
  select distinct on (corrected_at) 'action' as kind, corrected_at as at, former.operator,
    email as subject, action as detail
  from former_emails former
    join operator_actions on subject = lead_id::text and at = corrected_at
      and action in ('correct', 'correct-payer')
  where lead_id = any(:leadIds::uuid[])
  order by corrected_at desc, action desc
  limit :most`;

const UNSUBSCRIBES = `
  select 'unsubscribe' as kind, coalesce(done_at, requested_at) as at, email_normalised as subject,
    case when done_at is null then 'asked'
      when reason = :isUsed then 'kept'
      when reason = 'not-subscribed' then 'absent'
      else 'done' end as detail
  from removal_requests
  where lead_id = any(:leadIds::uuid[])
  order by at desc
  limit :most`;

/** Outages in which the lead waited for the first time, without an attempt. */
const OUTAGES = `
  select 'outage' as kind, greatest(since, submitted_at) as at, kind as detail
  from leads
    join outages on until > submitted_at
      and since < case when sync_round = 1 and beehiiv_status = 'pending' then now()
        when sync_round = 1 and beehiiv_status = 'sent' then beehiiv_sent_at
        else (
          select max(started_at) from lead_sync_attempts
          where lead_id = leads.id and round = 1) end
  where leads.id = :id and quarantine_reason is null and outages.kind = any(:outages::text[])
    and not exists (
      select from lead_sync_attempts
      where lead_id = leads.id and started_at >= since and started_at < until)
  order by at desc
  limit :most`;

const RUNS = `
  select 'action' as kind, created_at as at, operator, run.id as subject,
    case when filter ->> 'status' = 'quarantined' then 'send-quarantined'
      else 'bulk-retry' end as detail
  from bulk_retry_leads
    join bulk_retries run on run.id = bulk_retry_id
  where lead_id = any(:leadIds::uuid[])
  order by at desc
  limit :most`;

/** Bulk retries whose Stop gave back a lead. */
const STOPS = `
  select 'action' as kind, stopped_at as at, run.id as subject, 'bulk-retry-stop' as detail, (
      select operator from operator_actions
      where subject = run.id::text and action = 'bulk-retry-stop'
      limit 1) as operator
  from bulk_retry_leads
    join bulk_retries run on run.id = bulk_retry_id
  where lead_id = any(:leadIds::uuid[]) and state = 'returned'
  order by at desc
  limit :most`;

/** Lists events about a person that others caused, in the order of simultaneous events. */
export async function listDone(
  db: Database,
  person: Person & { id: string; subscriptionIds: string[] },
): Promise<Done[]> {
  const bound = {
    ...person,
    isUsed: ADDRESS_IS_USED.reason,
    outages: OUTAGE_KINDS,
    most: MAX_ENTRIES,
  };
  const lists = await Promise.all(
    [REFUNDS, DISPUTES, TIERS, ACTIONS, CORRECTIONS, UNSUBSCRIBES, OUTAGES, RUNS, STOPS].map(
      (statement) => query<Done>(db, statement, bound),
    ),
  );
  return lists.flat();
}
