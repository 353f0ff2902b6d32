import type { AttemptClass, BeehiivReason } from '@site/schema/beehiiv-answers';
import type { OperatorRole } from '@site/schema/calls/account';
import type { LeadValues } from '@site/schema/lead';
import type { LeadDeclaration } from '@site/schema/lead-declaration';
import { LEAD_FIELDS } from '@site/schema/lead-fields';
import type { DifferenceKind, Remedy } from '@site/schema/differences';
import type { BillingInterval } from '@site/schema/offer';
import type { PersonState } from '@site/schema/person-state';
import type { ConditionKind } from '@site/schema/conditions';
import { flag, json, number, orNull, text, texts, time, word } from './columns.ts';
import type { Column, RowOf } from './columns.ts';
import { MONEY_TABLES } from './money-tables.ts';

/*
 * Every table, with its columns under their camelCase names. The types of rows are inferred from
 * it, and a test compares it with the migrated database. `schema/` explains the columns.
 */

export type Tier = 'premium' | 'free';
export type TaskName =
  | 'worker'
  | 'watchdog'
  | 'comparison'
  | 'backup'
  | 'settings-copy'
  | 'archive'
  | 'trial-restore'
  | 'stripe-events'
  | 'stripe-reading'
  | 'stripe-terms'
  | 'stripe-signatures'
  | 'beehiiv-events';
export type ChangeKind = 'leads' | 'sync' | 'bulk-retry' | 'money';

export type MailRow = {
  /** The row's first words, in bold. */
  title?: string;
  isAlarm?: boolean;
  text: string;
  note?: string;
  /** One figure for each column. */
  figures?: string[];
  href?: string;
};
export type MailSection = { heading: string; count?: number; columns?: string[]; rows: MailRow[] };
/** A mail's content. */
export type MailBody = {
  subject: string;
  name: string;
  heading: string;
  sections: MailSection[];
  href: string;
  link: string;
  foot: string;
};

const LEAD_COLUMNS: Record<LeadDeclaration['kind'], Column<unknown>> = {
  text,
  flag,
  time,
  id: text,
  formType: text,
  beehiivStatus: text,
};

const toColumn = ({ kind, isRequired }: LeadDeclaration) =>
  isRequired ? LEAD_COLUMNS[kind] : orNull(LEAD_COLUMNS[kind]);

const declaredColumns = Object.fromEntries(
  Object.entries<LeadDeclaration>(LEAD_FIELDS).map(([name, field]) => [name, toColumn(field)]),
) as { [Name in keyof typeof LEAD_FIELDS]: Column<LeadValues[Name]> };

