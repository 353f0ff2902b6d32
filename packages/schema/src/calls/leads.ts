import { z } from 'zod';
import { ATTEMPT_CLASSES } from '../beehiiv-answers.ts';
import { emailField } from '../email-field.ts';
import { lead, leadInList } from '../stored-lead.ts';
import type { Call, CallName } from './call.ts';
import { leadFilterQuery } from './lead-filter.ts';
import { absentWhenEmpty, count, currency, instant, leadIds, pence } from './request-parts.ts';
import { freeAccess, leadCheckout, leadSubscription } from './subscriptions.ts';

const LEAD_SORTS = ['newest', 'oldest'] as const;

export const LEADS_PER_PAGE = 50;

const cursor = absentWhenEmpty(z.string().max(200));

/** `GET /api/admin/leads`: the filter, an order and a cursor. */
export const leadListQuery = leadFilterQuery.safeExtend({
  sort: absentWhenEmpty(z.enum(LEAD_SORTS, { error: `Must be one of ${LEAD_SORTS.join(', ')}` })),
  cursor,
  /**
   * The newest lead to list, from `topCursor`. Newer leads are only counted. Ignored for the oldest
   * first.
   */
  upTo: cursor,
});
export type LeadListQuery = z.output<typeof leadListQuery>;

export const leadCounts = z.object({
  total: count,
  preSample: count,
  preBuy: count,
  beehiivSent: count,
});
export type LeadCounts = z.infer<typeof leadCounts>;

/** The filter's leads by status, each counted once. Ignores the filter's own status. */
const statusCounts = z.object({
  pending: count,
  sent: count,
  failed: count,
  quarantined: count,
});

/** The sent leads by their subscriber's state at Beehiiv. */
export const subscriberCounts = z.object({
  confirmed: count,
  awaiting: count,
  checking: count,
  rejected: count,
  unsubscribed: count,
  /** Leads whose subscriber has an unknown status, or none. */
  other: count,
});
export type SubscriberCounts = z.infer<typeof subscriberCounts>;

/** A search counts the rows themselves, up to this many. */
const MAX_COUNTED = 10_000;
/**
 * Leads with an abandoned checkout are counted up to this many. Beyond it, Postgres would compare
 * all checkouts.
 */
const MAX_ABANDONED = 1_000;
export const maxCounted = ({ checkout }: { checkout?: unknown }) =>
  checkout ? MAX_ABANDONED : MAX_COUNTED;

/** A longer list of ids would not fit into a URL. */
export const MAX_EXPORTED_IDS = 200;

/** `GET /api/admin/leads/export/csv`: the filter, or a selection as ids joined by commas. */
export const leadExportQuery = leadFilterQuery.safeExtend({
  ids: absentWhenEmpty(
    z
      .string()
      .transform((text) => text.split(','))
      .pipe(z.array(z.uuid()).max(MAX_EXPORTED_IDS, `At most ${MAX_EXPORTED_IDS} leads`)),
  ),
});
export type LeadExportQuery = z.output<typeof leadExportQuery>;

/** The maximum number of quarantined leads that one call deletes. */
export const MAX_DELETED = 10_000;

const quarantineChoice = z.object({
  ids: leadIds.optional(),
  filter: leadFilterQuery.optional(),
  dryRun: z.boolean().optional(),
});
export type QuarantineChoice = Pick<z.output<typeof quarantineChoice>, 'ids' | 'filter'>;

export const leadListAnswer = z.object({
  /** The counters follow every filter except the status, which narrows only the list. */
  counts: leadCounts,
  statusCounts,
  subscribers: subscriberCounts,
  /**
   * True if more than `maxCounted` leads match. The figures then cover that many, and are lower
   * bounds.
   */
  isCapped: z.boolean(),
  /** Leads newer than `upTo`, at most 1,000. 0 without `upTo`. */
  newer: count,
  leads: z.array(leadInList),
  nextCursor: z.string().nullable(),
  /** The cursor of the first lead, for `upTo`. Null for an empty list. */
  topCursor: z.string().nullable(),
});
export type LeadListAnswer = z.infer<typeof leadListAnswer>;

/** An entry of a person's history. */
export const historyEntry = z.object({
  at: instant,
  kind: z.enum([
    'unsubscribe',
    'form',
    'checkout',
    'subscribed',
    'invoice',
    'refund',
    'dispute',
    'cancelled',
    'ended',
    'tier',
    'status',
    'action',
    'outage',
    'attempt',
  ]),
  /**
   * The lead of a form, a Stripe id, the kind of an attempt, or the former email of a correction or
   * an unsubscription.
   */
  subject: z.string().nullable(),
  /**
   * The form type, checkout state, plan, Beehiiv's answer to a change of tier, status at Beehiiv,
   * action, or kind of outage. For invoices, refunds, disputes and unsubscriptions: the status.
   * For attempts: Beehiiv's answer. Some actions have variants: `send-quarantined`, `cancel-now`
   * and `read-person`.
   */
  detail: z.string(),
  amountPence: pence.nullable(),
  /** Null without an amount. */
  currency: currency.nullable(),
  operator: z.string().nullable(),
  /** The end of free access that an action gave. Null if the access lasts with a subscription. */
  until: instant.nullable(),
  /** The class of an attempt's answer; `final`: refused, and not tried again. */
  outcome: z.enum([...ATTEMPT_CLASSES, 'open', 'final']).nullable(),
});
export type HistoryEntry = z.infer<typeof historyEntry>;

