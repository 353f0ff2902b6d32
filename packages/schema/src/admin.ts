import { z } from 'zod';
import { BEEHIIV_STATUSES, emailField, FORM_TYPES } from './lead.ts';
import { lead } from './stored-lead.ts';
import { leadCheckout, leadSubscription, STAGE_FILTERS, LEAD_STAGES } from './money.ts';
import { subscriberCounts } from './subscriber-counts.ts';
import { withoutUnstorable } from './text.ts';

/** In a query string, an empty value means no filter, like a missing name. */
export const absentWhenEmpty = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => {
    const text = typeof value === 'string' ? withoutUnstorable(value) : value;
    return text === '' ? undefined : text;
  }, schema.optional());

const DAY_WORDS = 'Must be a date, YYYY-MM-DD';
/** Postgres has no year 0. */
export const day = z.iso.date({ error: DAY_WORDS }).refine((text) => text >= '0001', { error: DAY_WORDS });

/** The states the console shows, each with the Beehiiv statuses it covers. */
export const SUBSCRIBER_STATES = {
  confirmed: ['active'],
  awaiting: ['pending'],
  checking: ['validating'],
  rejected: ['invalid'],
  unsubscribed: ['inactive'],
} as const;
export type SubscriberState = keyof typeof SUBSCRIBER_STATES;
const SUBSCRIBER_STATE_NAMES = [
  'confirmed',
  'awaiting',
  'checking',
  'rejected',
  'unsubscribed',
] as const satisfies SubscriberState[];

const CHECKOUT_FILTERS = ['abandoned'] as const;

/**
 * What the list can be narrowed to. Quarantined leads, and those whose address was corrected, are `failed` in the
 * database and in the counters; as filters, the three exclude each other.
 */
export const LEAD_STATUS_FILTERS = [...BEEHIIV_STATUSES, 'quarantined', 'corrected'] as const;
export type LeadStatusFilter = (typeof LEAD_STATUS_FILTERS)[number];

/** The filter shared by the list, counters, charts, CSV and retry runs. Days are inclusive London days. */
export const leadFilterQuery = z
  .object({
    formType: absentWhenEmpty(z.enum(FORM_TYPES, { error: `Must be one of ${FORM_TYPES.join(', ')}` })),
    startDate: absentWhenEmpty(day),
    endDate: absentWhenEmpty(day),
    status: absentWhenEmpty(z.enum(LEAD_STATUS_FILTERS, { error: `Must be one of ${LEAD_STATUS_FILTERS.join(', ')}` })),
    subscriber: absentWhenEmpty(
      z.enum(SUBSCRIBER_STATE_NAMES, { error: `Must be one of ${SUBSCRIBER_STATE_NAMES.join(', ')}` }),
    ),
    /** Matches the lead's source exactly. */
    source: absentWhenEmpty(z.string().max(2_048, 'At most 2,048 characters')),
    /** Leads without a source. */
    without: absentWhenEmpty(z.enum(['source'], { error: 'Must be source' })),
    /** Leads with an abandoned checkout and no completed one. */
    checkout: absentWhenEmpty(z.enum(CHECKOUT_FILTERS, { error: `Must be one of ${CHECKOUT_FILTERS.join(', ')}` })),
    /** Leads with a subscription at this stage, with any, or with one that was ever paid for. */
    stage: absentWhenEmpty(z.enum(STAGE_FILTERS, { error: `Must be one of ${STAGE_FILTERS.join(', ')}` })),
    /** Leads with an attempt that failed with exactly this message. */
    error: absentWhenEmpty(z.string().max(1_000, 'At most 1,000 characters')),
    /** Leads that a bulk retry took. */
    retryRun: absentWhenEmpty(z.uuid('Must be the id of a bulk retry')),
    search: absentWhenEmpty(z.string().trim().max(200, 'At most 200 characters')),
  })
  .superRefine(({ startDate, endDate }, ctx) => {
    if (startDate && endDate && startDate > endDate) {
      ctx.addIssue({ code: 'custom', path: ['endDate'], message: 'The end date is before the start date' });
    }
  });
export type LeadFilter = z.output<typeof leadFilterQuery>;

const LEAD_SORTS = ['newest', 'oldest'] as const;
export const LEADS_PER_PAGE = 50;

/** `GET /api/admin/leads`: the filter, an order and a cursor. */
export const leadListQuery = leadFilterQuery.safeExtend({
  sort: absentWhenEmpty(z.enum(LEAD_SORTS, { error: `Must be one of ${LEAD_SORTS.join(', ')}` })),
  cursor: absentWhenEmpty(z.string().max(200)),
});
export type LeadListQuery = z.output<typeof leadListQuery>;

