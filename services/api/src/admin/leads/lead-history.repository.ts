import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import { ADDRESS_IS_USED } from '@site/platform/outbox/correction';
import type { LeadRow } from '@site/platform/database/tables';
import { SUBSCRIBER_STATUSES } from '@site/schema/beehiiv-answers';
import type { CallSent } from '@site/schema/calls/calls';
import { OUTAGE_KINDS } from '@site/schema/sync-state';

type HistoryEntry = CallSent<'GET /api/admin/leads/:id'>['history'][number];

/** The answers of an accepted attempt, by status. */
const ACCEPTED = Object.fromEntries(
  Object.entries(SUBSCRIBER_STATUSES).map(([status, said]) => [status, said?.accepted]),
);

/**
 * Lists the history of a lead's person, oldest first: other forms of the email, checkouts,
 * subscriptions, invoices, refunds, disputes, changes of tier, the status at Beehiiv, outages, and
 * operators' actions. The lead's own attempts are listed elsewhere.
 */
export async function listHistory(
  db: Database,
  { id, emailNormalised }: Pick<LeadRow, 'id' | 'emailNormalised'>,
): Promise<HistoryEntry[]> {
  return query<HistoryEntry>(
    db,
    `with forms as (
         select id, submitted_at, form_type from leads
         where email_normalised = :email
           and (id = :id or id not in (select id from departed_leads where email_normalised = :email))),
       own as (
         select * from subscriptions where lead_id in (select id from forms)
         union select * from subscriptions where email_normalised = :email
       ), entries (at, kind, subject, detail, amount_pence, currency, operator, until) as (
         select submitted_at, 'form', id::text, form_type, null::int, null::text, null, null::timestamptz from forms
           -- A copy is told as the correction that made it.
           where id <> :id and not exists (select from leads mistyped where mistyped.corrected_to = forms.id)
         union all select started_at, 'checkout', stripe_checkout_session_id,
             case state when 'complete' then 'opened' else state end, null, null, null, null
           from checkouts where lead_id in (select id from forms)
         -- Completing a checkout starts its subscription.
         union all select (select min(started_at) from own where own.started_at >= checkouts.started_at), 'checkout',
             stripe_checkout_session_id, state, null, null, null, null
           from checkouts where lead_id in (select id from forms) and state = 'complete'
         union all select started_at, 'subscribed', stripe_subscription_id, plan, amount_pence, 'gbp', null, null from own
         -- One that an operator cancelled at once ended then: Stripe's clock may be behind ours.
         union all select greatest(ended_at, (select min(at) from operator_actions where subject = stripe_subscription_id
             and action = 'cancel-subscription' and detail->>'when' = 'now')), 'ended', null, plan, null, null, null, null
           from own where ended_at is not null
         union all select coalesce(paid_at, issued_at), 'invoice', invoice.id,
             case when invoice.status = 'open' and invoice.attempts > 0 then 'failed' else invoice.status end,
             case when invoice.status = 'paid' then paid_pence else total_pence end, currency, null, null
           from stripe_invoices invoice join own using (stripe_subscription_id)
         union all select refunded_at, 'refund', refund.id, refund.status, refund.amount_pence, currency, null, null from stripe_refunds refund
           join own using (stripe_subscription_id)
           -- What an operator refunded is told as what they did, unless it failed.
           where refund.status not in ('succeeded', 'pending') or not exists (select from operator_actions
             where action = 'refund' and subject in (select stripe_subscription_id from own) and detail->>'refund' = refund.id)
         union all select opened_at, 'dispute', dispute.id, dispute.status, dispute.amount_pence, currency, null, null from stripe_disputes dispute
           join own using (stripe_subscription_id)
         -- Those of the person's other forms.
         union all select started_at, 'tier', null, message, null, null, null, null from lead_sync_attempts
           where lead_id in (select id from forms where id <> :id) and kind = 'tier' and class = 'accepted'
         -- What Beehiiv said of the email, unless it is what an attempt was answered.
         union all select status_since, 'status', null, status, null, null, null, null from people
           where email_normalised = :email and status is not null and not exists (
             select from lead_sync_attempts where lead_id in (select id from forms) and class = 'accepted' and kind <> 'tier'
               and message = cast(:accepted as jsonb)->>status and status_since between started_at and started_at + make_interval(secs => coalesce(took_ms, 0) / 1000.0 + 2))
         union all select at, 'action', null,
             case when action = 'cancel-subscription' and detail->>'when' = 'now' then 'cancel-now'
               when action = 'read-lead' and detail->>'of' = 'person' then 'read-person'
               when action = 'retry' and detail->'fromQuarantine' is not null then 'send-quarantined' else action end,
             case action when 'refund' then (detail->>'pence')::int end, detail->>'currency', operator,
             case action when 'complimentary' then (detail->>'until')::timestamptz end
           from operator_actions
           where subject in (select id::text from forms union select stripe_subscription_id from own)
             -- Another lead that has left the email may have been somebody else's.
             and (action not in ('correct', 'correct-payer') or subject = cast(:id as text) or detail->'correctedTo' is null)
         -- Correcting the email is done to the lead with the mistyped one.
         union all select at, 'action', email, action, null, null, operator, null
           from operator_actions join leads mistyped on subject = mistyped.id::text
           where action in ('correct', 'correct-payer') and mistyped.corrected_to in (select id from forms)
         union all select coalesce(done_at, requested_at), 'unsubscribe', email_normalised,
             case when done_at is null then 'asked' when reason = :isUsed then 'kept'
               when reason = 'not-subscribed' then 'absent' else 'done' end, null, null, null, null
           from address_requests where lead_id in (select id from forms)
         -- Those in which the lead waited for the first time without an attempt of its own.
         union all select greatest(since, submitted_at), 'outage', null, kind, null, null, null, null
           from outages join leads on until > submitted_at
             and since < case when sync_round = 1 and beehiiv_status = 'pending' then now()
               when sync_round = 1 and beehiiv_status = 'sent' then beehiiv_sent_at
               else (select max(started_at) from lead_sync_attempts where lead_id = leads.id and round = 1) end
           where leads.id = :id and quarantine_reason is null and kind = any(:outages::text[])
             and not exists (select from lead_sync_attempts where lead_id = leads.id and started_at >= since and started_at < until)
         union all select created_at, 'action', retry_runs.id::text,
             case when filter->>'status' = 'quarantined' then 'send-quarantined' else 'retry-run' end, null, null, operator, null
           from retry_runs join retry_run_leads on run_id = retry_runs.id where lead_id in (select id from forms)
         -- Of those that it had not tried.
         union all select stopped_at, 'action', run.id::text, 'retry-run-stop', null, null,
             (select operator from operator_actions where subject = run.id::text and action = 'retry-run-stop' limit 1), null
           from retry_runs run join retry_run_leads mine on run_id = run.id where lead_id in (select id from forms) and not exists (
             select from lead_sync_attempts attempt where attempt.lead_id = mine.lead_id and attempt.round = mine.round)
       )
     select * from (select * from entries where at is not null order by at desc limit 200) latest
     -- A checkout is opened before it is complete, in the same second too.
     order by at, kind, subject, detail desc`,
    {
      id,
      email: emailNormalised,
      isUsed: ADDRESS_IS_USED.reason,
      accepted: JSON.stringify(ACCEPTED),
      outages: [...OUTAGE_KINDS],
    },
  );
}
