-- Every migrate replaces these functions. Triggers, defaults and indexes depend on them, so they
-- are never dropped.

-- An empty database does not have the tables that the bodies name yet.
set local check_function_bodies = off;

-- Returns the sync's clock, which decides on leases, slots and due times, so that machines with
-- different clocks agree. The time is constant within a statement, so plans can use it. Tests
-- replace this function to move time.
create or replace function sync_now() returns timestamptz language sql stable
  as 'select statement_timestamp()';

-- Returns an email in lower case, as it is compared and sent (rule 1.3a). `normaliseEmail` does the
-- same in JavaScript. lower() treats İ, I and a final Σ differently in each locale, so they are
-- replaced first.
create or replace function normalised_email(text) returns text
  language sql immutable strict parallel safe
  return lower(translate($1, 'İIΣ', 'iiσ'));

-- Returns a text in lower case without accents, so that siobhan finds Siobhán. In decomposed form,
-- a letter's marks (U+0300 to U+036F) follow the letter. A final ς equals σ.
create or replace function plain_words(text) returns text
  language sql immutable strict parallel safe
  return regexp_replace(
    normalize(lower(translate($1, 'İIΣς', 'iiσσ')), NFD), U&'[\0300-\036f]', '', 'g'
  );

-- Returns true if a normalised email must stay subscribed. Such an email has a genuine lead, or a
-- subscription that has not ended.
create or replace function is_email_used(normalised text) returns boolean
  language plpgsql stable as $$
begin
  return exists (
    select from leads
    where email_normalised = normalised and quarantine_reason is null
  ) or exists (
    select from subscriptions
    where stage <> 'ended' and email_normalised = normalised
  );
end $$;

-- Locks people until the transaction ends, one after another in the database's order, so that no
-- two transactions wait for each other. Returns their normalised emails. A transaction calls this
-- before it changes a person (rule 5.9). Inserts a missing row as never seen; the commit judges or
-- deletes it. Begins again if another transaction deleted a row meanwhile. Scans of the table are
-- off, here and in the other functions of a person, because a connection may plan a function while
-- the table is small.
create or replace function lock_person(emails text[]) returns text[] language plpgsql
  set enable_seqscan = off as $$
declare
  ordered constant text[] := array(
    select distinct normalised_email(email) from unnest(emails) email where email is not null
    order by 1
  );
  each_email text;
begin
  foreach each_email in array ordered loop
    loop
      perform from people where email_normalised = each_email for update;
      exit when found;
      insert into people (email_normalised, email, seen_at)
      values (each_email, each_email, '-infinity')
      on conflict do nothing;
    end loop;
  end loop;
  return ordered;
end $$;

-- Locks the people of a list who have a row, in the same order. A hint about a stranger inserts
-- nobody.
create or replace function lock_known_people(emails text[]) returns text[] language sql as $$
  select coalesce(array_agg(email_normalised), '{}') from (
    select email_normalised from people
    where email_normalised = any(array(select normalised_email(unnest(emails))))
    order by email_normalised
    for update
  ) locked
$$;

-- Judges people at the commit of a change, each once. The caller has locked them.
create or replace function judge_at_commit(emails text[]) returns void language plpgsql as $$
declare
  each_email text;
  judged text[];
begin
  foreach each_email in array emails loop
    judged := string_to_array(current_setting('site.judged', true), E'\n');
    if each_email is not null and each_email <> all(coalesce(judged, '{}')) then
      perform set_config('site.judged', array_to_string(judged || each_email, E'\n'), true);
      perform judge_person(each_email);
    end if;
  end loop;
end $$;

create or replace function judge_changed_person() returns trigger language plpgsql as $$
begin
  perform judge_at_commit(array[new.email_normalised]);
  return null;
end $$;

-- Most leads are of somebody who gets no paid issue, and whose state no outcome changes.
create or replace function judge_changed_lead() returns trigger language plpgsql
  set enable_seqscan = off as $$
begin
  if tg_op = 'DELETE' then
    perform judge_at_commit(array[old.email_normalised]);
  elsif (old.email, old.full_name, old.company, old.phone, old.quarantine_reason)
    is distinct from (new.email, new.full_name, new.company, new.phone, new.quarantine_reason)
    or exists (
      select from people
      where email_normalised = new.email_normalised and tier = 'premium'
    )
  then
    perform judge_at_commit(array[old.email_normalised, new.email_normalised]);
  end if;
  return null;