const count = z.number().int();
export const leadCounts = z.object({ total: count, preSample: count, preBuy: count, beehiivSent: count });
export type LeadCounts = z.infer<typeof leadCounts>;

/** The filter's leads by status, each in one of them. The filter's own status is ignored. */
export const statusCounts = z.object({
  pending: count,
  sent: count,
  failed: count,
  quarantined: count,
  corrected: count,
});
export type StatusCounts = z.infer<typeof statusCounts>;

/** A search counts the rows themselves, up to this many. */
export const MOST_COUNTED = 10_000;

/** The counters follow every filter except the status, which narrows only the list. */
export const leadCountsAnswer = z.object({
  counts: leadCounts,
  statusCounts,
  subscribers: subscriberCounts,
  /** True if more than `MOST_COUNTED` match. The figures then cover that many, and are a lower bound. */
  isCapped: z.boolean(),
  /** Leads newer than `topCursor`, at most 1,000. */
  newer: z.number().int(),
});
export type LeadCountsAnswer = z.infer<typeof leadCountsAnswer>;

/** `GET /api/admin/leads/counts`: the filter, and the `topCursor` of the list on screen. */
export const leadCountsQuery = leadFilterQuery.safeExtend({ newerThan: absentWhenEmpty(z.string().max(200)) });

/** A longer list of ids would not fit into an address. */
export const MOST_EXPORTED_IDS = 200;

/** `GET /api/admin/leads/export/csv`: the filter, or a selection as ids joined by commas. */
export const leadExportQuery = leadFilterQuery.safeExtend({
  ids: absentWhenEmpty(
    z
      .string()
      .transform((text) => text.split(','))
      .pipe(z.array(z.uuid()).max(MOST_EXPORTED_IDS, `At most ${MOST_EXPORTED_IDS} leads`)),
  ),
});
export type LeadExportQuery = z.output<typeof leadExportQuery>;

export const leadListAnswer = leadCountsAnswer.omit({ newer: true }).extend({
  leads: z.array(lead),
  /** By lead, the stage of its newest subscription, or that it has complimentary access without a running one. */
  stages: z.record(z.uuid(), z.enum(LEAD_STAGES)),
  /** When those of them end that are cancelled, by lead. */
  endings: z.record(z.uuid(), z.iso.datetime()),
  nextCursor: z.string().nullable(),
  /** The cursor of the first lead, for counting newer ones later. Null for an empty list. */
  topCursor: z.string().nullable(),
});
export type LeadListAnswer = z.infer<typeof leadListAnswer>;

const ATTEMPT_KINDS = ['push', 'probe', 'repair', 'tier'] as const;
export const ATTEMPT_CLASSES = [
  'accepted',
  'permanent',
  'configuration',
  'transient',
  'rate-limited',
  'unknown',
] as const;
export type AttemptClass = (typeof ATTEMPT_CLASSES)[number];

/** One attempt at Beehiiv. `class` is null while its outcome is unknown. */
export const syncAttempt = z.object({
  id: z.uuid(),
  kind: z.enum(ATTEMPT_KINDS),
  round: z.number().int(),
  number: z.number().int(),
  startedAt: z.iso.datetime(),
  tookMs: z.number().int().nullable(),
  httpStatus: z.number().int().nullable(),
  class: z.enum(ATTEMPT_CLASSES).nullable(),
  message: z.string().nullable(),
});
export type SyncAttempt = z.infer<typeof syncAttempt>;

/** What the drawer shows of another lead. */
export const leadMention = lead.pick({ id: true, email: true, formType: true, submittedAt: true, beehiivStatus: true });
export type LeadMention = z.infer<typeof leadMention>;

export const HISTORY_KINDS = [
  'unsubscribe',
  'form',
  'checkout',
  'subscribed',
  'invoice',
  'refund',
  'dispute',
  'ended',
  'tier',
  'action',
] as const;

/** What happened to a person besides the attempts of one lead. */
export const historyEntry = z.object({
  at: z.iso.datetime(),
  kind: z.enum(HISTORY_KINDS),
  /** The other lead of a form, or Stripe's id. */
  subject: z.string().nullable(),
  /**
   * The form type, checkout state, plan, tier, action, or the status of an invoice, refund, dispute or unsubscribing. Two
   * actions have variants: `correct-paid` and `cancel-now`.
   */
  detail: z.string(),
  amountPence: z.number().int().nullable(),
  /** Who did an action. */
  operator: z.string().nullable(),
  /** Until when an action gave complimentary access. */
  until: z.iso.datetime().nullable(),
});
export type HistoryEntry = z.infer<typeof historyEntry>;