export const TABLES = {
  leads: {
    ...declaredColumns,
    failedAt: orNull(time),
    emailNormalised: text,
    searched: text,
    syncRound: number,
    budgetSpent: number,
    roundStartedAt: time,
    outcomeUnknown: flag,
    consentDueAt: orNull(time),
    urgency: word<'priority' | 'new' | 'retry' | 'bulk'>(),
  },
  former_emails: {
    id: number,
    leadId: text,
    email: text,
    emailNormalised: text,
    operator: text,
    correctedAt: time,
  },
  submission_keys: { key: text, isForm: flag, leadId: text, until: time },
  sample_requests: {
    id: text,
    email: text,
    name: orNull(text),
    company: orNull(text),
    leadId: orNull(text),
    createdAt: time,
  },
  tracked_events: { id: number, event: text, page: text, createdAt: time },
  visits: { day: time, part: text, name: text, count: number },
  lead_counts: {
    day: time,
    formType: text,
    beehiivStatus: text,
    subscriberStatus: text,
    shard: number,
    leads: number,
  },

  lead_sync_attempts: {
    id: text,
    leadId: text,
    emailNormalised: orNull(text),
    kind: word<'push' | 'probe' | 'repair' | 'tier'>(),
    round: number,
    number,
    startedAt: time,
    tookMs: orNull(number),
    httpStatus: orNull(number),
    class: orNull(word<AttemptClass>()),
    reason: orNull(word<BeehiivReason>()),
    message: orNull(text),
    requestId: orNull(text),
    worker: text,
  },
  email_leases: { emailNormalised: text, leasedBy: text, leasedUntil: time },
  people: {
    emailNormalised: text,
    email: text,
    name: orNull(text),
    names: text,
    company: orNull(text),
    phoneDigits: orNull(text),
    searched: text,
    seenAt: time,
    state: orNull(word<PersonState>()),
    stateSince: orNull(time),
    stateUntil: orNull(time),
    stateReason: orNull(text),
    mainSubscription: orNull(text),
    plan: orNull(word<BillingInterval>()),
    paidPence: number,
    entitledBy: orNull(text),
    decidingLead: orNull(text),
    differenceId: orNull(number),
    judgeAgainAt: orNull(time),
    subscriberId: orNull(text),
    status: orNull(text),
    statusSince: orNull(time),
    learnedAt: orNull(time),
    checkDueAt: orNull(time),
    heardAt: orNull(time),
    listedAt: orNull(time),
    listedTier: orNull(text),
    tier: orNull(word<Tier>()),
    tierVersion: number,
    tierConfirmedVersion: number,
    tierConfirmedAt: orNull(time),
    tierSince: orNull(time),
    mustActivate: flag,
    mustConfirm: flag,
    unsubscribedByUsAt: orNull(time),
    tierAttempts: number,
    tierNextAttemptAt: orNull(time),
    notReceivingSince: orNull(time),
    freeUntil: orNull(time),
    freeWithSubscription: orNull(text),
    freeGrantedBy: orNull(text),
    freeName: orNull(text),
    freeReason: orNull(text),
    freeGrantedAt: orNull(time),
  },
  rate_limiter: {
    id: flag,
    nextSlotAt: time,
    nextBackgroundSlotAt: time,
    resumesAt: time,
    requestsPerMinute: orNull(number),
  },
  sync_health: {
    id: flag,
    pausedSince: orNull(time),
    pauseReason: orNull(text),
    pauseSetting: orNull(text),
    nextProbeAt: orNull(time),
    refusalStreak: number,
    permanentSince: orNull(time),
    failureStreak: number,
    transientSince: orNull(time),
    lastAcceptedAt: orNull(time),
    lastAddedAt: orNull(time),
    missingFields: texts,
    refusalsFrom: orNull(time),
    refusalsTo: orNull(time),
    beehiivAnswer: orNull(text),
    beehiivCheckedAt: orNull(time),
    beehiivCheckAskedAt: orNull(time),
    isPausedBySetting: flag,
    waitsForBeehiiv: flag,
  },
  tasks: {
    name: word<TaskName>(),
    since: time,
    seenAt: orNull(time),
    leasedBy: orNull(text),
    leasedUntil: orNull(time),
    requestedAt: orNull(time),
    retryAt: orNull(time),
    cursor: orNull(text),
    coversUntil: orNull(time),
    failure: orNull(text),
    detail: json<object>(),
  },
  notices: {
    channel: word<'webhook' | 'mail'>(),
    what: text,
    text,
    since: time,
    noticedAt: time,
    sentAt: orNull(time),
    resolvedAt: orNull(time),
    attempts: number,
    dueAt: time,
    body: orNull(json<MailBody>()),
  },
  outages: { since: time, kind: word<ConditionKind>(), until: time, waited: number },
  differences: {
    id: number,
    kind: word<DifferenceKind>(),
    emailNormalised: text,
    leadId: orNull(text),
    subscriberId: orNull(text),
    subscriberStatus: orNull(text),
    stripeSubscriptionId: orNull(text),
    remedy: orNull(word<Remedy>()),
    foundAt: time,
    requestedAt: orNull(time),
    isJudged: flag,
  },

  ...MONEY_TABLES,

  users: {
    id: text,
    username: text,
    role: word<OperatorRole>(),
    password: text,
    passwordEndsAt: orNull(time),
    twoStepLogin: orNull(text),
    twoStepLoginStep: orNull(number),
    recoveryCodes: texts,
    browserEpoch: number,
    opensOverview: flag,
    readingsHour: orNull(time),
    readings: json<Record<string, number>>(),
    createdAt: time,
  },
  operator_sessions: {
    sid: text,
    sess: json<Record<string, unknown>>(),
    expire: time,
    operatorId: text,
    login: text,
    browser: orNull(text),
    startedAt: time,
    issuedAt: time,
    confirmedAt: time,
    usedAt: time,
    replacedAt: orNull(time),
    pendingTwoStepLogin: orNull(text),
  },
  logins: {
    id: number,
    at: time,
    outcome: word<'succeeded' | 'failed' | 'refused'>(),
    operator: orNull(text),
    subject: orNull(text),
    account: orNull(text),
    client: orNull(text),
    device: orNull(text),
    browser: orNull(text),
    isCode: flag,
    counts: flag,
  },
  operator_actions: {
    id: number,
    at: time,
    operator: orNull(text),
    action: text,
    subject: orNull(text),
    detail: json<Record<string, unknown>>(),
  },
  live_changes: { id: number, xid: text, what: word<ChangeKind>(), at: time },
  bulk_retries: {
    id: text,
    operator: text,
    filter: json<Record<string, unknown>>(),
    total: number,
    sent: number,
    failed: number,
    waiting: number,
    notRetried: number,
    createdAt: time,
    stoppedAt: orNull(time),
    finishedAt: orNull(time),
  },
  bulk_retry_leads: {
    bulkRetryId: text,
    leadId: text,
    state: word<'waiting' | 'started' | 'sent' | 'failed' | 'skipped' | 'returned'>(),
  },

  notes: { id: text, emailNormalised: text, text, operator: text, createdAt: time },
  removal_requests: {
    id: text,
    kind: word<'erasure' | 'unsubscribe'>(),
    emailNormalised: orNull(text),
    leadId: orNull(text),
    erased: orNull(json<Record<string, number>>()),
    requestedBy: text,
    requestedAt: time,
    attempts: number,
    nextAttemptAt: time,
    lastMessage: orNull(text),
    reason: orNull(word<BeehiivReason | 'subscribed-again' | 'email-used'>()),
    deletedAt: orNull(time),
    doneAt: orNull(time),
  },
  erased_ids: { id: text, erasedAt: time },
};

type Tables = typeof TABLES;

/** A row of the table of that name. */
export type Row<Table extends keyof Tables> = RowOf<Tables[Table]>;

export type LeadRow = Row<'leads'>;
export type SyncAttemptRow = Row<'lead_sync_attempts'>;
export type SyncHealthRow = Row<'sync_health'>;
export type SubscriptionRow = Row<'subscriptions'>;
export type BulkRetryRow = Row<'bulk_retries'>;
export type UserRow = Row<'users'>;
export type OperatorSessionRow = Row<'operator_sessions'>;
