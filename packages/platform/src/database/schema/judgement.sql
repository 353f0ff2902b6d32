-- The judgement of a person (rule 4.12a): their state, entitlement and wanted tier, as columns of
-- their row, which every view reads. Every migrate replaces these functions.

-- Returns true while free access lasts: until its date, or while somebody's subscription is live.
create or replace function has_free_access(person people) returns boolean language plpgsql stable
as $$
begin
  return coalesce(person.free_until > sync_now(), false) or exists (
    select from subscriptions
    where stripe_subscription_id = person.free_with_subscription and is_live
  );
end $$;

-- Judges a person: locks their row, and writes the state that follows from their leads,
-- subscriptions, free access, differences and Beehiiv's last answer (rule 4.12a). Deletes a row
-- without lead, subscription and running free access, unless we unsubscribe its email or have done
-- so. Deletes its notes too, because the email's next owner must not get them. Triggers call this
-- function at the commit of every change except a new lead's insert. judge_due() calls it for new
-- leads and for states that end with time.
create or replace function judge_person(normalised text) returns void language plpgsql
  set enable_seqscan = off as $$
declare
  person people;
  before people;
  access boolean;
begin
  -- The reads follow the lock, so that no older state overwrites a newer one.
  perform lock_person(array[normalised]);
  update differences set is_judged = true where email_normalised = normalised and not is_judged;
  select * into before from people where email_normalised = normalised;
  person := before;
  access := has_free_access(person);
  if not access and person.unsubscribed_by_us_at is null
    and not exists (select from leads where email_normalised = normalised)
    and not exists (select from subscriptions where email_normalised = normalised)
    and not exists (
      select from removal_requests request
      where request.email_normalised = normalised and kind = 'unsubscribe' and done_at is null
    )
  then
    delete from people where email_normalised = normalised;
    delete from notes where email_normalised = normalised;
    return;
  end if;
  person := judged_state(judged_entitlement(judged_details(person), access), access);
  if person is distinct from before then
    update people set
      email = person.email,
      name = person.name,
      names = person.names,
      company = person.company,
      phone_digits = person.phone_digits,
      seen_at = person.seen_at,
      state = person.state,
      state_since = person.state_since,
      state_until = person.state_until,
      state_reason = person.state_reason,
      main_subscription = person.main_subscription,
      plan = person.plan,
      paid_pence = person.paid_pence,
      entitled_by = person.entitled_by,
      deciding_lead = person.deciding_lead,
      difference_id = person.difference_id,
      judge_again_at = person.judge_again_at,
      tier = person.tier,
      tier_version = person.tier_version,
      tier_confirmed_version = person.tier_confirmed_version,
      tier_confirmed_at = person.tier_confirmed_at,
      not_receiving_since = person.not_receiving_since,
      must_activate = person.must_activate
    where email_normalised = normalised;
  end if;
  -- Payers and readers of the paid issue come first.
  if person.tier = 'premium' then
    update leads set urgency = 'priority'
    where email_normalised = normalised and beehiiv_status = 'pending' and urgency <> 'priority';
  end if;
end $$;

-- Returns a person with the details of their subscriptions and leads, and the state that follows
-- from these alone.
create or replace function judged_details(person people) returns people language plpgsql stable
  set enable_seqscan = off as $$
declare
  normalised constant text := person.email_normalised;
