-- Every migrate drops all views and creates these. A view uses only column names that the previous
-- and the next release have. A view casts each literal and nests at most two deep.

-- Emails that Beehiiv has yet to delete. Their leads are not sent until then.
create view erasing as
select email_normalised from removal_requests
where kind = 'erasure' and done_at is null and deleted_at is null;

-- Leads that a run may send, because no run serves their email and nobody is erasing it. With
-- `offset 0` Postgres keeps the order of an index, however old its statistics: as a join it may
-- read and sort all leads that are due, for each claim.
create view free_leads as
select id, email_normalised, beehiiv_status, beehiiv_reason, urgency, next_attempt_at,
  round_started_at, updated_at
from leads
where not exists (
    select from email_leases lease
    where lease.email_normalised = leads.email_normalised and lease.leased_until > sync_now()
    offset 0
  )
  and not exists (
    select from erasing where erasing.email_normalised = leads.email_normalised
    offset 0
  );

-- The requests that the worker owes people at Beehiiv besides their leads. `urgency` is the kind of
-- slot, `attempts` decides the backoff. While an email is being erased, only its erasure is due.
create view wishes as
select wish.* from (
  select kind, id::text as id, email_normalised, 'lead'::text as urgency, false as is_first,
    next_attempt_at as due_at, attempts, deleted_at is not null as is_deleted,
    null::uuid as lead_id
  from removal_requests where done_at is null
  union all
  select 'tier', tier_version::text, email_normalised, 'lead', false,
    tier_next_attempt_at, tier_attempts, false, (
      -- The subscriber must exist first.
      select id from leads
      where leads.email_normalised = people.email_normalised and beehiiv_status = 'sent'
      order by beehiiv_sent_at desc nulls last, id desc limit 1
    )
  from people where tier_confirmed_version < tier_version
  union all
  select 'check', '', email_normalised, 'background', entitled_by is not null,
    check_due_at, 0, false, null
  from people where check_due_at is not null
  union all
  select 'consent', id::text, email_normalised, 'background', false, consent_due_at,
    3, false, id
  from leads where consent_due_at is not null
  union all
  select remedy, id::text, email_normalised, 'background', false, requested_at, 3, false,
    lead_id
  from differences where requested_at is not null
) wish
where (kind <> 'tier' or lead_id is not null) and (kind = 'erasure' or not exists (
  select from erasing where erasing.email_normalised = wish.email_normalised
));

-- Leads whose claim a run still holds.
create view claimed_leads as
select attempt.lead_id
from lead_sync_attempts attempt
  join email_leases lease on lease.leased_by = attempt.id and lease.leased_until > sync_now()
  join leads on leads.id = attempt.lead_id and leads.email_normalised = attempt.email_normalised
where attempt.kind in ('push', 'probe');

-- Payers whose customer has another email at Stripe. Somebody changed the email there, or paid with
-- a mistyped email after its correction here.
create view changed_emails as
select stripe_subscription_id, lead_id, email, customer_email, snapshot_at
from subscriptions where stage <> 'ended' and normalised_email(customer_email) <> email_normalised;

-- Live subscriptions whose email also has an older one, "other". Both continue. Each email's oldest
-- subscription is not listed.
create view second_subscriptions as
select s.stripe_subscription_id, s.email_normalised, s.email, s.lead_id, s.reviewed_causes,
  coalesce(s.started_at, s.created_at) as since, first.stripe_subscription_id as other_id
from (
  select email_normalised from subscriptions
  where is_live and cancel_at is null group by email_normalised having count(*) > 1
) twice
  join subscriptions s on s.email_normalised = twice.email_normalised
    and s.is_live and s.cancel_at is null
  cross join lateral (
    select stripe_subscription_id from subscriptions
    where email_normalised = s.email_normalised and is_live and cancel_at is null
    order by coalesce(started_at, 'infinity'), stripe_subscription_id limit 1
  ) first
where s.stripe_subscription_id <> first.stripe_subscription_id;

-- Leads that failed in the refusals that last paused the sync. The refusals are timed by their
-- answers.
create view refused_in_pause as
select attempt.lead_id
from lead_sync_attempts attempt, sync_health health
where attempt.class = 'permanent'
  and attempt.started_at between health.refusals_from - interval '1 minute'
    and coalesce(health.refusals_to, 'infinity')
  and attempt.started_at + coalesce(took_ms, 60000) * interval '1 ms'
    >= health.refusals_from - interval '1 second';

