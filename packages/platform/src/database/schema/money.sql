-- Subscriptions, payments and checkouts as Stripe reports them, and its events.

create table subscriptions (
  id uuid primary key,
  -- The payer's email. Null after an erasure, which keeps the payments.
  email text check (char_length(email) <= 254),
  email_normalised text generated always as (normalised_email(email)) stored,
  -- When an operator corrected the payer's email. Stripe's earlier reports of it no longer count.
  email_corrected_at timestamptz,
  -- The customer's email at Stripe, as last read.
  customer_email text check (char_length(customer_email) <= 512),
  -- A random id shared by an erased person's subscriptions. Without their email, each would count
  -- as a payer.
  erased_payer uuid,
  -- The same for all of a person's subscriptions.
  payer text not null generated always as (
    coalesce(normalised_email(email), erased_payer::text, stripe_customer_id)
  ) stored,
  name text,
  company text,
  phone text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),

  lead_id uuid references leads on delete set null,

  stripe_subscription_id text not null unique,
  stripe_customer_id text not null,
  stripe_checkout_session_id text,
  status text not null,
  -- The subscriber gets the paid issue.
  is_live boolean not null
    generated always as (status in ('trialing', 'active', 'past_due')) stored,
  stage text not null generated always as (
    case
      when status in ('trialing', 'active') and cancel_at is not null then 'ending'
      when status = 'trialing' or status = 'active' and first_paid_at is null then 'trial'
      when status = 'active' then 'paying'
      when status = 'past_due' then 'dunning'
      when status in ('unpaid', 'paused') then 'suspended'
      when status in ('canceled', 'incomplete_expired') then 'ended'
      else 'incomplete'
    end
  ) stored,
  plan text not null check (plan in ('monthly', 'annual')),
  coupon text,
  -- The price of a period after discounts.
  amount_pence integer not null check (amount_pence >= 0),
  -- The price with only the discounts that never end. Null: as amount_pence.
  recurring_pence integer check (recurring_pence >= 0),
  price_pence integer not null
    generated always as (coalesce(recurring_pence, amount_pence)) stored,
  -- An annual price counts as a twelfth. Only sums are rounded.
  monthly_pence numeric not null generated always as (
    coalesce(recurring_pence, amount_pence) / case plan when 'annual' then 12.0 else 1 end
  ) stored,
  -- monthly_pence if the subscription counts in MRR.
  mrr_pence numeric generated always as (
    case
      when status in ('active', 'past_due') and first_paid_at is not null
        and not is_collection_paused and coalesce(recurring_pence, amount_pence) > 0
      then coalesce(recurring_pence, amount_pence) / case plan when 'annual' then 12.0 else 1 end
    end
  ) stored,
  -- When an invoice above zero was first paid.
  first_paid_at timestamptz,
  started_at timestamptz,
  trial_ends_at timestamptz,
  period_ends_at timestamptz,
  cancel_at timestamptz,
  canceled_at timestamptz,
  ended_at timestamptz,
  -- When Stripe was first read to have suspended it, unless it runs again.
  suspended_at timestamptz,
  cancellation_feedback text,
  is_collection_paused boolean not null default false,
  latest_invoice_id text,
  payment_attempts integer not null default 0 check (payment_attempts >= 0),
  next_payment_attempt_at timestamptz,
  -- The page where an open invoice can be paid.
  payment_url text,
  -- The causes that an operator reviewed and let be: lost disputes, refunded charges, unpaid
  -- invoices, second subscriptions, and reasons for not receiving.
  reviewed_causes text[] not null default '{}',
  -- When an operator last contacted the payer from Call today.
  contacted_at timestamptz,
  -- The parts that the latest reading could not parse. They keep their older values.
  unread_parts text[] not null default '{}',
  -- When this state was read from Stripe. An older reading never overwrites it.
  snapshot_at timestamptz not null
);

-- The count of payers by state reads this index alone.
create index subscriptions_by_email_with_stage on subscriptions (email_normalised)
  include (stage, first_paid_at, created_at);
create index subscriptions_live on subscriptions (email_normalised) include (cancel_at)
  where is_live;