begin
  person.main_subscription := null;
  person.plan := null;
  person.paid_pence := 0;
  person.state := null;
  -- A separate statement, because it takes longer to plan than the rest, and most people never
  -- paid.
  if exists (select from subscriptions where email_normalised = normalised) then
    -- Subscriptions that have not ended come first. Next come subscriptions that need a decision,
    -- have access, continue, were paid for, and are the newest.
    select stripe_subscription_id,
      case
        when shown.stage = 'ended' then 'ended'
        when shown.stage in ('disputed', 'unsettled') then 'unsettled'
        when shown.stage in ('dunning', 'suspended', 'incomplete') then 'payment-failed'
        when first_paid_at is null then 'trial'
        else 'paying'
      end,
      plan
    into person.main_subscription, person.state, person.plan
    from subscriptions s join shown_subscription_stages shown using (id)
    where email_normalised = normalised
    order by shown.stage in ('ended', 'incomplete'),
      shown.stage not in ('disputed', 'unsettled'), not is_live,
      s.stage <> 'ended' and cancel_at is not null, first_paid_at is null,
      started_at desc nulls first, stripe_subscription_id desc
    limit 1;
    select coalesce(sum(pence), 0) into person.paid_pence from payments
    where currency = 'gbp' and stripe_subscription_id = any(array(
      select stripe_subscription_id from subscriptions where email_normalised = normalised
    ));
  end if;
  -- Stripe's details come first, then those of the payer's own lead, because anybody may type a
  -- payer's email, then those of the newest lead that does not look automated.
  select coalesce((array_agg(email order by place))[1], normalised),
    coalesce((array_agg(name order by place) filter (where name is not null))[1], person.free_name),
    coalesce(array_to_string((array_agg(distinct name))[1:9] || person.free_name, E'\n'), ''),
    (array_agg(company order by place) filter (where company is not null))[1],
    right(regexp_replace(
      (array_agg(phone order by place) filter (where phone is not null))[1], '\D', '', 'g'
    ), 9),
    coalesce(greatest(max(at), person.free_granted_at), '-infinity'),
    coalesce(
      person.state, case when bool_or(counts) or person.free_granted_at is not null then 'none' end
    )
  into person.email, person.name, person.names, person.company, person.phone_digits,
    person.seen_at, person.state
  from (
    select *,
      row_number() over (order by is_paid desc, is_own desc, counts desc, at desc, id) as place
    from (
      select email, name, company, phone, coalesce(started_at, created_at) as at, id,
        true as is_paid,
        is_live as is_own, true as counts
      from subscriptions where email_normalised = normalised
      union all
      select email, full_name, company, phone, submitted_at, id, false,
        person.main_subscription is not null and id in (
          select lead_id from subscriptions where email_normalised = normalised and is_live
        ), quarantine_reason is null
      from leads where email_normalised = normalised
    ) told
  ) placed;
  return person;
end $$;

-- Returns a person with the tier they should have, and why they do not receive the paid issue
-- although a subscription entitles them to it (rule 3.14). Ends the reviews of somebody who
-- receives again, because later the same reason is news.
create or replace function judged_entitlement(person people, access boolean) returns people
  language plpgsql set enable_seqscan = off as $$
declare
  normalised constant text := person.email_normalised;
  entitled record;
  lead record;
  missing record;
  latest text;
  is_open boolean;
  changed_at timestamptz;
  reason text;
