import { z } from 'zod';
import { absentWhenEmpty, ATTEMPT_CLASSES, day } from './admin.ts';
import { emailField } from './lead.ts';
import { lead } from './stored-lead.ts';

const instant = z.iso.datetime();
const count = z.number().int();

/** The estimate of a bulk retry. */
export const retryEstimate = z.object({
  count,
  /** How many quarantined leads also match. */
  quarantined: count,
  /** Milliseconds at the current rate, including leads already waiting. Null without a rate limit. */
  estimateMs: z.number().int().nullable(),
  isPaused: z.boolean(),
});
export type RetryEstimate = z.infer<typeof retryEstimate>;

/** A bulk retry and its progress. */
export const retryRun = z.object({
  id: z.uuid(),
  operator: z.string(),
  filter: z.record(z.string(), z.unknown()),
  total: count,
  /** Leads moved from failed to pending. */
  started: count,
  sent: count,
  failed: count,
  /** No longer failed when their turn came. */
  skipped: count,
  /** Returned to failed by Stop. */
  returned: count,
  /** What Beehiiv said to those that failed again, each message once and only a few. Empty while the run is not listed. */
  failures: z.array(z.string()),
  createdAt: instant,
  stoppedAt: instant.nullable(),
  finishedAt: instant.nullable(),
});
export type RetryRun = z.infer<typeof retryRun>;
export const retryRunsAnswer = z.object({ runs: z.array(retryRun) });
export type RetryRunsAnswer = z.infer<typeof retryRunsAnswer>;

/** An event of `GET /api/admin/events`: the current leads, and what else has changed. */
export const liveEvent = z.object({
  leads: z.array(lead),
  /** Ids of deleted leads. */
  gone: z.array(z.uuid()),
  /** True if there may be new leads. The list's counters give the number. */
  hasNew: z.boolean(),
  /** True if too much has changed to list. Reload everything. */
  isReload: z.boolean(),
  hasSyncChanged: z.boolean(),
  haveRunsChanged: z.boolean(),
  hasMoneyChanged: z.boolean(),
});
export type LiveEvent = z.infer<typeof liveEvent>;

const perForm = { preSample: count, preBuy: count };
/** Charts read at most this many of the filter's newest leads. */
export const MOST_CHARTED = 10_000;
/** A longer period shows its last days. */
export const MOST_DAYS = 366;
export const MOST_HOUR_DAYS = 92;
/** Attempts are counted up to this many, the newest first. */
export const MOST_ATTEMPTS = 200_000;

/**
 * `GET /api/admin/charts`: the filter's leads by day and by source, and within its dates the sync's attempts and
 * failures.
 */
export const chartsAnswer = z.object({
  /** Days with leads, at most the last `MOST_DAYS`. */
  days: z.array(z.object({ day: z.iso.date(), ...perForm })),
  /** The largest sources, then the total of all others with a null name. */
  sources: z.array(z.object({ source: z.string().nullable(), isRest: z.boolean(), ...perForm })),
  /** Only the newest `MOST_CHARTED` leads of the filter are in `sources`. */
  isCapped: z.boolean(),
  /** Hours with attempts, in the last `MOST_HOUR_DAYS` days. */
  hours: z.array(z.object({ at: instant, accepted: count, permanent: count, willRetry: count })),
  /** True if there were more than `MOST_ATTEMPTS`. */
  areHoursCapped: z.boolean(),
  /** Failures of the same days, the most frequent first, with how many leads had them and which one was the latest. */
  classes: z.array(
    z.object({
      class: z.enum(ATTEMPT_CLASSES),
      message: z.string(),
      count,
      leads: count,
      lastAt: instant,
      lastLead: z.object({ id: z.uuid(), name: z.string() }),
    }),
  ),
  /** The charted leads, and how many of them began a subscription, and became payers: paid an invoice above zero. */
  funnel: z.object({ leads: count, trials: count, payers: count }),
  /** Milliseconds from the form to Beehiiv's acceptance, over the charted leads. Null without a sent one. */
  delivery: z.object({ medianMs: count, p95Ms: count }).nullable(),
  oldestPending: z.array(lead.pick({ id: true, email: true, submittedAt: true })),
});
export type ChartsAnswer = z.infer<typeof chartsAnswer>;

/** An operator's action. */
export const operatorAction = z.object({
  id: count,
  at: instant,
  operator: z.string().nullable(),
  action: z.string(),
  subject: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()),
  /** The lead that the action was about, if it is still stored. */
  lead: z.object({ id: z.uuid(), name: z.string(), email: z.string() }).nullable(),
});
export type OperatorAction = z.infer<typeof operatorAction>;
/** `GET /api/admin/audit`: actions before one, of one operator, of one kind, of certain days in London, both included. */
export const auditQuery = z.object({
  startDate: absentWhenEmpty(day),
  endDate: absentWhenEmpty(day),
  before: absentWhenEmpty(z.coerce.number().int().positive()),
  operator: absentWhenEmpty(z.string().max(200)),
  action: absentWhenEmpty(z.string().max(40)),
});
export const auditAnswer = z.object({
  actions: z.array(operatorAction),
  nextBefore: count.nullable(),
  /** Everyone with an action on record. */
  operators: z.array(z.string()),
});
export type AuditAnswer = z.infer<typeof auditAnswer>;

/** `POST /api/admin/people/…`: the person's address. */
export const personBody = z.object({ email: emailField });

/** Everything stored about one person, by table. */
export const personExportAnswer = z.object({
  email: z.string(),
  exportedAt: instant,
  consent: z.array(
    z.object({
      leadId: z.uuid(),
      agreed: z.boolean(),
      at: instant.nullable(),
      version: z.string().nullable(),
      wording: z.string().nullable(),
      page: z.string().nullable(),
    }),
  ),
  tables: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
  elsewhere: z.array(z.string()),
});
export type PersonExportAnswer = z.infer<typeof personExportAnswer>;

/** The record of an erasure. */
export const erasureReceipt = z.object({
  id: z.uuid(),
  requestedBy: z.string(),
  requestedAt: instant,
  /** Rows erased here, by table. */
  erased: z.record(z.string(), count),
  /** At Beehiiv: the number of attempts, the last answer, and when the person was deleted there. */
  attempts: count,
  lastMessage: z.string().nullable(),
  nextAttemptAt: instant,
  /** When Beehiiv first had no such subscriber. It is asked once more, at `nextAttemptAt`. */
  deletedAt: instant.nullable(),
  doneAt: instant.nullable(),
  kept: z.string(),
});
export type ErasureReceipt = z.infer<typeof erasureReceipt>;
export const erasuresAnswer = z.object({ erasures: z.array(erasureReceipt) });
export type ErasuresAnswer = z.infer<typeof erasuresAnswer>;