end $$;

-- Judges a subscription's payer, and the readers whose free access lasts with it.
create or replace function judge_changed_subscription() returns trigger language plpgsql
  set enable_seqscan = off as $$
begin
  perform judge_at_commit(array[old.email_normalised, new.email_normalised] || array(
    select email_normalised from people
    where free_with_subscription = coalesce(new.stripe_subscription_id, old.stripe_subscription_id)
      and old.is_live is distinct from new.is_live
    order by 1
  ));
  return null;
end $$;

create or replace function judge_changed_payment() returns trigger language plpgsql
  set enable_seqscan = off as $$
begin
  perform judge_at_commit(array(
    select email_normalised from subscriptions
    where stripe_subscription_id
      = coalesce(new.stripe_subscription_id, old.stripe_subscription_id)
  ));
  return null;
end $$;

-- Takes the next slot for a request to Beehiiv if it is free (rule 2.10). Returns the milliseconds
-- before the request, or before the next try. A slot lags behind the clock by one second at most,
-- and the spacing leaves room for those two requests. After an idle or stalled time, slots start
-- from now, so no burst follows.
create or replace function take_slot(
  told_rate integer, spacing interval, is_background boolean,
  out is_taken boolean, out wait_ms float8
) language plpgsql set enable_seqscan = off as $$
declare
  limiter rate_limiter;
  slot_at timestamptz;
begin
  select * into limiter from rate_limiter for update;
  slot_at := case
    when limiter.next_slot_at > sync_now() - interval '1 second' then limiter.next_slot_at
    else sync_now()
  end;
  if is_background then
    -- One spacing early, while no lead can take the slot. Otherwise a lead's request could always
    -- come first. Any due lead counts, even if its email is not free, and any due wish of a lead's
    -- urgency, such as an erasure or a payer's tier.
    is_taken := limiter.resumes_at <= sync_now() and slot_at <= sync_now() + spacing;
    if is_taken and limiter.next_background_slot_at > sync_now() then
      is_taken := not exists (
        select from leads, sync_health
        where beehiiv_status = 'pending' and next_attempt_at <= sync_now()
          and not is_paused_by_setting
      ) and not exists (
        select from leads, sync_health
        where beehiiv_status = 'pending' and next_attempt_at is null
          and not is_paused_by_setting and not waits_for_beehiiv
      );
      -- By itself, because planning it takes longer than the rest.
      if is_taken then
        is_taken := not exists (
          select from wishes, sync_health
          where urgency = 'lead' and due_at <= sync_now() and not is_paused_by_setting
        );
      end if;
    end if;
  else
    is_taken := greatest(limiter.resumes_at, slot_at) <= sync_now();
  end if;
  if is_taken then
    update rate_limiter set
      requests_per_minute = told_rate,
      next_slot_at = slot_at + spacing,
      next_background_slot_at = case
        when is_background then slot_at + 5 * spacing
        else next_background_slot_at
      end;
  else
    slot_at := limiter.next_slot_at;
  end if;
  wait_ms := extract(epoch from greatest(slot_at, limiter.resumes_at, sync_now()) - sync_now())
    * 1000;
end $$;

-- Leases an email to one run. Returns false if another run holds it.
create or replace function lease_email(normalised text, run uuid, seconds integer) returns boolean
  language plpgsql as $$
begin
  insert into email_leases (email_normalised, leased_by, leased_until)
  values (normalised, run, sync_now() + make_interval(secs => seconds))
  on conflict (email_normalised) do update
    set leased_by = excluded.leased_by, leased_until = excluded.leased_until
    where email_leases.leased_until <= sync_now();
  return found;
end $$;

-- Closes the attempts of an email that dead runs left open. Their requests may have taken effect.
-- The caller must hold the email's lease.
create or replace function close_dead_attempts(normalised text) returns void
  language plpgsql set enable_seqscan = off as $$