-- The differences that the console lists and counts. `pays-not-active` hides the same email's other
-- subscriber differences.
create view listed_differences as
select id, kind, email_normalised, lead_id, subscriber_id, subscriber_status,
  stripe_subscription_id, remedy, requested_at
from differences found
where kind not in ('missing-there', 'invalid', 'unsubscribed') or not exists (
  select from differences paying
  where paying.kind = 'pays-not-active' and paying.email_normalised = found.email_normalised
);

-- Movements of money, each on its own day. A failed refund adds its amount again on the day it
-- failed. A dispute subtracts its amount on the day the bank took it, and adds it again on the day
-- it was won. So a closed month never changes.
create view payments as
select 'payment'::text as kind, id, paid_at as at, paid_pence as pence, currency,
  stripe_subscription_id, id as stripe_invoice_id, null::text as stripe_charge_id
from stripe_invoices where paid_pence > 0
union all
select 'refund', id, refunded_at, -amount_pence, currency, stripe_subscription_id,
  stripe_invoice_id, stripe_charge_id
from stripe_refunds where status not in ('failed', 'canceled') or failed_at is not null
union all
select 'failed refund', id, failed_at, amount_pence, currency, stripe_subscription_id,
  stripe_invoice_id, stripe_charge_id
from stripe_refunds where status in ('failed', 'canceled') and failed_at is not null
union all
select 'dispute', id, coalesce(escalated_at, opened_at), -amount_pence, currency,
  stripe_subscription_id, stripe_invoice_id, stripe_charge_id
from stripe_disputes where blocks_refund or won_at is not null
union all
select 'won dispute', id, won_at, amount_pence, currency,
  stripe_subscription_id, stripe_invoice_id, stripe_charge_id
from stripe_disputes where won_at is not null and not blocks_refund;

-- The charges to come: ends of trials, and renewals.
create view coming_charges as
select *
from (
  select 'trial'::text as kind, trial_ends_at as at, email_normalised, amount_pence, cancel_at,
    is_collection_paused
  from subscriptions where status = 'trialing'
  union all
  select 'renewal', period_ends_at, email_normalised, amount_pence, cancel_at,
    is_collection_paused
  from subscriptions where status = 'active'
) due
where amount_pence > 0 and not is_collection_paused and (cancel_at is null or cancel_at > at);

-- The payers who began and left. A payer is new once, by the subscription paid first. A payer
-- leaves when their last subscription ends. So a change of plan neither begins nor ends a payer.
create view payer_moves as
select 'new-payers'::text as list, stripe_subscription_id, payer, first_paid_at as at, monthly_pence
from subscriptions s
where first_paid_at is not null and not exists (
  select from subscriptions other
  where other.payer = s.payer and other.status not in ('incomplete', 'incomplete_expired')
    and (other.first_paid_at, other.id) < (s.first_paid_at, s.id)
)
union all
select 'ended-payers', stripe_subscription_id, payer, ended_at, monthly_pence
from (
  select *, midnight((ended_at at time zone 'Europe/London')::date + 1) as day_ends_at
  from subscriptions
) s
where ended_at is not null and s.status not in ('incomplete', 'incomplete_expired')
  and exists (
    select from subscriptions paid
    where paid.payer = s.payer and paid.first_paid_at < s.day_ends_at
  )
  and not exists (
    select from subscriptions other
    where other.payer = s.payer and other.status not in ('incomplete', 'incomplete_expired')
      and coalesce(other.started_at, other.first_paid_at, other.created_at) < s.day_ends_at
      and (coalesce(other.ended_at, 'infinity'), other.id) > (s.ended_at, s.id)
  );

-- The rows behind each money figure and stage. A figure is their sum or their number. Payers who
-- began or left are read from `closed_moves`, and since the last stored night from current rows. In
-- a stage, `at` is the date that its list shows, such as the end of a trial.
create view money_rows as
select 'money-in'::text as list, stripe_subscription_id, kind || ' ' || id as entry, at,
  pence::numeric as pence, currency
