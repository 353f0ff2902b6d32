import { query } from '@site/platform/database/query';
import { storeLead, storePerson } from '@site/testing/builders';
import { PERSONAL_FILTERS } from '@site/schema/calls/lead-filter';
import { EXPORTED_TABLES } from '@site/schema/calls/privacy';
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { test } from '../../testing/api.fixture.ts';
import { storeSubscription } from '@site/testing/money-builders';

/*
 * Every column of every table, sorted by whether it is about a visitor, subscriber or payer. A
 * personal column must be in an exported table, so that export and erasure include it. A new column
 * belongs in one of the two lists.
 */

/** Columns that name or describe a person, their actions, or others' remarks about them. */
const PERSONAL: Record<string, string> = {
  leads: `id email email_normalised full_name company phone message form_type submitted_at consent_marketing
    consent_timestamp consent_text_version consent_page utm_source utm_medium utm_campaign utm_term utm_content gclid
    fbclid ttclid landing_page first_page referrer session_id ga_client_id visit_utm_source visit_utm_medium
    visit_utm_campaign visit_utm_term visit_utm_content first_utm_source first_utm_medium first_utm_campaign
    first_utm_term first_utm_content user_agent ip_address device_type country region city trace_id beehiiv_status
    beehiiv_reason beehiiv_response beehiiv_sent_at subscriber_status searched created_at`,
  former_emails: 'lead_id email email_normalised corrected_at',
  submission_keys: 'lead_id',
  lead_sync_attempts:
    'id lead_id email_normalised message request_id started_at http_status class reason',
  sample_requests: 'id email name company lead_id created_at',
  email_leases: 'email_normalised',
  people: `email_normalised email name names company phone_digits searched seen_at state state_since state_until state_reason
    main_subscription plan paid_pence subscriber_id status status_since listed_tier tier tier_confirmed_at not_receiving_since free_until free_with_subscription free_granted_at
    free_name free_reason`,
  differences:
    'email_normalised kind lead_id subscriber_id subscriber_status stripe_subscription_id',
  subscriptions: `email email_normalised payer customer_email email_corrected_at name company phone lead_id
    stripe_subscription_id stripe_customer_id stripe_checkout_session_id status plan coupon amount_pence recurring_pence price_pence monthly_pence
    mrr_pence first_paid_at started_at trial_ends_at period_ends_at cancel_at canceled_at ended_at suspended_at cancellation_feedback
    latest_invoice_id payment_url stage is_live created_at`,
  stripe_invoices: `id stripe_subscription_id status number total_pence paid_pence issued_at paid_at currency tax_pence remaining_pence country
    page_url decline_code card_brand card_last4 stripe_charge_id stripe_payment_intent_id refunded_pence is_refunded`,
  stripe_refunds: `id stripe_subscription_id stripe_invoice_id stripe_charge_id amount_pence currency status
    failure_reason refunded_at failed_at`,
  stripe_disputes: `id stripe_subscription_id stripe_invoice_id stripe_charge_id amount_pence currency reason
    status is_open blocks_refund opened_at escalated_at won_at`,
  checkouts: `id stripe_checkout_session_id email email_normalised lead_id state hindrance started_at recovery_url recovery_ends_at
    recovered_from is_payment_link visits plan amount_pence contacted_at`,
  removal_requests: 'email_normalised lead_id last_message reason',
  notes: 'email_normalised text created_at',
  stripe_events: 'id type outcome failure object_id received_at',
  operator_actions: 'at action subject detail',
  bulk_retries: 'filter',
  bulk_retry_leads: 'bulk_retry_id lead_id',
};