begin
  update lead_sync_attempts set
    class = 'unknown',
    reason = 'not-recorded',
    message = 'The worker ended before the answer was recorded',
    email_normalised = null
  where email_normalised = normalised;
  if found then
    update leads set outcome_unknown = true
    where email_normalised = normalised and beehiiv_status = 'pending' and not outcome_unknown;
  end if;
end $$;

-- Opens an attempt before its request leaves. It names its email until it is closed, because a
-- correction may move the lead meanwhile. The caller must hold the lock of the person or the lead,
-- and the email's lease.
create or replace function open_attempt(
  attempt uuid, lead uuid, attempt_kind text, attempt_round integer, by_worker text
) returns boolean language plpgsql set enable_seqscan = off as $$
declare
  normalised constant text := (select email_normalised from leads where id = lead);
begin
  perform close_dead_attempts(normalised);
  insert into lead_sync_attempts (id, lead_id, email_normalised, kind, round, number, worker)
    select attempt, lead, normalised, attempt_kind, attempt_round, coalesce(max(number), 0) + 1,
      by_worker
    from lead_sync_attempts where lead_id = lead and round = attempt_round;
  return true;
end $$;

-- Returns true for a status that Beehiiv, or the person's confirmation, may soon change.
create or replace function may_soon_change(status text) returns boolean
  language sql immutable parallel safe
  return status in ('validating', 'pending', 'needs_attention');

-- Records Beehiiv's answer about a locked person, unless a newer answer is known. Returns the
-- current status. A page of Beehiiv's list also has tiers. Raises the version of a premium tier if
-- the subscriber was added again, because Beehiiv adds everybody as free. A status that may soon
-- change is checked after five minutes, when Beehiiv has usually validated a new email.
create or replace function record_subscriber(
  normalised text, told_id text, told_status text, told_at timestamptz,
  is_listed boolean, told_tier text, was_added boolean
) returns text language plpgsql as $$
declare
  known people;
begin
  select * into known from people where email_normalised = normalised;
  if told_status is not null and coalesce(known.learned_at <= told_at, true) then
    if known.status is distinct from nullif(told_status, 'absent') then
      known.status_since := told_at;
      known.check_due_at := case
        -- Only the check's own answer ends it, even if it is postponed after a failure.
        when known.check_due_at <= sync_now() + interval '1 minute' then known.check_due_at
        when may_soon_change(told_status) and told_at > sync_now() - interval '2 days'
        then told_at + interval '5 minutes'
      end;
    end if;
    known.subscriber_id := told_id;
    known.status := nullif(told_status, 'absent');
    known.learned_at := told_at;
    known.must_confirm := known.must_confirm
      and told_status in ('validating', 'pending', 'inactive');
    if told_status <> 'inactive' then
      known.unsubscribed_by_us_at := null;
      -- A premium tier's run activates for a payment.
      known.must_activate := known.must_activate and known.tier is not distinct from 'premium';
    end if;
  end if;
  if is_listed then
    known.listed_at := told_at;
    known.listed_tier := told_tier;
  end if;
  update people set
    subscriber_id = known.subscriber_id,
    status = known.status,
    status_since = known.status_since,
    learned_at = known.learned_at,
    check_due_at = known.check_due_at,
    must_confirm = known.must_confirm,
    unsubscribed_by_us_at = known.unsubscribed_by_us_at,
    must_activate = known.must_activate,
    listed_at = known.listed_at,
    listed_tier = known.listed_tier,
    tier_version = case
      when was_added and tier = 'premium' and tier_confirmed_version = tier_version
        then tier_version + 1
      else tier_version
    end
  where email_normalised = normalised;
  return known.status;
end $$;

-- Records Beehiiv's answers about people, with the copies on their sent leads. Locks the people
-- first. A page of Beehiiv's list inserts nobody. Returns the number of people with a row.
create or replace function record_subscribers(told json, is_page boolean) returns integer
  language plpgsql set enable_seqscan = off as $$
declare
  emails constant text[] := array(select email from json_to_recordset(told) as each (email text));
  locked constant text[] := case when is_page then lock_known_people(emails)
    else lock_person(emails) end;
  known integer;