from payments
union all
select 'paid', stripe_subscription_id, kind || ' ' || id, at, pence::numeric, currency
from payments where kind = 'payment'
union all
select 'refunded', stripe_subscription_id, kind || ' ' || id, at, -pence::numeric, currency
from payments where kind in ('refund', 'failed refund')
union all
select 'lost', stripe_subscription_id, kind || ' ' || id, at, -pence::numeric, currency
from payments where kind in ('dispute', 'won dispute')
union all
select list, stripe_subscription_id, '', at, pence, 'gbp' from closed_moves
union all
select list, stripe_subscription_id, '', at, monthly_pence, 'gbp'
from payer_moves
where at >= (select coalesce(midnight(max(day) + 1), '-infinity') from money_nights)
union all
-- Trials that somebody cancelled before their end.
select 'cancelled-trials', stripe_subscription_id, '', canceled_at,
  amount_pence::numeric, 'gbp'
from subscriptions where first_paid_at is null and canceled_at <= trial_ends_at
union all
select 'mrr', stripe_subscription_id, '', first_paid_at, mrr_pence, 'gbp'
from subscriptions where mrr_pence is not null
union all
select stage, stripe_subscription_id, '',
  case stage
    when 'trial' then trial_ends_at
    when 'paying' then period_ends_at
    when 'ending' then cancel_at
    when 'dunning' then next_payment_attempt_at
    when 'ended' then ended_at
    else started_at
  end, amount_pence::numeric, 'gbp'
from subscriptions;

-- Causes for which subscriptions may continue without payment. A cause has an id, so that its
-- review does not cover the next cause. A cause is open until it is reviewed or the subscription is
-- set to end. Each subscription is looked up by itself, because Postgres overestimates the causes.
create view unsettled as
select c.*, s.email, s.lead_id,
  s.stage not in ('ending', 'ended', 'incomplete') and s.cancel_at is null
    and c.cause <> all(s.reviewed_causes) as is_open
from (
  select stripe_subscription_id, 'dispute-lost'::text as reason, id as cause, amount_pence,
    currency, opened_at as since
  from stripe_disputes where status = 'lost'
  union all
  -- No later invoice was paid, so the refunded payment is the one for the current period.
  select stripe_subscription_id, 'refunded', 'refunded ' || id, refunded_pence, currency,
    coalesce((
      select max(refunded_at) from stripe_refunds refund where refund.stripe_invoice_id = invoice.id
    ), paid_at, issued_at)
  from stripe_invoices invoice
  where is_refunded and issued_at >= (
    select max(issued_at) from stripe_invoices paid
    where paid.stripe_subscription_id = invoice.stripe_subscription_id and paid.paid_pence > 0
  )
  union all
  -- Stripe will not try to charge again.
  select s.stripe_subscription_id, 'no-retries',
    coalesce(open.id, latest_invoice_id, 'unpaid'),
    coalesce(open.unpaid_pence, amount_pence), coalesce(open.currency, 'gbp'),
    coalesce(open.issued_at, updated_at)
  from subscriptions s left join lateral (
    select id, issued_at, currency,
      coalesce(remaining_pence, total_pence - paid_pence) as unpaid_pence
    from stripe_invoices invoice
    where invoice.stripe_subscription_id = s.stripe_subscription_id and invoice.status = 'open'
    order by issued_at limit 1
  ) open on true
  where stage in ('dunning', 'suspended') and not is_collection_paused
    and (s.status = 'unpaid' or s.status = 'past_due' and next_payment_attempt_at is null)
) c cross join lateral (
  select * from subscriptions where stripe_subscription_id = c.stripe_subscription_id limit 1
) s;

-- The stage of each subscription as lists show it: a needed decision replaces the stage.
create view shown_subscription_stages as
select id, case
    when stage in ('ended', 'incomplete') then stage
    when exists (
      select from stripe_disputes d
      where d.stripe_subscription_id = s.stripe_subscription_id and d.is_open
    ) then 'disputed'
    when exists (
      select from unsettled c
      where c.stripe_subscription_id = s.stripe_subscription_id and c.is_open
    ) then 'unsettled'
    else stage
  end as stage
from subscriptions s;

