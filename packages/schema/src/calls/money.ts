import { z } from 'zod';
import {
  SHOWN_SUBSCRIPTION_STAGES,
  NOT_RECEIVING_REASONS,
  PAYER_REMEDIES,
  SUBSCRIPTION_STAGES,
} from '../money.ts';
import type { NotReceivingReason } from '../money.ts';
import { withoutUnstorable } from '../text.ts';
import type { Call, CallName } from './call.ts';
import { MONEY_LISTS, MONTH_FIGURES } from './money-figures.ts';
import type { FIGURES, FigureName, MoneyList } from './money-figures.ts';
import { absentWhenEmpty, amount, count, day, instant, ofPayer, pence } from './request-parts.ts';
import { BILLING_INTERVALS } from '../offer.ts';
import { checkoutHindrance } from './subscriptions.ts';

export const notReceivingPayer = z.object({
  /** The receiver. Null for a customer without an email. */
  email: z.string().nullable(),
  leadId: z.uuid().nullable(),
  /** For the remedies of the comparison, as in `GET /api/admin/differences`. */
  differenceId: count.nullable(),
  reason: z.enum(Object.keys(NOT_RECEIVING_REASONS) as NotReceivingReason[]),
  remedy: z.enum(PAYER_REMEDIES),
});

const plan = z.enum(BILLING_INTERVALS);
const sum = amount.extend({ count });

/** `GET /api/admin/money`: the state of subscriptions. */
export const moneyAnswer = z.object({
  stages: z.record(z.enum(SUBSCRIPTION_STAGES), count),
  /** The prices of the subscriptions in the MRR, the most MRR first. */
  prices: z.array(sum.extend({ plan, price: pence })),
  mrr: sum,
  /** Stripe's dashboard, where every id of this answer can be opened. */
  dashboardUrl: z.url(),
});
export type MoneyAnswer = z.infer<typeof moneyAnswer>;

/** Days are inclusive, in London. A period without a start or end is open there. */
export const moneyPeriodQuery = z
  .object({ startDate: absentWhenEmpty(day), endDate: absentWhenEmpty(day) })
  .refine(({ startDate, endDate }) => !startDate || !endDate || startDate <= endDate, {
    error: 'The end date is before the start date',
    path: ['endDate'],
  });
export type MoneyPeriod = z.output<typeof moneyPeriodQuery>;

const SHOWN = { pence: amount.nullable(), count: count.nullable() };

const moneyMonth = z.object({
  /** In London, `YYYY-MM`. */
  month: z.string(),
  ...(Object.fromEntries(MONTH_FIGURES.map(({ name, shows }) => [name, SHOWN[shows]])) as {
    [Name in FigureName]: (typeof SHOWN)[(typeof FIGURES)[Name]['shows']];
  }),
  /** `moneyIn` less Stripe's fees. Null while a payment's fee is not known. */
  afterFees: amount.nullable(),
  /** Income in other currencies, which no figure counts. */
  leftOut: z.array(amount),
});
export type MoneyMonth = z.output<typeof moneyMonth>;

export const ROWS_PER_PAGE = 50;

export const moneyPeopleQuery = moneyPeriodQuery.safeExtend({
  of: z.enum(Object.keys(MONEY_LISTS) as MoneyList[]),
  /** Only payers with this price. */
  plan: absentWhenEmpty(plan),
  price: absentWhenEmpty(z.coerce.number().int().min(0)),
  cursor: absentWhenEmpty(z.string().max(200)),
});

/** `GET /api/admin/money/people`: the rows of a figure or a stage. */
const moneyPeopleAnswer = z.object({
  people: z.array(
    z.object({
      ...ofPayer,
      name: z.string().nullable(),
      stage: z.enum(SHOWN_SUBSCRIPTION_STAGES),
      plan,
      /** The row’s part of the figure. For a stage, the price of a period. */
      amount,
      at: instant.nullable(),
      dashboardUrl: z.url(),
    }),
  ),
  nextCursor: z.string().nullable(),
  /** The sum of the whole list. */
  total: sum,
});
export type MoneyPeopleAnswer = z.infer<typeof moneyPeopleAnswer>;