export const leadDetailAnswer = z.object({
  lead,
  /** The browser's name, as in `Firefox on Windows`. */
  browser: z.string().nullable(),
  attempts: z.array(syncAttempt),
  /** Everything else about the person, oldest first, at most the latest 200 entries. */
  history: z.array(historyEntry),
  /** The lead that corrects this one's mistyped address. */
  correctedTo: leadMention.nullable(),
  correctedFrom: leadMention.nullable(),
  /** Other leads of the same address, newest first, at most 20. */
  others: z.array(leadMention),
  /** Newest first, like subscriptions. */
  checkouts: z.array(leadCheckout),
  subscriptions: z.array(leadSubscription),
  /** The paid issue without payment, for the lead's address. */
  complimentary: z.object({ until: z.iso.datetime(), isOver: z.boolean(), grantedBy: z.string() }).nullable(),
});
export type LeadDetailAnswer = z.infer<typeof leadDetailAnswer>;

const leadIds = z.array(z.uuid()).min(1, 'Name at least one lead').max(1_000, 'At most 1,000 leads');

/** Which failed leads a bulk retry takes: a filter's, a selection, or those of the latest failures in a row. */
export const retryFilter = leadFilterQuery.safeExtend({
  ids: leadIds.optional(),
  failedInRefusalPause: z.boolean().optional(),
});
export type RetryFilter = z.output<typeof retryFilter>;

/** `POST /api/admin/leads/retry`: named leads at once, or all that match as a bulk retry. */
export const leadRetryBody = z
  .object({
    ids: leadIds.optional(),
    filter: retryFilter.optional(),
    /** Only returns how many there are and how long the retry would take. */
    dryRun: z.boolean().optional(),
    /** Include quarantined leads. */
    withQuarantined: z.boolean().optional(),
  })
  .refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), {
    error: 'Name either ids or a filter',
    path: ['ids'],
  });
export type LeadRetryBody = z.input<typeof leadRetryBody>;

/** `POST /api/admin/leads/{id}/correct`: the correct address. */
export const leadCorrectionBody = z.object({ email: emailField });
export const leadCorrectionAnswer = z.object({ id: z.uuid() });

/** How many leads will be retried. The others were already sent, were corrected or do not exist. */
export const leadRetryAnswer = z.object({ retried: z.number().int(), skipped: z.number().int() });
export type LeadRetryAnswer = z.infer<typeof leadRetryAnswer>;

/** `GET /api/admin/sync`: how the sync is doing, for the health strip. */
export const syncHealthAnswer = z.object({
  pending: z.number().int(),
  oldestPendingAt: z.iso.datetime().nullable(),
  pause: z
    .object({ reason: z.string(), setting: z.string(), since: z.iso.datetime(), nextProbeAt: z.iso.datetime() })
    .nullable(),
  /** Beehiiv fails for every lead. All wait, and none is lost. */
  outage: z.object({ since: z.iso.datetime(), nextAttemptAt: z.iso.datetime().nullable() }).nullable(),
  lastAcceptedAt: z.iso.datetime().nullable(),
  /** Runs in the last minute, and the workers' limit of requests a minute. Null without a limit or before the first run. */
  rate: z.object({ lastMinute: z.number().int(), allowed: z.number().int().nullable() }),
  lastError: z.object({ at: z.iso.datetime(), leadId: z.uuid(), message: z.string() }).nullable(),
  /** When Beehiiv's list was last compared: no stored status is older. Null before the first comparison. */
  statusesAsOf: z.iso.datetime().nullable(),
  /** Our custom fields that the publication lacks. */
  missingFields: z.array(z.string()),
  /** Leads failed by the latest failures in a row, which one wrong setting may have caused. */
  failedInRefusalPause: z.object({ count: z.number().int(), since: z.iso.datetime() }).nullable(),
});
export type SyncHealthAnswer = z.infer<typeof syncHealthAnswer>;

export const loginBody = z.object({
  username: z.string().min(1, 'Required').max(200),
  password: z.string().min(1, 'Required').max(1_000),
  /** Of the authenticator app, or a recovery code. For an operator with a second factor only. */
  code: z.string().max(40).optional(),
});
export type LoginBody = z.infer<typeof loginBody>;

/** `mustSetUpSecondFactor` is present while the operator may only do that. */
export const operatorAnswer = z.object({ username: z.string(), mustSetUpSecondFactor: z.literal(true).optional() });
export type OperatorAnswer = z.infer<typeof operatorAnswer>;