begin
  -- Their oldest live subscription, else the subscription behind their free access.
  select stripe_subscription_id, reviewed_causes, is_reader, since
  into entitled
  from (
    select stripe_subscription_id, reviewed_causes, false as is_reader,
      greatest(started_at, created_at) as since
    from subscriptions
    where is_live and email_normalised = normalised
    union all
    select stripe_subscription_id, '{}'::text[], true, greatest(started_at, person.free_granted_at)
    from subscriptions
    where is_live and stripe_subscription_id = person.free_with_subscription
  ) entitlement
  order by is_reader, since
  limit 1;
  person.entitled_by := entitled.stripe_subscription_id;
  if (access or person.entitled_by is not null) and person.tier is distinct from 'premium' then
    person.tier := 'premium';
    person.tier_version := person.tier_version + 1;
    person.must_activate := person.must_activate or person.unsubscribed_by_us_at is not null;
    person.tier_since := sync_now();
    person.tier_attempts := 0;
  elsif not access and person.entitled_by is null and person.tier = 'premium' then
    person.tier := 'free';
    person.tier_version := person.tier_version + 1;
    -- The payment is over, but our own unsubscription is still to undo.
    person.must_activate := person.must_activate and person.unsubscribed_by_us_at is not null;
  end if;
  -- Without a sent lead nothing has changed the tier, and anyone added later starts as free.
  if person.tier = 'free' and person.tier_confirmed_version < person.tier_version
    and not exists (
      select from leads where email_normalised = normalised and beehiiv_status = 'sent'
    )
  then
    person.tier_confirmed_version := person.tier_version;
    person.tier_confirmed_at := sync_now();
    person.not_receiving_since := null;
  end if;
  person.judge_again_at := case when person.free_until > sync_now() then person.free_until end;
  person.state_reason := null;
  person.deciding_lead := null;
  person.difference_id := null;
  if person.entitled_by is null then
    return person;
  end if;

  select id, beehiiv_status, beehiiv_reason, quarantine_reason, subscriber_status,
    round_started_at, beehiiv_sent_at
  into lead
  from leads
  where email_normalised = normalised
  order by beehiiv_status = 'sent' desc, beehiiv_status = 'pending' desc,
    quarantine_reason is null desc, submitted_at desc
  limit 1;
  person.deciding_lead := lead.id;
  -- A difference ends once the tier is confirmed later, or the subscriber becomes active if they
  -- were not.
  select id, subscriber_status into missing from differences
  where email_normalised = normalised and kind = 'pays-not-active'
    and not coalesce(
      person.status = 'active' and person.tier_confirmed_version = person.tier_version
      and greatest(
        person.tier_confirmed_at,
        case when subscriber_status <> 'active' then person.learned_at end
      ) > (select covers_until from tasks where name = 'comparison'),
      false
    )
  order by id
  limit 1;
  person.difference_id := missing.id;
  latest := coalesce(person.status, lead.subscriber_status);
  is_open := person.tier_confirmed_version < person.tier_version;
  reason := case
    when not is_open and person.not_receiving_since is null and missing.id is null
      and person.status is not distinct from 'active' then null
    when latest = 'inactive' then 'unsubscribed'
    when latest = 'invalid' then 'rejected'
    when lead.id is null then 'no-lead'
    when lead.quarantine_reason is not null then 'quarantined'
    when lead.beehiiv_status = 'failed'
      and lead.beehiiv_reason in ('email-invalid', 'email-rejected') then 'refused'
    when lead.beehiiv_status = 'failed' then 'failed'
    when lead.beehiiv_status = 'pending' then 'waiting'
    when person.not_receiving_since is not null
      or missing.id is not null and missing.subscriber_status is null then 'not-at-beehiiv'
    when latest <> 'active' then 'not-confirmed'
    when is_open or missing.id is not null then 'not-premium'
  end;
  changed_at := greatest(
    entitled.since, lead.round_started_at, lead.beehiiv_sent_at,
    case when person.tier_attempts = 0 then person.tier_since end
  );
  if reason is null then
    update subscriptions set reviewed_causes = array(
      select cause from unnest(reviewed_causes) cause
      where not starts_with(cause, 'not-receiving ')
    )
    where email_normalised = normalised
      and exists (
        select from unnest(reviewed_causes) cause where starts_with(cause, 'not-receiving ')
      );
  elsif 'not-receiving ' || reason = any(entitled.reviewed_causes) then
    -- It counts again for another reason.
    reason := null;
  -- The change is recent. The first tries of a lead or tier, 30 s to 4 min apart, end within 15
  -- minutes. An unsubscribed reader changes only if we are about to activate them.
  elsif reason <> 'rejected' and lead.beehiiv_status is distinct from 'failed'
    and person.not_receiving_since is null
    and (
      latest is distinct from 'inactive' or person.must_activate or lead.beehiiv_status = 'pending'
    )
    and (is_open or latest <> 'active')
    and changed_at > sync_now() - interval '15 minutes'
  then
    person.judge_again_at := least(person.judge_again_at, changed_at + interval '15 minutes');
    reason := null;
  end if;
  person.state_reason := reason;
  person.state_since := greatest(
    entitled.since, person.status_since, lead.round_started_at, person.not_receiving_since
  );
  return person;
end $$;

-- Returns a person with their final state, its start, end and reason, from the judgements before.
create or replace function judged_state(person people, access boolean) returns people
  language plpgsql stable set enable_seqscan = off as $$
declare
  main subscriptions;
  doubt record;
begin
  if person.main_subscription is not null then
    select * into main from subscriptions where stripe_subscription_id = person.main_subscription;
  end if;
  person.state_until := case when main.stage <> 'ended' then main.cancel_at end;
  if person.state_reason is not null then
    person.state := 'not-receiving';
    return person;
  end if;
  person.state_reason := case
    when main.stage in ('suspended', 'incomplete') then main.stage
    when main.stage <> 'ended' and main.cancel_at is not null then 'cancelled'
  end;
  if person.state = 'unsettled' then
    select cause.since, cause.reason into doubt
    from (
      select opened_at as since, 'disputed'::text as reason, 1 as rank from stripe_disputes
      where stripe_subscription_id = person.main_subscription and is_open
      union all
      select unsettled.since, unsettled.reason, 2 from unsettled
      where unsettled.stripe_subscription_id = person.main_subscription and unsettled.is_open
    ) cause
    order by rank, cause.since desc
    limit 1;
    person.state_since := doubt.since;
    person.state_reason := doubt.reason;
  elsif access and main.is_live is not true then
    person.state := 'free-access';
    person.state_since := person.free_granted_at;
    person.state_until := person.free_until;
    person.state_reason := null;
  else
    person.state_since := case person.state
      when 'payment-failed' then (
        select min(issued_at) from stripe_invoices unpaid
        where unpaid.stripe_subscription_id = person.main_subscription and unpaid.status = 'open'
      )
      when 'trial' then main.started_at
      when 'paying' then main.first_paid_at
      when 'ended' then main.ended_at
      else person.seen_at
    end;
    if person.state = 'trial' and main.status = 'trialing' then
      person.state_until := coalesce(person.state_until, main.trial_ends_at);
    end if;
  end if;
  return person;
end $$;
