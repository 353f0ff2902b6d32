import type {
  LeadDetailAnswer,
  LeadListAnswer,
  SubscriberCounts,
  ChartsAnswer,
} from '@site/schema/calls/leads';
import type { DeliveryAnswer, SyncHealthAnswer } from '@site/schema/calls/sync';
import type { BulkRetry } from '@site/schema/calls/retry';
import { listLeadFields } from '@site/schema/lead-fields';
import type { Lead } from '@site/schema/lead';
import { leadInList } from '@site/schema/stored-lead';
import { dayAfter } from '@site/schema/calendar';
import { MONTH_FIGURES } from '@site/schema/calls/money-figures';
import type { MoneyAnswer, MoneyMonth } from '@site/schema/calls/money';
import type { FigureName } from '@site/schema/calls/money-figures';
import type { LeadSubscription } from '@site/schema/calls/subscriptions';

// Builds complete and valid answers to the console's calls. A test gives only the fields it is
// about.

const AT = '2025-12-03T09:30:00Z';
let ids = 0;

export function buildId(): string {
  ids += 1;
  return `0190a000-0000-7000-8000-${String(ids).padStart(12, '0')}`;
}

/** Builds a sent lead. */
export function buildLead(changes: Partial<Lead> = {}): Lead {
  const empty = Object.fromEntries(
    listLeadFields().map(({ name, kind }) => [name, kind === 'flag' ? false : null]),
  ) as unknown as Lead;
  const id = buildId();
  return {
    ...empty,
    id,
    fullName: 'Priya Raman',
    email: `priya.${Number(id.slice(-12))}@northgate.example`,
    formType: 'pre_buy',
    utmSource: 'top_sub',
    consentPage: '/',
    failedAt: null,
    beehiivStatus: 'sent',
    beehiivSentAt: AT,
    submittedAt: AT,
    createdAt: AT,
    updatedAt: AT,
    ...changes,
  };
}

/** Builds a lead that Beehiiv rejected. */
export function buildFailedLead(changes: Partial<Lead> = {}): Lead {
  const beehiivResponse = '422: {"errors":[{"message":"Email is invalid"}]}';
  return buildLead({
    beehiivStatus: 'failed',
    beehiivSentAt: null,
    beehiivReason: 'email-invalid',
    beehiivResponse,
    ...changes,
  });
}

export function buildList(leads: Lead[], changes: Partial<LeadListAnswer> = {}): LeadListAnswer {
  const count = (is: (lead: Lead) => boolean) => leads.filter(is).length;
  return {
    leads: leads.map((lead) => leadInList.parse({ name: lead.fullName, state: 'none', ...lead })),
    counts: {
      total: leads.length,
      preSample: count(({ formType }) => formType === 'pre_sample'),
      preBuy: count(({ formType }) => formType === 'pre_buy'),
      beehiivSent: count(({ beehiivStatus }) => beehiivStatus === 'sent'),
    },
    statusCounts: {
      pending: count(({ beehiivStatus }) => beehiivStatus === 'pending'),
      sent: count(({ beehiivStatus }) => beehiivStatus === 'sent'),
      failed: count(
        ({ beehiivStatus, quarantineReason }) =>
          beehiivStatus === 'failed' && quarantineReason === null,
      ),
      quarantined: count(({ quarantineReason }) => quarantineReason !== null),
    },
    subscribers: buildSubscribers(),
    isCapped: false,
    newer: 0,
    nextCursor: null,
    topCursor: leads[0]?.id ?? null,
    ...changes,
  };
}

function buildSubscribers(changes: Partial<SubscriberCounts> = {}): SubscriberCounts {
  return {
    confirmed: 0,
    awaiting: 0,
    checking: 0,
    rejected: 0,
    unsubscribed: 0,
    other: 0,
    ...changes,
  };
}

export function buildDetail(lead: Lead, changes: Partial<LeadDetailAnswer> = {}): LeadDetailAnswer {
  return {
    lead,
    channel: 'Direct',
    browser: null,
    history: [],
    formerEmail: null,
    checkouts: [],
    subscriptions: [],
    freeAccess: null,
    ...changes,
  };
}

export function buildHealth(changes: Partial<SyncHealthAnswer> = {}): SyncHealthAnswer {
  return {
    state: changes.pause ? 'paused' : 'running',
    conditions: [],
    pending: 0,
    oldestPendingAt: null,
    pause: null,
    lastAcceptedAt: null,
    lastError: null,
    rate: { lastMinute: 0, allowed: 150 },
    statusesAsOf: null,
    missingFields: [],
    failedInRefusalPause: null,
    isFirstRun: false,
    ...changes,
  };
}