begin
  with learned as materialized (
    select email_normalised,
      record_subscriber(email_normalised, id, status, at, is_page, tier, was_added) as status
    from (
      select distinct on (normalised_email(email))
        normalised_email(email) as email_normalised, id, status, coalesce(at, sync_now()) as at,
        tier, was_added
      from json_to_recordset(told) as each (
        email text, id text, status text, at timestamptz, tier text, was_added boolean
      )
      where normalised_email(email) = any(locked)
      order by normalised_email(email), at desc
    ) newest
  ), copied as (
    update leads set subscriber_status = learned.status
    from learned
    where leads.email_normalised = any(locked)
      and leads.email_normalised = learned.email_normalised
      and beehiiv_status = 'sent'
      and subscriber_status is distinct from learned.status
  )
  select count(status) into known from learned;
  return known;
end $$;

-- Records the outcome of a run of a lead (`told`, from outcome.ts), and releases its email. Locks
-- the person first, so that each statement sees earlier changes of other transactions. Returns
-- false if the run had lost the lead. If a correction moved the lead meanwhile, Beehiiv's answer is
-- recorded about the email's person, and the lead is not changed.
create or replace function record_outcome(
  attempt uuid, normalised text, run_round integer, told jsonb
) returns boolean language plpgsql set enable_seqscan = off as $$
declare
  outcome constant text := told ->> 'status';
  -- Later statements look up their ids: after old statistics, Postgres would read all sent leads.
  theirs uuid[];
  ours uuid;
  learned text;
begin
  perform lock_person(array[normalised]);
  -- In the order of a claim: leads, lease, attempts.
  theirs := array(
    select id from leads where email_normalised = normalised order by id for no key update
  );
  delete from email_leases where email_normalised = normalised and leased_by = attempt;
  update lead_sync_attempts set
    email_normalised = null,
    class = told ->> 'class',
    reason = told ->> 'reason',
    http_status = (told ->> 'httpStatus')::integer,
    message = told ->> 'message',
    request_id = told ->> 'requestId',
    took_ms = (told ->> 'tookMs')::integer
  where id = attempt and class is null
  returning lead_id into ours;
  if not found then
    return false;
  end if;
  if outcome = 'sent' then
    learned := record_subscriber(
      normalised, told ->> 'subscriberId', told ->> 'subscriberStatus', sync_now(), false, null,
      true
    );
    update leads set subscriber_status = learned
    where id = any(theirs) and beehiiv_status = 'sent'
      and subscriber_status is distinct from learned;
  end if;
  update leads set
    beehiiv_status = outcome,
    beehiiv_response = told ->> 'response',
    beehiiv_reason = told ->> 'reason',
    beehiiv_sent_at = case when outcome = 'sent' then sync_now() end,
    failed_at = case when outcome = 'failed' then sync_now() else failed_at end,
    subscriber_status = learned,
    outcome_unknown = (told ->> 'outcomeUnknown')::boolean,
    budget_spent = budget_spent + (told ->> 'spent')::integer,
    next_attempt_at = sync_now() + make_interval(secs => (told ->> 'delaySeconds')::float8),
    -- A repeat may have given consent meanwhile.
    consent_due_at = case
      when outcome = 'sent' and consent_marketing and not (told ->> 'hadConsent')::boolean
        then sync_now()
    end,
    -- An answer about everybody (a 429, a wrong setting) makes no new lead a retry.
    urgency = case
      when urgency = 'new' and told ->> 'class' in ('transient', 'permanent') then 'retry'
      else urgency
    end
  where id = ours and email_normalised = normalised and beehiiv_status = 'pending'
    and sync_round = run_round;
  if not found then
    return false;
  end if;
  if run_round > 1 and outcome <> 'pending' then
    update bulk_retry_leads set state = outcome where lead_id = ours and state = 'started';
  end if;
  return true;
end $$;

-- Makes a raised tier due at once with no attempts counted.
create or replace function raise_tier() returns trigger language plpgsql as $$
begin
  new.tier_since := sync_now();
  new.tier_attempts := 0;
  new.tier_next_attempt_at := sync_now();
  return new;
end $$;

-- Returns the start of the London day so many days before today.
create or replace function london_days_ago(days integer) returns timestamptz language sql stable
  return ((sync_now() at time zone 'Europe/London')::date - days)::timestamp
    at time zone 'Europe/London';