create index subscriptions_by_customer on subscriptions (stripe_customer_id);
create index subscriptions_by_payer on subscriptions (payer);
create index subscriptions_by_lead on subscriptions (lead_id);
create index subscriptions_changed on subscriptions (stripe_subscription_id)
  where normalised_email(customer_email) <> email_normalised;
create index subscriptions_reviewed on subscriptions (id) where reviewed_causes <> '{}';
create index subscriptions_unread on subscriptions (id) where unread_parts <> '{}';
create index subscriptions_by_stage on subscriptions (stage, started_at desc);
create index subscriptions_by_begin on subscriptions (coalesce(started_at, created_at));
create index subscriptions_renewals on subscriptions (status, period_ends_at)
  include (amount_pence, cancel_at, is_collection_paused);
-- The sum of MRR reads this index alone.
create index subscriptions_in_mrr on subscriptions (plan, price_pence) include (mrr_pence)
  where mrr_pence is not null;
create index subscriptions_trials on subscriptions (trial_ends_at)
  include (plan, amount_pence, cancel_at, is_collection_paused) where status = 'trialing';
create index subscriptions_cancelled_trials on subscriptions (canceled_at)
  where first_paid_at is null and canceled_at <= trial_ends_at;
create index subscriptions_retries on subscriptions (next_payment_attempt_at)
  where status = 'past_due';
create index subscriptions_payers on subscriptions (first_paid_at)
  include (payer, is_live, ended_at, suspended_at) where first_paid_at is not null;
create index subscriptions_ended on subscriptions (ended_at)
  include (first_paid_at) where ended_at is not null;

create trigger subscriptions_touch before update on subscriptions
  for each row execute function touch_updated_at();
create trigger subscriptions_suspended before insert or update of status on subscriptions
  for each row execute function note_suspension();
create trigger subscriptions_announced after insert or update or delete on subscriptions
  for each row execute function announce('money');

create constraint trigger subscriptions_judged after insert or update or delete on subscriptions
  deferrable initially deferred
  for each row execute function judge_changed_subscription();

create table stripe_invoices (
  id text primary key,
  stripe_subscription_id text not null
    references subscriptions (stripe_subscription_id) on delete cascade,
  status text not null,
  number text,
  currency text not null check (currency ~ '^[a-z]{3}$'),
  total_pence integer not null,
  tax_pence integer,
  paid_pence integer not null check (paid_pence >= 0),
  -- The amount left to pay, after balance credit and credit notes.
  remaining_pence integer,
  -- From the billing address, if the customer gave one.
  country text check (char_length(country) = 2),
  -- Stripe's page of the invoice, which names the customer. Null once the person was erased.
  page_url text,
  -- The newest charge: the bank's reason for a failure, and the card. Null once the person was
  -- erased.
  decline_code text,
  card_brand text,
  card_last4 text,
  -- Stripe's fee, and when the payment reaches the account's balance. Null while not known.
  fee_pence integer,
  available_at timestamptz,
  attempts integer not null,
  issued_at timestamptz not null,
  paid_at timestamptz,
  -- The payment's charge, known once something was refunded or disputed.
  stripe_charge_id text,
  stripe_payment_intent_id text,
  -- Failed refunds do not count.
  refunded_pence integer not null default 0 check (refunded_pence >= 0),
  is_refunded boolean not null
    generated always as (paid_pence > 0 and refunded_pence >= paid_pence) stored,
  snapshot_at timestamptz not null
);

create index stripe_invoices_by_subscription on stripe_invoices (stripe_subscription_id);
create index stripe_invoices_by_charge on stripe_invoices (stripe_charge_id)
  where stripe_charge_id is not null;
create index stripe_invoices_by_payment_intent on stripe_invoices (stripe_payment_intent_id)
  where stripe_payment_intent_id is not null;
create index stripe_invoices_open on stripe_invoices (stripe_subscription_id)
  include (snapshot_at) where status = 'open';
create index stripe_invoices_refunded on stripe_invoices (stripe_subscription_id)
  where is_refunded;
create index stripe_invoices_by_number on stripe_invoices (upper(number)) where number is not null;
-- The sum of payments reads this index alone.
create index stripe_invoices_paid_with_sums on stripe_invoices (paid_at)
  include (
    stripe_subscription_id, paid_pence, id, currency, total_pence, tax_pence, fee_pence
  )
  where paid_pence > 0;

