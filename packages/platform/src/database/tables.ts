import type { AttemptClass, BeehiivReason } from '@site/schema/beehiiv-answers';
import type { OperatorRole } from '@site/schema/calls/account';
import type { LeadValues } from '@site/schema/lead';
import type { LeadDeclaration } from '@site/schema/lead-declaration';
import { LEAD_FIELDS } from '@site/schema/lead-fields';
import type { DifferenceKind, Remedy } from '@site/schema/differences';
import type { BillingInterval } from '@site/schema/offer';
import type { ConditionKind } from '@site/schema/conditions';
import { flag, json, number, orNull, text, texts, time, word } from './columns.ts';
import type { Column, RowOf } from './columns.ts';

/*
 * The tables whose whole rows the code reads, with their columns under their camelCase names. The
 * types of rows are inferred from it, and a test compares it with the migrated database. `schema/`
 * explains the columns.
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
  subscriptions: {
    id: text,
    email: orNull(text),
    emailNormalised: orNull(text),
    emailCorrectedAt: orNull(time),
    name: orNull(text),
    company: orNull(text),
    phone: orNull(text),
    createdAt: time,
    updatedAt: time,
    leadId: orNull(text),
    stripeSubscriptionId: text,
    stripeCustomerId: text,
    stripeCheckoutSessionId: orNull(text),
    status: text,
    plan: word<BillingInterval>(),
    coupon: orNull(text),
    amountPence: number,
    recurringPence: orNull(number),
    pricePence: number,
    monthlyPence: text,
    mrrPence: orNull(text),
    firstPaidAt: orNull(time),
    startedAt: orNull(time),
    trialEndsAt: orNull(time),
    periodEndsAt: orNull(time),
    cancelAt: orNull(time),
    canceledAt: orNull(time),
    endedAt: orNull(time),
    suspendedAt: orNull(time),
    cancellationFeedback: orNull(text),
    isCollectionPaused: flag,
    latestInvoiceId: orNull(text),
    paymentAttempts: number,
    nextPaymentAttemptAt: orNull(time),
    paymentUrl: orNull(text),
    unreadParts: texts,
    customerEmail: orNull(text),
    reviewedCauses: texts,
    contactedAt: orNull(time),
    erasedPayer: orNull(text),
    payer: text,
    snapshotAt: time,
    isLive: flag,
    stage: word<'trial' | 'paying' | 'ending' | 'dunning' | 'suspended' | 'ended' | 'incomplete'>(),
  },
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