-- Formats a time as the API does, for JSON that Postgres builds.
create or replace function iso(timestamptz) returns text language sql stable parallel safe
  return to_char($1 at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- Returns the start of a London day.
create or replace function midnight(date) returns timestamptz language sql immutable parallel safe
  return $1::timestamp at time zone 'Europe/London';

-- Returns true for a lead from the free sample: requested on its site, or a payer by its offers.
create or replace function is_of_sample(form_type text, button text) returns boolean
  language sql immutable parallel safe
  return form_type = 'pre_sample' or button is not distinct from 'sample';

-- Returns the button that brought a lead, for every view. The free sample's site and offers are the
-- same button.
create or replace function button_of(form_type text, source text) returns text
  language sql immutable parallel safe
  return case
    when is_of_sample(form_type, source)
      then coalesce(nullif(nullif(source, 'sample'), ''), 'sample_site')
    else source
  end;

-- Returns a source or a campaign as it is shown.
create or replace function shown_source(source text) returns text
  language sql immutable parallel safe
  return upper(left(replace(btrim(source), '_', ' '), 1))
    || substr(replace(btrim(source), '_', ' '), 2, 99);

-- The host of a URL, without its port. Empty for a text that is no URL.
create or replace function host_of(url text) returns text language sql immutable parallel safe
  return lower(split_part(split_part(url, '/', 3), ':', 1));

-- Returns a visit's channel: its source, else the free sample, else the referring site. The sample
-- precedes the referrer, because our own pages link to its site. Regular expressions would take
-- seconds.
create or replace function channel_of(source text, referrer text, of_sample boolean) returns text
  language sql immutable parallel safe
  return case
    when btrim(source) <> '' then case lower(source)
      when 'google' then 'Google' when 'linkedin' then 'LinkedIn' when 'facebook' then 'Facebook'
      else shown_source(source)
    end
    when of_sample then 'Free sample'
    when host_of(referrer) <> '' then case
      when '.' || host_of(referrer) like '%.google.%'
        then 'Google'
      when '.' || host_of(referrer) like '%.linkedin.%'
        then 'LinkedIn'
      when '.' || host_of(referrer) like '%.facebook.%'
        then 'Facebook'
      when host_of(referrer) like 'www.%'
        then left(substr(host_of(referrer), 5), 100)
      else left(host_of(referrer), 100)
    end
    else 'Direct'
  end;

-- Adds visits to their days. A day has at most 100 names of each part, and the rest is 'other'. The
-- 20 largest of the week before keep their names, so that invented ones cannot hide them.
create or replace function count_visits(seen jsonb) returns void language plpgsql as $$
begin
  -- One process at a time, so that two do not use the same free place.
  perform pg_advisory_xact_lock(hashtext('visits'));
  insert into visits as stored (day, part, name, count)
  select day, part,
    case when is_stored or place <= 100 or is_known then name else 'other' end,
    sum(count)
  from (
    select new.*, old.name is not null as is_stored, known.name is not null as is_known,
      row_number() over (
        partition by new.day, new.part, old.name is null
        order by new.count desc, new.name
      ) + (
        select count(*) from visits where visits.day = new.day and visits.part = new.part
      ) as place
    from (
      select day, part, name, sum(count) as count
      from jsonb_to_recordset(seen) as visit (
          day date, page text, source text, referrer text, campaign text, count integer
        ),
        lateral (values
          ('page', page),
          ('channel', channel_of(source, referrer, page = '/sample-sent')),
          ('campaign', coalesce(shown_source(campaign), ''))
        ) as parts (part, name)
      group by 1, 2, 3
    ) new
      left join visits old using (day, part, name)
      left join (
        select day, part, name
        from (select distinct day from jsonb_to_recordset(seen) as visit (day date)) days,
          (values ('page'), ('channel'), ('campaign')) parts (part),
          lateral (
            select name from visits
            where visits.part = parts.part and visits.day between days.day - 7 and days.day - 1
            group by 1
            order by sum(count) desc, name
            limit 20
          ) largest
      ) known using (day, part, name)
  ) placed
  group by 1, 2, 3
  on conflict (day, part, name) do update set count = stored.count + excluded.count;
end $$;

-- Returns a row for each person who left a lead on some days, with their steps towards paying. A
-- person is an email, with the channel, button and campaign of their first lead on those days.
-- Leads that look automated, or came from neither a form nor the sample's offers, do not count. A
-- trial implies a checkout, even if none was seen, and lasts until the first payment. Only the
-- newest `most` leads count, and what began since, up to 90 days after the last day. A payment link
-- and its subscription do not count. The largest `rows` channels, buttons and campaigns keep their
-- names, and the rest is 'other'. The query is planned anew each time: for recent days an index of
-- time is best, for earlier days an index of emails.
create or replace function funnel(first_day date, last_day date, most integer, rows integer)
  returns table (
    id uuid, checkout boolean, trial boolean, paying boolean, in_trial boolean, monthly numeric,
    channel text, button text, campaign text
  )
  language plpgsql stable set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
declare
  starts_at constant timestamptz := coalesce(midnight(first_day), '-infinity');
  ends_at constant timestamptz := coalesce(midnight(last_day + 1), 'infinity');
  since timestamptz;
  until timestamptz := coalesce(midnight(last_day + 91), 'infinity');
begin
  since := coalesce(
    (
      select submitted_at from leads
      where submitted_at >= starts_at and submitted_at < ends_at
      order by submitted_at desc offset most limit 1
    ),
    starts_at
  );
  return query
  with newest as materialized (
    select id, email_normalised, submitted_at,
      channel_of(visit_utm_source, referrer, of_sample) as channel,
      left(coalesce(button_of(form_type, utm_source), ''), 64) as button,
      coalesce(shown_source(visit_utm_campaign), '') as campaign
    from (
      select *, is_of_sample(form_type, utm_source) as of_sample from leads
      where submitted_at >= starts_at and submitted_at < ends_at
      order by submitted_at desc limit most
    ) recent
    where (consent_text_version is not null or of_sample)
      and quarantine_reason is null
  ), begun as (
    -- A subscription may be linked to another lead of the same email.
    select coalesce(n.email_normalised, s.email_normalised) as email_normalised,
      bool_or(is_live and first_paid_at is not null) as pays, bool_or(is_live) as tries,
      sum(mrr_pence) as monthly
    from subscriptions s left join newest n on n.id = s.lead_id
    where coalesce(s.started_at, s.created_at) >= since
      and coalesce(s.started_at, s.created_at) < until
      and status not in ('incomplete', 'incomplete_expired')
      and (
        n.id is not null
        or s.email_normalised in (select email_normalised from newest) and exists (
          select from leads
          where leads.id = s.lead_id and leads.email_normalised = s.email_normalised
        )
      )
      and not exists (
        select from checkouts link
        where link.stripe_checkout_session_id = s.stripe_checkout_session_id
          and link.is_payment_link
      )
    group by 1
  ), opened as (
    select coalesce(n.email_normalised, c.email_normalised) as email_normalised
    from checkouts c left join newest n on n.id = c.lead_id
    where c.started_at >= since and c.started_at < until
      and c.state <> 'not-opened' and not c.is_payment_link
      and (n.id is not null or c.email_normalised in (select email_normalised from newest))
    union
    select email_normalised from begun
  ), people as materialized (
    select first.id, first.channel, first.button, first.campaign,
      opened.email_normalised is not null as checkout,
      begun.email_normalised is not null as trial, coalesce(begun.pays, false) as paying,
      coalesce(begun.tries and not begun.pays, false) as in_trial, begun.monthly
    from (
      select distinct on (email_normalised) * from newest
      order by email_normalised, submitted_at, newest.id
    ) first
      left join begun using (email_normalised) left join opened using (email_normalised)
  )
  select id, checkout, trial, paying, in_trial, monthly,
    case when channel in (
      select channel from people group by 1 order by count(*) desc, 1 limit rows
    ) then channel else 'other' end,
    case when button in (
      select button from people group by 1 order by count(*) desc, 1 limit rows
    ) then button else 'other' end,
    case when campaign in (
      select campaign from people group by 1 order by count(*) desc, 1 limit rows
    ) then campaign else 'other' end
  from people;
end $$;

create or replace function touch_updated_at() returns trigger language plpgsql as $$
begin
  new.updated_at := now();
  return new;
end $$;

-- Keeps the time of a suspension until the subscription runs again, even after its end.
create or replace function note_suspension() returns trigger language plpgsql as $$
begin
  new.suspended_at := case
    when new.status in ('unpaid', 'paused') then coalesce(old.suspended_at, new.snapshot_at)
    when new.status = 'canceled' then old.suspended_at
  end;
  return new;
end $$;

create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append only', tg_table_name;
end $$;

-- Refuses every illegal transition of a lead's status. An email changes only together with the next
-- round, in which the lead is pending again, because `sent` is final for an email.
create or replace function guard_lead_status() returns trigger language plpgsql as $$
begin
  if new.email is distinct from old.email or old.beehiiv_status = 'failed' then
    if new.beehiiv_status = 'pending' and new.sync_round = old.sync_round + 1 then
      return new;
    end if;
  elsif old.beehiiv_status = 'pending' and new.sync_round = old.sync_round and (
    new.beehiiv_status = 'failed'
    or new.beehiiv_status = 'sent' and exists (
      select from lead_sync_attempts where lead_id = old.id and round = old.sync_round
    )
  ) then
    return new;
  end if;
  raise exception 'a lead cannot go from % (round %) to % (round %)',
    old.beehiiv_status, old.sync_round, new.beehiiv_status, new.sync_round
    using errcode = 'check_violation', constraint = 'leads_legal_transition';
end $$;

-- Locks a shard that no other open transaction writes to. Writers never wait for each other's
-- counters, so they cannot deadlock.
create or replace function free_count_shard() returns smallint language plpgsql as $$
declare
  free smallint := 0;
begin
  while not pg_try_advisory_xact_lock(hashtext('lead_counts'), free) loop
    free := free + 1;
  end loop;
  return free;
end $$;

create or replace function count_moved_leads() returns trigger language plpgsql as $$
begin
  insert into lead_counts as counts
      (day, form_type, beehiiv_status, subscriber_status, shard, leads)
    select (submitted_at at time zone 'Europe/London')::date, form_type, beehiiv_status,
      case beehiiv_status when 'sent' then coalesce(subscriber_status, '') else '' end,
      (select free_count_shard()), case tg_op when 'INSERT' then count(*) else -count(*) end
    from moved group by 1, 2, 3, 4
  on conflict (day, form_type, beehiiv_status, subscriber_status, shard)
    do update set leads = counts.leads + excluded.leads;
  return null;
end $$;

create or replace function count_updated_leads() returns trigger language plpgsql as $$
begin
  insert into lead_counts as counts
      (day, form_type, beehiiv_status, subscriber_status, shard, leads)
    select (submitted_at at time zone 'Europe/London')::date, form_type, beehiiv_status,
      case beehiiv_status when 'sent' then coalesce(subscriber_status, '') else '' end,
      (select free_count_shard()), sum(delta)
    from (select *, 1 as delta from added union all select *, -1 from removed) changed
    group by 1, 2, 3, 4 having sum(delta) <> 0
  on conflict (day, form_type, beehiiv_status, subscriber_status, shard)
    do update set leads = counts.leads + excluded.leads;
  return null;
end $$;

create or replace function count_no_leads() returns trigger language plpgsql as $$
begin
  delete from lead_counts;
  return null;
end $$;

create or replace function announce() returns trigger language plpgsql as $$
begin
  insert into live_changes (what) values (tg_argv[0]);
  return null;
end $$;

create or replace function announce_leads() returns trigger language plpgsql as $$
begin
  insert into live_changes (what) select 'leads' from moved limit 1;
  return null;
end $$;

-- Announces changes, except to the sync's own columns and to columns that retention clears in bulk.
create or replace function announce_changed_leads() returns trigger language plpgsql as $$
declare
  unannounced constant text[] := '{
    updated_at, outcome_unknown, sync_round, budget_spent, round_started_at, ip_address, user_agent
  }';
begin
  insert into live_changes (what)
    select 'leads' from added join removed using (id)
    where to_jsonb(added) - unannounced is distinct from to_jsonb(removed) - unannounced limit 1;
  return null;
end $$;