export const leadDetailAnswer = z.object({
  lead,
  /** The visit's origin, as in the overview. */
  channel: z.string(),
  /** The browser's name, as in `Firefox on Windows`. */
  browser: z.string().nullable(),
  /** What happened to the person, oldest first, at most the latest 200 entries. */
  history: z.array(historyEntry),
  /** The email that an operator last corrected. */
  formerEmail: z.string().nullable(),
  /** Newest first, like subscriptions. */
  checkouts: z.array(leadCheckout),
  subscriptions: z.array(leadSubscription),
  /** The paid issue without payment, for the lead's email. */
  freeAccess: freeAccess.nullable(),
});
export type LeadDetailAnswer = z.infer<typeof leadDetailAnswer>;

const perForm = { preSample: count, preBuy: count };

/** Charts read at most this many of the filter's newest leads. */
export const MAX_CHARTED = 10_000;

/** A longer period shows its last days. */
export const MAX_DAYS = 366;

/** `GET /api/admin/charts`: the filter's leads by day and by source. */
export const chartsAnswer = z.object({
  /** Days with leads, at most the last `MAX_DAYS`. */
  days: z.array(z.object({ day: z.iso.date(), ...perForm })),
  /** The largest sources, then the sum of all other sources with a null name. */
  sources: z.array(z.object({ source: z.string().nullable(), isRest: z.boolean(), ...perForm })),
  /** True if `sources` covers only the newest `MAX_CHARTED` leads of the filter. */
  isCapped: z.boolean(),
});
export type ChartsAnswer = z.infer<typeof chartsAnswer>;

const leadParams = z.object({ id: z.uuid().describe('The lead’s id') });

export const leadCalls = {
  'GET /api/admin/leads': {
    id: 'listLeads',
    isForViewer: true,
    summary: 'Leads and counters',
    description:
      'Days are inclusive, in London. The counters follow form type, days and search; a ' +
      'status narrows the list only. Quarantined leads count as failed in `counts`, but are ' +
      'listed and counted by `status=quarantined` and not by `status=failed`.',
    query: leadListQuery,
    answers: { 200: { schema: leadListAnswer } },
  },
  'GET /api/admin/leads/export/csv': {
    id: 'exportLeads',
    summary: 'Leads as CSV',
    description:
      'Every lead of the filter, or those of the ids, newest first, as one consistent ' +
      'snapshot. A download that breaks off is incomplete.',
    query: leadExportQuery,
    answers: {
      200: {
        description: 'UTF-8 with a byte-order mark, RFC 4180',
        contentType: 'text/csv',
      },
    },
  },
  'GET /api/admin/leads/:id': {
    id: 'readLead',
    isForViewer: true,
    summary: 'A lead with its attempts, checkouts and subscriptions',
    params: leadParams,
    answers: { 200: { schema: leadDetailAnswer } },
    problems: ['not-found'],
  },
  'POST /api/admin/leads/delete-quarantined': {
    id: 'deleteQuarantined',
    summary: 'Delete quarantined leads',
    description:
      'Deletes the selected quarantined leads, or those of a filter. Other leads of the same ' +
      'people stay, nothing is asked of Beehiiv, and a lead that was paid for is skipped. ' +
      'With `dryRun` nothing changes.',
    body: quarantineChoice.refine(
      ({ ids, filter }) => (ids === undefined) !== (filter === undefined),
      {
        error: 'Name either ids or a filter',
        path: ['ids'],
      },
    ),
    answers: {
      200: {
        description: `How many were deleted, or would be: at most ${MAX_DELETED} at once`,
        schema: z.object({ count }),
      },
    },
  },
  'POST /api/admin/leads/:id/correct': {
    id: 'correctLead',
    summary: 'Correct a mistyped email',
    description:
      'Moves the lead to the correct email, where it is sent. The person’s other leads of the ' +
      'mistyped email, of the same or no name, move with it, and so does what they paid for, ' +
      'here and at Stripe. Beehiiv unsubscribes the mistyped email.',
    params: leadParams,
    body: z.object({ email: emailField }),
    answers: {
      200: {
        description:
          'The lead, and another person’s subscriptions that the mistyped email still pays for',
        schema: z.object({
          id: z.uuid(),
          stayed: z.array(
            z.object({
              stripeSubscriptionId: z.string(),
              name: z.string().nullable(),
              email: z.string(),
            }),
          ),
        }),
      },
    },
    problems: ['not-found', 'already-corrected', 'already-subscribed', 'stripe-unavailable'],
  },
  'GET /api/admin/charts': {
    id: 'readCharts',
    isForViewer: true,
    summary: 'The figures behind the charts',
    query: leadFilterQuery,
    answers: {
      200: { schema: chartsAnswer },
    },
  },
} satisfies Record<CallName, Call>;