/**
 * The kinds that can be marked as reviewed, `POST /api/admin/money/{kind}/{id}/review`, because
 * nothing else settles them.
 */
export const REVIEWABLES = [
  'not-receiving',
  'second-subscriptions',
  'subscriptions',
  'parked',
  'refunds',
] as const;
export type Reviewable = (typeof REVIEWABLES)[number];

const attentionItem = z.object({
  id: z.string(),
  kind: z.string(),
  tone: z.enum(['failed', 'pending', 'none']),
  title: z.string(),
  /** The reason and the next step. */
  text: z.string(),
  /** Null for an erased person, or without a person. */
  name: z.string().nullable(),
  email: z.string().nullable(),
  amount: amount.nullable(),
  since: instant.nullable(),
  /** The link to resolve the item, in the console or at Stripe, and its words. */
  href: z.string().nullable(),
  action: z.string().nullable(),
  /** The second link of an item about two subscriptions. */
  other: z.object({ href: z.string(), action: z.string() }).nullable(),
  review: z.object({ kind: z.enum(REVIEWABLES), id: z.string() }).nullable(),
});
export type AttentionItem = z.input<typeof attentionItem>;

/** The most items of a kind that are listed. */
export const MAX_ATTENTION = 50;

/** The most abandoned checkouts of a period that are read. */
export const MAX_ABANDONED_LISTED = 500;

/**
 * `GET /api/admin/checkouts/abandoned`: the period's checkouts that were abandoned or not opened,
 * or that are open and unpaid, only the newest for each person.
 */
const abandonedCheckoutsAnswer = z.object({
  people: z.array(
    z.object({
      id: z.uuid(),
      /** Null for a checkout that was not opened. */
      stripeCheckoutSessionId: z.string().nullable(),
      hindrance: checkoutHindrance,
      /** Opened within 24 hours, and not paid. It counts in no figure of abandoned checkouts. */
      isOpen: z.boolean(),
      leadId: z.uuid().nullable(),
      email: z.string().nullable(),
      name: z.string().nullable(),
      phone: z.string().nullable(),
      startedAt: instant,
      /** The days of their other checkouts. */
      before: z.array(instant),
      /** The checkout's plan. Null if it was opened before plans were stored. */
      plan: z.enum(BILLING_INTERVALS).nullable(),
      pence: pence.nullable(),
      /** The visit's origin. Null without a lead. */
      channel: z.string().nullable(),
      /** The time of the consent to email. Null without consent. */
      agreedAt: instant.nullable(),
      recoveryUrl: z.string().nullable(),
      recoveryEndsAt: instant.nullable(),
      contactedAt: instant.nullable(),
    }),
  ),
  isCapped: z.boolean(),
});
export type AbandonedCheckoutsAnswer = z.infer<typeof abandonedCheckoutsAnswer>;

/** The most people in Call today. */
export const MAX_CALLS = 100;
/** The days for which somebody who could not pay is listed. A visitor who did not pay: one day. */
export const CALL_DAYS = 7;

/** `GET /api/admin/money/calls`: whom to call today, the newest first. */
const callsAnswer = z.object({
  people: z.array(
    z.object({
      /** The checkout or subscription that a contact is noted at. */
      id: z.uuid(),
      kind: z.enum(['unpaid', 'hindered', 'payment-failed', 'not-receiving']),
      /** Why to call. */
      text: z.string(),
      since: instant,
      leadId: z.uuid().nullable(),
      name: z.string().nullable(),
      email: z.string().nullable(),
      phone: z.string().nullable(),
      plan: z.enum(BILLING_INTERVALS).nullable(),
      /** The price of a period. Null if it is not known in pounds. */
      pence: pence.nullable(),
      /** The unpaid invoice, whose page at Stripe takes the payment. */
      invoiceId: z.string().nullable(),
    }),
  ),
  isCapped: z.boolean(),
});
export type CallsAnswer = z.infer<typeof callsAnswer>;

const callParams = z.object({ id: z.uuid().describe('The id of a checkout or subscription') });

const reviewParams = z.object({
  kind: z.enum(REVIEWABLES).describe('The kind of the item'),
  id: z.string().max(200).transform(withoutUnstorable).describe('Its id, at Stripe'),
});