create trigger stripe_invoices_announced after insert or update or delete on stripe_invoices
  for each row execute function announce('money');
create constraint trigger stripe_invoices_judged after insert or update or delete on stripe_invoices
  deferrable initially deferred
  for each row execute function judge_changed_payment();

create table stripe_refunds (
  id text primary key,
  stripe_subscription_id text not null
    references subscriptions (stripe_subscription_id) on delete cascade,
  -- No reference, because the invoice may be stored later or never.
  stripe_invoice_id text not null,
  stripe_charge_id text not null,
  amount_pence integer not null,
  currency text not null check (currency ~ '^[a-z]{3}$'),
  status text not null,
  failure_reason text,
  refunded_at timestamptz not null,
  -- When the refund was first read as failed or canceled.
  failed_at timestamptz,
  -- When an operator reviewed the failed refund.
  reviewed_at timestamptz,
  snapshot_at timestamptz not null
);

create index stripe_refunds_by_subscription on stripe_refunds (stripe_subscription_id);
create index stripe_refunds_by_invoice on stripe_refunds (stripe_invoice_id);
create index stripe_refunds_by_time on stripe_refunds (refunded_at)
  include (amount_pence, currency, status);
create index stripe_refunds_by_failure on stripe_refunds (failed_at) where failed_at is not null;
create index stripe_refunds_failed on stripe_refunds (refunded_at)
  where status = 'failed' and reviewed_at is null;

create trigger stripe_refunds_announced after insert or update or delete on stripe_refunds
  for each row execute function announce('money');
create constraint trigger stripe_refunds_judged
  after insert or update or delete on stripe_refunds
  deferrable initially deferred
  for each row execute function judge_changed_payment();

create table stripe_disputes (
  id text primary key,
  stripe_subscription_id text not null
    references subscriptions (stripe_subscription_id) on delete cascade,
  -- No reference, as for a refund.
  stripe_invoice_id text not null,
  stripe_charge_id text not null,
  amount_pence integer not null,
  currency text not null check (currency ~ '^[a-z]{3}$'),
  reason text not null,
  status text not null,
  is_open boolean not null
    generated always as (status not in ('won', 'lost', 'warning_closed', 'prevented')) stored,
  -- The bank has the money. It takes none for an inquiry (warning_...).
  blocks_refund boolean not null
    generated always as (status not in ('won', 'prevented') and not starts_with(status, 'warning_'))
    stored,
  evidence_due_at timestamptz,
  opened_at timestamptz not null,
  -- When an inquiry was first read as a dispute. Null: the bank took the money at the start.
  escalated_at timestamptz,
  -- When a dispute that held the money was first read as won or prevented.
  won_at timestamptz,
  snapshot_at timestamptz not null
);

create index stripe_disputes_by_subscription on stripe_disputes (stripe_subscription_id);
create index stripe_disputes_by_invoice on stripe_disputes (stripe_invoice_id);
create index stripe_disputes_open on stripe_disputes (opened_at) where is_open;
create index stripe_disputes_lost on stripe_disputes (opened_at) where status = 'lost';
create index stripe_disputes_taken on stripe_disputes (coalesce(escalated_at, opened_at))
  where blocks_refund or won_at is not null;
create index stripe_disputes_won on stripe_disputes (won_at) where won_at is not null;

create trigger stripe_disputes_announced after insert or update or delete on stripe_disputes
  for each row execute function announce('money');
create constraint trigger stripe_disputes_judged after insert or update or delete on stripe_disputes
  deferrable initially deferred
  for each row execute function judge_changed_payment();

-- Subscriptions and list at the end of each London day.
create table money_nights (
  day date primary key,
  -- Null: that day had an unknown price.
  mrr_pence bigint,
  payers integer not null,
  -- Null: the row was computed later, and nobody counted the list that day.
  on_list integer
);

-- The payers who began or left on each closed day, as known then, so that no later correction
-- changes a closed month.
create table closed_moves (
  day date not null references money_nights on delete cascade,
  list text not null check (list in ('new-payers', 'ended-payers')),
  stripe_subscription_id text not null
    references subscriptions (stripe_subscription_id) on delete cascade,
  at timestamptz not null,
  pence numeric not null,
  primary key (day, stripe_subscription_id, list)
);