/** Progress, settings, numbers, operators, and ids that mean nothing without their row. */
const OTHER: Record<string, string> = {
  leads: `updated_at failed_at next_attempt_at quarantine_reason sync_round budget_spent round_started_at outcome_unknown consent_due_at urgency`,
  former_emails: 'id operator',
  submission_keys: 'key is_form until',
  lead_sync_attempts: 'kind round number took_ms worker',
  tracked_events: 'id event page created_at',
  visits: 'day part name count',
  lead_counts: 'day form_type beehiiv_status subscriber_status shard leads',
  email_leases: 'leased_by leased_until',
  people: `entitled_by deciding_lead difference_id judge_again_at learned_at check_due_at heard_at listed_at tier_version tier_confirmed_version tier_since
    must_activate must_confirm unsubscribed_by_us_at tier_attempts tier_next_attempt_at free_granted_by`,
  rate_limiter: 'id next_slot_at next_background_slot_at resumes_at requests_per_minute',
  sync_health: `id paused_since pause_reason pause_setting next_probe_at refusal_streak permanent_since
    failure_streak transient_since last_accepted_at last_added_at missing_fields refusals_from refusals_to
    beehiiv_answer beehiiv_checked_at beehiiv_check_asked_at is_paused_by_setting waits_for_beehiiv`,
  tasks: `name since seen_at leased_by leased_until requested_at retry_at cursor covers_until failure detail`,
  outages: 'kind since until waited',
  notices: 'channel what text since noticed_at sent_at resolved_at attempts due_at body',
  differences: 'id remedy found_at requested_at is_judged',
  subscriptions: `id updated_at is_collection_paused payment_attempts
    next_payment_attempt_at unread_parts reviewed_causes contacted_at erased_payer snapshot_at`,
  stripe_invoices: 'attempts fee_pence available_at snapshot_at',
  stripe_refunds: 'reviewed_at snapshot_at',
  stripe_disputes: 'evidence_due_at snapshot_at',
  checkouts: 'is_settled is_moved snapshot_at',
  removal_requests:
    'id kind erased requested_by requested_at attempts next_attempt_at deleted_at done_at',
  notes: 'id operator',
  operator_requests: 'operator key request action subject detail recorded_at result created_at',
  stripe_events: 'missing_permission arrived_by reviewed_at',
  money_nights: 'day mrr_pence payers on_list',
  closed_moves: 'day list stripe_subscription_id at pence',
  users: `id username role password password_ends_at two_step_login two_step_login_step recovery_codes browser_epoch opens_overview
    readings_hour readings created_at`,
  operator_sessions: `sid sess expire operator_id login browser started_at issued_at confirmed_at used_at
    replaced_at pending_two_step_login`,
  logins: 'id at outcome operator subject account client device browser is_code counts',
  operator_actions: 'id operator',
  live_changes: 'id xid what at',
  bulk_retries: `id operator total sent failed waiting not_retried created_at stopped_at finished_at`,
  bulk_retry_leads: 'state',
  erased_ids: 'id erased_at',
};

/**
 * The email stays until Beehiiv has deleted the subscriber, and for a minute while a run serves it.
 */
const KEPT_A_WHILE = ['removal_requests', 'email_leases'];

const email = 'Priya@Reader.example';

const toSnake = (name: string) =>
  name.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);
const columnsOf = (tables: Record<string, string>) =>
  Object.entries(tables).flatMap(([table, columns]) =>
    columns.split(/\s+/u).map((column) => `${table}.${column}`),
  );

test('every column of every table is listed as personal data or not', async ({ db }) => {
  const columns = await query<{ name: string }>(
    db,
    `select table_name || '.' || column_name as name
     from information_schema.columns join pg_tables on tablename = table_name
     where table_schema = current_schema() and schemaname = current_schema()
       and tablename <> 'migrations'`,
  );
  const stored = columns.map(({ name }) => name);

  expect([...columnsOf(PERSONAL), ...columnsOf(OTHER)].toSorted()).toEqual(stored.toSorted());
});

test('personal data is only in tables that an export includes', () => {
  expect(Object.keys(PERSONAL).toSorted()).toEqual(EXPORTED_TABLES.toSorted());
});