/** Builds fourteen days without leads, the last of them `today`. */
export function buildDelivery(
  changes: Partial<DeliveryAnswer> = {},
  today = AT.slice(0, 10),
): DeliveryAnswer {
  return {
    days: Array.from({ length: 14 }, (_, n) => ({
      day: dayAfter(today, n - 13),
      sent: 0,
      failed: 0,
    })),
    sentToday: 0,
    failed: 0,
    total: 0,
    lastSentAt: null,
    outages: [],
    workerSeenAt: AT,
    lastEventAt: null,
    beehiivNews: null,
    backup: null,
    mail: null,
    ...changes,
  };
}

export function buildCharts(changes: Partial<ChartsAnswer> = {}): ChartsAnswer {
  return {
    days: [],
    sources: [],
    isCapped: false,
    ...changes,
  };
}

export function buildMoney(changes: Partial<MoneyAnswer> = {}): MoneyAnswer {
  return {
    stages: { trial: 0, paying: 0, ending: 0, dunning: 0, suspended: 0, ended: 0, incomplete: 0 },
    prices: [],
    mrr: { count: 0, pence: 0, currency: 'gbp' },
    dashboardUrl: 'https://dashboard.stripe.com/test',
    ...changes,
  };
}

const pounds = (pence: number) => ({ pence, currency: 'gbp' });

/** Builds a value for every figure of a month. */
const buildFigures = (toValue: (shows: 'pence' | 'count') => MoneyMonth[FigureName]) =>
  Object.fromEntries(MONTH_FIGURES.map(({ name, shows }) => [name, toValue(shows)])) as Pick<
    MoneyMonth,
    FigureName
  >;

/** Builds a year of months up to December 2025. January is unknown. */
export function buildMonths(): MoneyMonth[] {
  return Array.from({ length: 12 }, (_, n) => ({
    month: `2025-${String(n + 1).padStart(2, '0')}`,
    ...buildFigures((shows) => (n === 0 ? null : shows === 'pence' ? pounds(0) : 0)),
    ...(n > 0 && {
      paid: pounds(100_000 * n + 23_950),
      moneyIn: pounds(100_000 * n + 50),
      refunded: pounds(23_900),
      mrr: pounds(239_000 + n),
      newPayers: 2,
      payers: 10 + n,
    }),
    afterFees: null,
    leftOut: n === 2 ? [{ pence: 4_900, currency: 'usd' }] : [],
  }));
}

/** Builds a running bulk retry. */
export function buildBulkRetry(changes: Partial<BulkRetry> = {}): BulkRetry {
  return {
    id: buildId(),
    operator: 'admin',
    filter: {},
    total: 12,
    sent: 0,
    failed: 0,
    waiting: 12,
    notRetried: 0,
    createdAt: AT,
    stoppedAt: null,
    finishedAt: null,
    ...changes,
  };
}

const NO_END = {
  trialEndsAt: null,
  cancellationFeedback: null,
  cancelAt: null,
  endedAt: null,
};

/** Builds a subscription that pays monthly. */
export function buildSubscription(changes: Partial<LeadSubscription> = {}): LeadSubscription {
  return {
    stripeSubscriptionId: 'sub_1',
    email: 'priya@northgate.example',
    readers: [],
    stage: 'paying',
    plan: 'monthly',
    coupon: null,
    amountPence: 23_900,
    currency: 'gbp',
    invoices: [
      {
        id: 'in_1',
        number: 'ABC-0002',
        status: 'paid',
        totalPence: 23_900,
        paidPence: 23_900,
        refundedPence: 0,
        currency: 'gbp',
        issuedAt: '2025-12-03T09:00:00.000Z',
        paidAt: '2025-12-03T09:00:00.000Z',
        dispute: null,
      },
    ],
    openDispute: null,
    totals: [{ currency: 'gbp', paidPence: 23_900, refundedPence: 0, heldPence: 0 }],
    unsettled: null,
    other: null,
    ...NO_END,
    startedAt: '2025-11-26T09:00:00.000Z',
    firstPaidAt: '2025-12-03T09:00:00.000Z',
    periodEndsAt: '2026-01-03T09:00:00.000Z',
    paymentAttempts: 0,
    nextPaymentAttemptAt: null,
    decline: null,
    isCollectionPaused: false,
    unreadParts: [],
    dashboardUrl: 'https://dashboard.stripe.com/test/subscriptions/sub_1',
    customerUrl: 'https://dashboard.stripe.com/test/customers/cus_1',
    ...changes,
  };
}