create index closed_moves_by_time on closed_moves (list, at);

-- Checkout sessions at Stripe, and checkouts that Stripe did not open. An open session may have
-- ended there without a report yet: Stripe keeps sessions open for at most a day.
create table checkouts (
  id uuid primary key default gen_random_uuid(),
  -- Null for a checkout that was not opened.
  stripe_checkout_session_id text unique,
  email text check (char_length(email) <= 254),
  email_normalised text generated always as (normalised_email(email)) stored,
  lead_id uuid references leads on delete set null,
  state text not null check (
    state in ('open', 'complete', 'abandoned', 'payment-failed', 'not-opened')
  ),
  -- Why Stripe did not open the checkout.
  hindrance text check (hindrance in ('stripe-away', 'wrong-setting')),
  plan text check (plan in ('monthly', 'annual')),
  -- The price of a period with its discount.
  amount_pence integer,
  started_at timestamptz not null,
  recovery_url text,
  recovery_ends_at timestamptz,
  -- The expired checkout whose recovery link started this checkout.
  recovered_from text,
  -- An operator opened the checkout for the person. It is no visitor's order.
  is_payment_link boolean not null default false,
  -- A correction moved the checkout: its email here is right, and not the one at Stripe.
  is_moved boolean not null default false,
  -- The browser sessions that opened the checkout: the lead's visit id, and the first checkout in
  -- the browser's cookie.
  visits text[] not null default '{}',
  -- Another checkout was completed instead. Set when retention clears the email.
  is_settled boolean not null default false,
  contacted_at timestamptz,
  snapshot_at timestamptz not null,
  constraint checkouts_are_opened_or_hindered check (
    (state = 'not-opened') = (stripe_checkout_session_id is null)
    and (state = 'not-opened') = (hindrance is not null)
  )
);

create index checkouts_by_lead on checkouts (lead_id, state);
-- Each email has one checkout that was not opened: the latest.
create unique index checkouts_not_opened on checkouts (email_normalised)
  where state = 'not-opened';
create index checkouts_by_email on checkouts (email_normalised);
create index checkouts_by_time on checkouts (started_at)
  include (email_normalised, lead_id, state, is_payment_link);
-- Every page of the list looks for abandoned checkouts, so each condition has its own index.
create index checkouts_abandoned on checkouts (started_at desc)
  include (lead_id, email_normalised, stripe_checkout_session_id)
  where state in ('abandoned', 'not-opened');
create index checkouts_complete_by_email on checkouts (email_normalised) include (started_at)
  where state = 'complete';
create index checkouts_complete_by_recovered on checkouts (recovered_from)
  where state = 'complete' and recovered_from is not null;

create index checkouts_of_operators on checkouts (stripe_checkout_session_id)
  where is_payment_link;
create index checkouts_complete_by_visit on checkouts using gin (visits) where state = 'complete';

create trigger checkouts_announced after insert or update or delete on checkouts
  for each row execute function announce('money');

create table stripe_events (
  id text primary key,
  type text not null,
  outcome text not null check (outcome in ('applied', 'ignored', 'parked')),
  received_at timestamptz not null default now(),
  -- delivery: Stripe's request. listing: fetched from Stripe's list after a missed delivery.
  -- replay: a command.
  arrived_by text not null default 'delivery'
    check (arrived_by in ('delivery', 'listing', 'replay')),
  -- Set for parked events. A retry needs the object's id.
  failure text,
  missing_permission text check (char_length(missing_permission) <= 200),
  object_id text check (char_length(object_id) <= 255),
  -- When an operator reviewed the parked event.
  reviewed_at timestamptz
);

create index stripe_events_by_time on stripe_events (received_at);
create index stripe_events_delivered on stripe_events (received_at) where arrived_by = 'delivery';
create index stripe_events_listed on stripe_events (received_at) where arrived_by = 'listing';
create index stripe_events_parked on stripe_events (received_at) where outcome = 'parked';

-- Only parked events are announced: applied events change rows that have their own triggers.
create trigger stripe_events_announced_insert after insert on stripe_events
  for each row when (new.outcome = 'parked') execute function announce('money');
create trigger stripe_events_announced_update after update on stripe_events
  for each row when (old.outcome = 'parked') execute function announce('money');