test('personal data is exported, and erased, in each of these columns', async ({
  operator,
  db,
}) => {
  const { id: leadId } = await storeLead(db, {
    email,
    beehiivStatus: 'failed',
    nextAttemptAt: null,
  });
  const address = email.toLowerCase();
  const stripeSubscriptionId = await storeSubscription(db, {
    email,
    customerEmail: email,
    status: 'canceled',
  });
  const at = { snapshotAt: new Date() };
  const due = { requestedBy: 'j.holt', requestedAt: new Date() };
  const invoice = {
    id: 'in_1',
    stripeSubscriptionId,
    status: 'paid',
    totalPence: 1,
    paidPence: 1,
    currency: 'gbp',
    attempts: 1,
  };
  const charge = {
    stripeSubscriptionId,
    stripeInvoiceId: 'in_1',
    stripeChargeId: 'ch_1',
    amountPence: 1,
    currency: 'gbp',
  };
  const dispute = { id: 'dp_1', ...charge, reason: 'x', status: 'x', openedAt: new Date(), ...at };
  const bulkRetryId = randomUUID();
  const personalFilter = Object.fromEntries(PERSONAL_FILTERS.map(({ name }) => [name, 'priya@']));
  const rows: Record<string, object> = {
    bulk_retries: { id: bulkRetryId, operator: 'j.holt', filter: personalFilter },
    bulk_retry_leads: { bulkRetryId, leadId },
    lead_sync_attempts: {
      id: randomUUID(),
      leadId,
      emailNormalised: address,
      kind: 'push',
      round: 1,
      number: 1,
      worker: 'w',
    },
    former_emails: { leadId, email: 'typo@raeder.example', operator: 'ana' },
    submission_keys: { leadId, key: 'a', isForm: false, until: new Date() },
    sample_requests: { id: randomUUID(), email },
    checkouts: {
      stripeCheckoutSessionId: 'cs_1',
      email,
      state: 'abandoned',
      startedAt: new Date(),
      ...at,
    },
    stripe_invoices: { ...invoice, issuedAt: new Date(), ...at },
    stripe_refunds: {
      id: 're_1',
      ...charge,
      status: 'x',
      refundedAt: new Date(),
      ...at,
    },
    stripe_disputes: dispute,
    removal_requests: {
      id: randomUUID(),
      kind: 'unsubscribe',
      emailNormalised: address,
      ...due,
    },
    differences: { emailNormalised: address, kind: 'invalid' },
    email_leases: { emailNormalised: address, leasedBy: randomUUID(), leasedUntil: new Date() },
    notes: { id: randomUUID(), emailNormalised: address, text: 'Met in Leeds', operator: 'j.holt' },
    stripe_events: {
      id: 'evt_1',
      type: 't',
      outcome: 'parked',
      failure: 'no',
      objectId: 'in_1',
    },
    operator_actions: { action: 'read-lead', subject: leadId },
  };
  for (const [table, row] of Object.entries(rows)) await db(table).insert(row);
  const now = new Date();
  const access = { freeUntil: now, freeGrantedBy: 'j.holt', freeGrantedAt: now };
  await storePerson(db, {
    emailNormalised: address,
    tier: 'premium',
    status: 'active',
    statusSince: now,
    ...access,
  });

  const { json } = await operator.post('people/export', { email });
  await operator.post('people/erase', { email });

  const exported = Object.entries<Record<string, unknown>[]>(json.tables).flatMap(
    ([table, found]) => Object.keys(found[0] ?? {}).map((name) => `${table}.${toSnake(name)}`),
  );
  expect(columnsOf(PERSONAL).filter((column) => !exported.includes(column))).toEqual([]);
  for (const table of Object.keys(PERSONAL)) {
    const left = JSON.stringify(await db(table).select()).toLowerCase();
    if (!KEPT_A_WHILE.includes(table)) expect(left).not.toContain(address);
  }
});
