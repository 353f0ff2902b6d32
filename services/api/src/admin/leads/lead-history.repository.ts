import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import { SUBSCRIBER_STATUSES } from '@site/schema/beehiiv-answers';
import { ADDRESS_IS_USED } from '@site/platform/outbox/correction';
import type { CallSent } from '@site/schema/calls/calls';
import { OUTAGE_KINDS } from '@site/schema/conditions';
import { MAX_ENTRIES } from './lead-money.repository.ts';
import type { Person } from './lead-money.repository.ts';

type HistoryEntry = CallSent<'GET /api/admin/leads/:id'>['history'][number];
/** An entry of a history. Fields that it does not name are null. */
type Done = Pick<HistoryEntry, 'kind' | 'detail'> & { at: Date } & Partial<HistoryEntry>;

/*
 * The history of a lead's person: one statement for each kind of entry, the latest first. Their
 * columns are the entry's fields.
 */

/** The person's forms. The lead's own form begins its history. */
const FORMS = `
  select 'form' as kind, submitted_at as at, id as subject, form_type as detail
  from leads
  where id = any(:leadIds::uuid[])
  order by at desc
  limit :most`;

/**
 * Checkouts, opened and completed: at the start of the oldest subscription since then. The action
 * that made a payment link already lists its opening.
 */
const CHECKOUTS = `
  select 'checkout' as kind, step.at, checkouts.id as subject, step.detail
  from checkouts, lateral (
    select 1 as place, checkouts.started_at as at,
      case when state in ('complete', 'open') then 'opened' else coalesce(hindrance, state) end
        as detail
    where not is_payment_link
    union all
    select 2, min(s.started_at), 'complete'
    from subscriptions s
    where state = 'complete' and s.started_at >= checkouts.started_at
      and stripe_subscription_id = any(:subscriptionIds)
  ) step
  where step.at is not null and (
    lead_id = any(:leadIds::uuid[])
    or (lead_id is null or state in ('open', 'not-opened'))
      and email_normalised = :emailNormalised)
  order by step.at desc, checkouts.id desc, place desc
  limit :most`;

/** Starts, without a price: only today's is stored, and the payer may have changed the plan. */
const SUBSCRIBED = `
  select 'subscribed' as kind, started_at as at, stripe_subscription_id as subject, '' as detail
  from subscriptions
  where stripe_subscription_id = any(:subscriptionIds) and started_at is not null`;

const INVOICES = `
  select 'invoice' as kind, coalesce(paid_at, issued_at) as at, id as subject,
    case when status = 'open' and attempts > 0 then 'failed' else status end as detail,
    case status when 'paid' then paid_pence else total_pence end as amount_pence, currency
  from stripe_invoices
  where stripe_subscription_id = any(:subscriptionIds)
  order by at desc
  limit :most`;

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
  order by at desc, id desc
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

/** Corrections of the email. A correction that moved several leads is one entry. */
const CORRECTIONS = `
  select distinct on (corrected_at) 'action' as kind, corrected_at as at, former.operator,
    email as subject, action as detail
  from former_emails former
    join operator_actions on subject = lead_id::text and at = corrected_at
      and action in ('correct', 'correct-payer')
  where lead_id = any(:leadIds::uuid[])
  order by corrected_at desc, action desc
  limit :most`;

/** The lead's runs. A refusal of the last run of its round is final. */
const ATTEMPTS = `
  select 'attempt' as kind, started_at as at, attempt.kind as subject,
    coalesce(attempt.message, '') as detail,
    case when class = 'permanent' and (
      lead(attempt.round) over (order by started_at) > attempt.round
      or lead(attempt.round) over (order by started_at) is null and beehiiv_status = 'failed'
    ) then 'final' else coalesce(class, 'open') end as outcome
  from lead_sync_attempts attempt join leads on leads.id = lead_id
  where lead_id = :id
  order by at desc
  limit :most`;

/** Beehiiv's last answer about the email, unless one of the lead's runs got it. */
const STATUS = `
  select 'status' as kind, status_since as at, status as detail
  from people
  where email_normalised = :emailNormalised and status is not null and status_since is not null
    and not exists (
      select from lead_sync_attempts
      where lead_id = :id and message = :accepted::jsonb ->> people.status
        -- An answer is stored soon after its attempt began.
        and started_at > status_since - interval '30 seconds' and started_at <= status_since)`;

/** Cancellations that a later end follows, by the customer or in Stripe. */
const CANCELLED = `
  select 'cancelled' as kind, canceled_at as at, stripe_subscription_id as subject, '' as detail
  from subscriptions
  where stripe_subscription_id = any(:subscriptionIds)
    and canceled_at < coalesce(ended_at, 'infinity')
    and not exists (
      select from operator_actions
      where action = 'cancel-subscription' and subject = stripe_subscription_id
        and at between canceled_at - interval '1 minute' and canceled_at + interval '1 minute')`;

/** Ends of subscriptions, or of an operator's cancellation: Stripe's clock may be behind ours. */
const ENDS = `
  select 'ended' as kind, greatest(ended_at, (
      select min(at) from operator_actions
      where subject = stripe_subscription_id and action = 'cancel-subscription'
        and detail ->> 'when' = 'now')) as at, stripe_subscription_id as subject, plan as detail
  from subscriptions
  where stripe_subscription_id = any(:subscriptionIds) and ended_at is not null`;

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

const NOTHING = {
  subject: null,
  amountPence: null,
  currency: null,
  operator: null,
  until: null,
  outcome: null,
};
const STATEMENTS = [
  FORMS,
  CHECKOUTS,
  SUBSCRIBED,
  INVOICES,
  REFUNDS,
  DISPUTES,
  TIERS,
  ACTIONS,
  CORRECTIONS,
  UNSUBSCRIBES,
  OUTAGES,
  RUNS,
  STOPS,
  ATTEMPTS,
  STATUS,
  CANCELLED,
  ENDS,
];

/**
 * Lists what happened to the person of a lead: the latest entries, oldest first. Simultaneous
 * entries keep the order of the statements. Stripe's times have no milliseconds.
 */
export async function listHistory(
  db: Database,
  person: Person & { id: string; subscriptionIds: string[] },
): Promise<HistoryEntry[]> {
  const accepted = Object.entries(SUBSCRIBER_STATUSES).map(([name, words]) => [
    name,
    words?.accepted,
  ]);
  const bound = {
    ...person,
    isUsed: ADDRESS_IS_USED.reason,
    outages: OUTAGE_KINDS,
    accepted: JSON.stringify(Object.fromEntries(accepted)),
    most: MAX_ENTRIES,
  };
  const lists = await Promise.all(STATEMENTS.map((each) => query<Done>(db, each, bound)));
  return lists
    .flatMap((list) => list.toReversed())
    .toSorted((one, other) => toSecond(one.at) - toSecond(other.at))
    .slice(-MAX_ENTRIES)
    .map((entry) => ({ ...NOTHING, ...entry }));
}

const toSecond = (at: Date) => Math.floor(at.getTime() / 1_000);
