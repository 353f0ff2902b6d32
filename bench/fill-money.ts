import type { Database } from '@site/platform/database/connect';

/** Twelve leads in a thousand pay, and twenty abandon a checkout. */
const IS_PAYER = `abs(hashtext(email_normalised)) % 1000 < 12`;
const IS_ABANDONING = `abs(hashtext(email_normalised)) % 1000 between 20 and 39`;

/**
 * Inserts the newsletter's and Stripe's records for the filled leads. Each lead has a person, on
 * the list if sent. Twelve in a thousand have a subscription that began within two years, and a
 * tenth of all leads a payment. A third of the payers has left, one in seven pays by the year, one
 * in a hundred is in trial, and one in a hundred is overdue. Rows are written in the order of time.
 */
export async function fillMoney(db: Database): Promise<void> {
  // Without triggers and foreign keys, as a backup is restored.
  const run = (sql: string) =>
    db.raw(`set session_replication_role = replica; ${sql}; set session_replication_role = origin`);
  await run(`insert into subscriptions (id, email, name, company, phone, lead_id, stripe_subscription_id, stripe_customer_id,
      status, plan, amount_pence, created_at, started_at, trial_ends_at, first_paid_at, period_ends_at, cancel_at, canceled_at,
      ended_at, cancellation_feedback, latest_invoice_id, next_payment_attempt_at, snapshot_at)
    select gen_random_uuid(), email, full_name, company, phone, id, 'sub_' || n, 'cus_' || n, status, plan,
      case when plan = 'annual' then 215100 when n % 4 = 0 then 20315 else 23900 end, began, began, began + interval '7 days',
      case when status <> 'trialing' then began + interval '7 days' end,
      case when status = 'trialing' then began + interval '7 days' else now() + make_interval(hours => n % 720) end,
      case when status = 'active' and n % 40 = 5 then now() + interval '9 days' end,
      case when status = 'canceled' then ended end, case when status = 'canceled' then ended end,
      case when status = 'canceled' then (array['too_expensive', 'unused', 'low_quality', null])[1 + n % 4] end,
      'in_' || n || '_0', case when status = 'past_due' then now() + interval '2 days' end, now()
    from (select *, case when n % 100 = 1 then 'trialing' when n % 100 = 2 then 'past_due' when n % 3 = 0 then 'canceled'
          else 'active' end as status, case when n % 7 = 3 then 'annual' else 'monthly' end as plan,
        case when n % 100 = 1 then now() - make_interval(hours => n % 168)
          else now() - make_interval(hours => (n * 7919) % 17500) end as began
      from (select *, (row_number() over ())::int as n from leads
        where ${IS_PAYER} and beehiiv_status = 'sent') payer) subscribed,
      lateral (select began + (now() - began) * ((n % 97) / 97.0) as ended) until
    order by began`);
  await run(`insert into stripe_invoices (id, stripe_subscription_id, status, number, total_pence, paid_pence, attempts,
      issued_at, paid_at, snapshot_at, currency, tax_pence, remaining_pence, country)
    select 'in_' || substr(stripe_subscription_id, 5) || '_' || period, stripe_subscription_id,
      case when is_open then 'open' else 'paid' end, 'LL' || substr(stripe_subscription_id, 5) || '-' || 1000 + period,
      amount_pence, case when is_open then 0 else amount_pence end, case when is_open or hash % 50 = 0 then 2 else 1 end, at,
      case when not is_open then at end, now(), case when hash % 200 = 0 then 'eur' else 'gbp' end,
      amount_pence / 6, case when is_open then amount_pence else 0 end, 'GB'
    from (select *, abs(hashtext(stripe_subscription_id || at)) as hash, period = 0 and status = 'past_due' as is_open from (
      select *, (row_number() over (partition by stripe_subscription_id order by at desc))::int - 1 as period
      from subscriptions, generate_series(first_paid_at, coalesce(ended_at, now()),
        case when plan = 'annual' then interval '1 year' else interval '1 month' end) at) paid) invoice`);
  await run(`insert into checkouts (stripe_checkout_session_id, email, lead_id, state, started_at, recovery_url,
      recovery_ends_at, plan, amount_pence, snapshot_at)
    select 'cs_' || stripe_subscription_id, email, lead_id, 'complete', started_at, null, null, plan, amount_pence, now() from subscriptions
    union all select 'cs_' || id, email, id, 'abandoned', submitted_at, 'https://checkout.example/' || id,
      submitted_at + interval '30 days', 'monthly', 23900, now()
    from leads where ${IS_ABANDONING} and beehiiv_status = 'sent'
    order by started_at`);
  // Writes the rows of judge_person(), but all at once.
  await db.raw(`insert into people (email_normalised, email, name, names, company, phone_digits, seen_at, state,
      state_since, tier, tier_version, tier_confirmed_version, tier_confirmed_at,
      tier_since, tier_next_attempt_at,
      subscriber_id, status, status_since, learned_at, listed_at, listed_tier)
    select l.email_normalised, l.email, l.full_name, coalesce(l.full_name, ''), l.company, right(regexp_replace(l.phone, '\\D', '', 'g'), 9),
      greatest(l.submitted_at, s.started_at), 'none', l.submitted_at, s.tier,
      case when s.tier is not null then 1 else 0 end, case when s.tier is not null then 1 else 0 end,
      s.started_at, s.started_at, s.started_at,
      case when l.beehiiv_status = 'sent' then 'sub_' || md5(l.email_normalised) end,
      case when l.beehiiv_status = 'sent' then case when s.live > 0 and doubt % 1000 > 0 then 'active' when hash % 50 = 0 then 'inactive'
        when hash % 90 = 0 then 'pending' else 'active' end end,
      case when l.beehiiv_status = 'sent' then l.submitted_at end, case when l.beehiiv_status = 'sent' then now() end,
      case when l.beehiiv_status = 'sent' then now() end, coalesce(s.tier, 'free')
    -- Doubt is drawn independently of payment. Otherwise one payer in twelve would be in doubt.
    from (select *, abs(hashtext(email_normalised)) as hash, abs(hashtext(id::text)) as doubt from leads) l left join (
      select email_normalised, max(started_at) as started_at, count(*) filter (where is_live) as live,
        case when bool_or(is_live) then 'premium' else 'free' end as tier
      from subscriptions group by 1
    ) s on s.email_normalised = l.email_normalised
    on conflict (email_normalised) do nothing`);
  await db.raw('vacuum analyze');
  await db.raw(`select judge_person(email_normalised) from people where tier is not null`);
}