export const moneyCalls = {
  'GET /api/admin/attention': {
    id: 'listAttention',
    isForViewer: true,
    summary: 'What needs attention',
    answers: {
      200: {
        description:
          `People first, the worst kind first, at most ${MAX_ATTENTION} of each kind. The count ` +
          'is of all',
        schema: z.object({ items: z.array(attentionItem), count }),
      },
    },
  },
  'GET /api/admin/money': {
    id: 'readMoney',
    isForViewer: true,
    summary: 'Subscriptions by stage, and the prices in the MRR',
    answers: { 200: { schema: moneyAnswer } },
  },
  'GET /api/admin/money/history': {
    id: 'readMoneyHistory',
    isForViewer: true,
    summary: 'The figures of each month, the oldest first',
    description: 'Months in London. An unknown figure of a month is null.',
    query: z.object({ months: z.coerce.number().int().min(1).max(60).default(12) }),
    answers: {
      200: {
        /** The first month with a record. Null if this month is the first. */
        schema: z.object({ months: z.array(moneyMonth), since: z.string().nullable() }),
      },
    },
  },
  'GET /api/admin/money/people': {
    id: 'listMoneyPeople',
    isForViewer: true,
    summary: 'The rows of a figure or a stage',
    description: 'Days are inclusive, in London. An erased person is a row without a name.',
    query: moneyPeopleQuery,
    answers: { 200: { schema: moneyPeopleAnswer } },
  },
  'GET /api/admin/money/payments.csv': {
    id: 'exportPayments',
    summary: 'Payments, refunds and disputes as CSV',
    description:
      'For the accounts: one row each, the oldest first, and one for a refund that failed. ' +
      'Days are inclusive, in London.',
    query: moneyPeriodQuery,
    answers: {
      200: {
        description: 'UTF-8 with a byte-order mark, RFC 4180',
        contentType: 'text/csv',
      },
    },
  },
  'POST /api/admin/money/:kind/:id/review': {
    id: 'reviewItem',
    summary: 'Mark an item that needs attention as reviewed',
    description:
      'For items that nothing else settles. A reviewed item returns only with news: another ' +
      'reason, second subscription, dispute, refund, unpaid invoice or failure.',
    params: reviewParams,
    answers: { 204: { description: 'Reviewed, now or before' } },
    problems: ['not-found'],
  },
  'DELETE /api/admin/money/:kind/:id/review': {
    id: 'undoReview',
    summary: 'Take a review back',
    description: 'What the last review covered needs attention again, if it still holds.',
    params: reviewParams,
    answers: { 204: { description: 'Not reviewed' } },
    problems: ['not-found'],
  },
  'GET /api/admin/checkouts/abandoned': {
    id: 'listAbandonedCheckouts',
    isForViewer: true,
    summary: 'Checkouts that were abandoned, not opened or are open by person, the newest first',
    query: moneyPeriodQuery,
    answers: {
      200: {
        description: `Of at most ${MAX_ABANDONED_LISTED} checkouts`,
        schema: abandonedCheckoutsAnswer,
      },
    },
  },
  'GET /api/admin/money/calls': {
    id: 'listCalls',
    isForViewer: true,
    summary: 'Whom to call today, the newest first',
    description:
      'People with an email or a phone who did not pay, could not pay, whose payment failed, or ' +
      'who pay and do not receive. Without those contacted since.',
    answers: { 200: { description: `At most ${MAX_CALLS}`, schema: callsAnswer } },
  },
  'POST /api/admin/money/calls/:id/contacted': {
    id: 'markContacted',
    summary: 'Note that somebody was contacted about a checkout or a subscription',
    description: 'Nothing is sent. Repeating it does no harm.',
    params: callParams,
    answers: { 204: {} },
    problems: ['not-found'],
  },
  'DELETE /api/admin/money/calls/:id/contacted': {
    id: 'undoContacted',
    summary: 'Remove the note that somebody was contacted',
    params: callParams,
    answers: { 204: {} },
    problems: ['not-found'],
  },
} satisfies Record<CallName, Call>;