-- Checkouts that were abandoned or not opened, and not completed in another way: by the same lead
-- or email, in the same browser session (after a corrected typo), or by the recovery link (without
-- an email). There are several conditions, because each has an index. A former payer may return, so
-- only a checkout that was open then, at most a day old, or a later one settles it, or a running
-- subscription. An unused payment link is no visitor's checkout, nor is that of a lead that looks
-- automated. An offer of the free sample has no lead, so it belongs to the email's newest lead.
create view abandoned_checkouts as
select * from (
  select *, started_at - interval '1 day' as settled_since,
    coalesce(lead_id, (
      select id from leads where leads.email_normalised = checkouts.email_normalised
      order by quarantine_reason is not null, submitted_at desc limit 1
    )) as shown_lead_id
  from checkouts
) lost
where state in ('abandoned', 'not-opened') and not is_settled and not is_payment_link
  and not exists (
    select from leads where leads.id = shown_lead_id and quarantine_reason is not null
  )
  and not exists (
    select from checkouts won
    where won.state = 'complete' and won.lead_id = lost.lead_id
      and won.started_at >= lost.settled_since
  )
  and not exists (
    select from checkouts won
    where won.state = 'complete' and won.email_normalised = lost.email_normalised
      and won.started_at >= lost.settled_since
  )
  and not exists (
    select from checkouts won
    where won.state = 'complete' and won.visits && lost.visits
      and won.started_at >= lost.settled_since
  )
  and not exists (
    select from checkouts won
    where won.state = 'complete' and won.recovered_from = lost.stripe_checkout_session_id
  )
  and not exists (
    select from subscriptions
    where subscriptions.email_normalised = lost.email_normalised and is_live
  );

-- Decisions to make about a person, or about an event that could not be applied. The email may be
-- that of a reader with free access from the subscription.
create view attention as
select matter.*, kind || ' ' || coalesce(named, id) as item
from (
  select 1 as rank, 'not-receiving'::text as kind, entitled_by as id,
    entitled_by as stripe_subscription_id, people.email, deciding_lead as lead_id,
    state_reason as reason, null::integer as amount_pence, null::text as currency,
    state_since as since, null::timestamptz as due,
    entitled_by || case
      when paid.email_normalised = people.email_normalised then ''
      else coalesce(' ' || deciding_lead, ' reader')
    end as named
  from people join subscriptions paid on paid.stripe_subscription_id = entitled_by
  where people.state = 'not-receiving'
  union all
  select 1, 'not-receiving', stripe_subscription_id, stripe_subscription_id, null, null, 'no-email',
    null, null, greatest(started_at, created_at), null, null
  from subscriptions where is_live and email_normalised is null
  union all
  select 2, 'disputes-open', d.id, d.stripe_subscription_id, s.email, s.lead_id, d.status,
    d.amount_pence, d.currency, d.opened_at, d.evidence_due_at, null
  from stripe_disputes d join subscriptions s using (stripe_subscription_id) where d.is_open
  union all
  select 3, 'refunds-failed', r.id, r.stripe_subscription_id, s.email, s.lead_id, null,
    r.amount_pence, r.currency, r.refunded_at, null, null
  from stripe_refunds r join subscriptions s using (stripe_subscription_id)
  where r.status = 'failed' and r.reviewed_at is null
  union all
  select 4, 'unsettled', stripe_subscription_id || ' ' || cause, stripe_subscription_id, email,
    lead_id, reason, amount_pence, currency, since, null, null
  from (
    select distinct on (stripe_subscription_id) * from unsettled where is_open
    order by stripe_subscription_id, since desc
  ) newest
  union all
  select 5, 'email-changed', stripe_subscription_id, stripe_subscription_id, email, lead_id,
    customer_email, null, null, snapshot_at, null, null
  from changed_emails
  union all
  select 6, 'second-live', stripe_subscription_id, stripe_subscription_id, email, lead_id,
    other_id, null, null, since, null, null
  from second_subscriptions where 'second ' || other_id <> all(reviewed_causes)
  union all
  -- At least the second attempt failed, and Stripe will try again.
  select 7, 'payment-failed', s.stripe_subscription_id, s.stripe_subscription_id, s.email,
    s.lead_id,
    concat_ws(' ', coalesce(invoice.decline_code, 'card_declined'), card_brand, card_last4),
    invoice.remaining_pence, invoice.currency, coalesce(invoice.issued_at, s.updated_at),
    next_payment_attempt_at, coalesce(latest_invoice_id, s.id::text)
  from subscriptions s left join stripe_invoices invoice on invoice.id = latest_invoice_id
  where s.status = 'past_due' and payment_attempts > 1 and next_payment_attempt_at is not null
    and not is_collection_paused
  union all
  select 8, 'events-parked', id, null, null, null, type || ': ' || failure, null, null,
    received_at, null, null
  from stripe_events where outcome = 'parked' and reviewed_at is null
) matter;
