import { z } from 'zod';
import { SUBSCRIPTION_STAGES } from '../money.ts';
import { BILLING_INTERVALS } from '../offer.ts';
import type { Call, CallName } from './call.ts';
import { absentWhenEmpty, day, instant } from './request-parts.ts';

const count = z.number().int();
const pence = z.number().int();

/** Days are inclusive, in London. Without one, the period is open at that end. */
const period = z
  .object({ startDate: absentWhenEmpty(day), endDate: absentWhenEmpty(day) })
  .refine(({ startDate, endDate }) => !startDate || !endDate || startDate <= endDate, {
    error: 'The end date is before the start date',
    path: ['endDate'],
  });

export const moneyPeriodQuery = period;
export type MoneyPeriod = z.output<typeof moneyPeriodQuery>;

/** The figures of the money view and the overview, each of certain subscriptions. */
export const MONEY_FIGURES = [
  'mrr',
  'paused',
  'trials-ending',
  'expected',
  'paid',
  'churned',
  'refunded',
  'new-payers',
  'cancelled',
  'trials-due',
  'renewals-due',
] as const;
export type MoneyFigure = (typeof MONEY_FIGURES)[number];

/** What a list of people can be about: a figure, or a stage. */
export const MONEY_PEOPLE = [...MONEY_FIGURES, ...SUBSCRIPTION_STAGES] as const;
export type MoneyPeople = (typeof MONEY_PEOPLE)[number];

/** How many entries a figure has, and their sum. */
const figure = z.object({ count, pence });

/** As many sources of revenue are listed, the largest first. */
export const MAX_SOURCES = 100;

/** `GET /api/admin/money/figures`. Amounts in pence, VAT included, and in pounds alone. Churn, refunds and revenue are of the period. */
export const moneyFiguresAnswer = z.object({
  /** Monthly recurring revenue by Stripe's definition, and the subscriptions that make it. */
  mrr: figure,
  /** Subscriptions whose collection is paused at Stripe, and what they would add to the MRR. */
  paused: figure,
  /** Trials that end in the next seven days, and what they pay then unless they cancel. */
  trialsEnding: figure,
  /** Charges of the next 30 days. */
  expected: figure,
  /** Payers whose subscription ended, and the MRR that went with them. */
  churned: figure,
  /** Those who could churn: payers when the period began, and those who first paid in it. */
  payers: z.object({ atStart: count, joined: count }),
  /** Those who paid in the period, and how much. */
  paid: figure,
  refunded: figure,
  /** The VAT within `paid`, and how many payments it is not known of: it is read again from Stripe, 100 a night. */
  vat: z.object({ pence, unknown: count }),
  /** What no figure adds up: the period's payments in other currencies, and live subscriptions whose price is not in pounds. */
  leftOut: z.object({
    currencies: z.array(z.object({ currency: z.string(), paidPence: pence, refundedPence: pence })),
    subscriptions: count,
  }),
  /**
   * By the lead's button and campaign, at most `MAX_SOURCES`. The subscriptions that paid, and the amounts, are of
   * the period; MRR is of now.
   */
  revenue: z.array(
    z.object({
      source: z.string().nullable(),
      campaign: z.string().nullable(),
      subscriptions: count,
      paidPence: pence,
      /** Refunded, or lost in disputes. */
      returnedPence: pence,
      /** The part of it that was lost in disputes, which `refunded` does not count. */
      lostPence: pence,
      monthlyPence: pence,
    }),
  ),
});
export type MoneyFiguresAnswer = z.infer<typeof moneyFiguresAnswer>;

export const PEOPLE_PER_PAGE = 50;

const sourcePart = absentWhenEmpty(z.string().max(2_048, 'At most 2,048 characters'));

/** `GET /api/admin/money/people`: who a figure or a stage is about, of any source, or of one as in the figures' `revenue`. */
export const moneyPeopleQuery = period
  .safeExtend({
    of: z.enum(MONEY_PEOPLE),
    /** The lead's source and campaign, exactly. */
    source: sourcePart,
    campaign: sourcePart,
    /** Only those without a source, a campaign, or both: `source,campaign`. */
    without: absentWhenEmpty(z.enum(['source', 'campaign', 'source,campaign'])),
    /** The `nextCursor` of the page before. */
    cursor: absentWhenEmpty(z.string().max(200)),
  })
  .refine(
    ({ source, campaign, without = '' }) =>
      !(source && without.includes('source')) && !(campaign && without.includes('campaign')),
    {
      error: 'The same cannot be asked for and left out',
      path: ['without'],
    },
  );

export type MoneySource = Pick<z.output<typeof moneyPeopleQuery>, 'source' | 'campaign' | 'without'>;

export const moneyPeopleAnswer = z.object({
  people: z.array(
    z.object({
      stripeSubscriptionId: z.string(),
      /** Null for someone who was erased. */
      email: z.string().nullable(),
      name: z.string().nullable(),
      leadId: z.uuid().nullable(),
      stage: z.enum(SUBSCRIPTION_STAGES),
      plan: z.enum(BILLING_INTERVALS),
      /** This entry's part of the figure. For a stage, the price of a period. */
      pence,
      /** When it happened, or will. */
      at: instant.nullable(),
      dashboardUrl: z.url(),
    }),
  ),
  nextCursor: z.string().nullable(),
  /** What the whole list adds up to, on its first page. Of the payers of all sources, the figures say it. */
  total: figure.nullable(),
});
export type MoneyPeopleAnswer = z.infer<typeof moneyPeopleAnswer>;

export const moneyFigureCalls = {
  'GET /api/admin/money/figures': {
    id: 'readMoneyFigures',
    summary: 'MRR, trials, payments, churn, refunds, expected charges, and revenue by source',
    description: 'Amounts in pence. Days are inclusive, in London. MRR and churn follow Stripe’s definitions.',
    query: moneyPeriodQuery,
    answers: { 200: { description: 'The figures', schema: moneyFiguresAnswer } },
  },
  'GET /api/admin/money/people': {
    id: 'listMoneyPeople',
    summary: 'Who a figure or a stage is about',
    query: moneyPeopleQuery,
    answers: { 200: { description: 'A page of subscriptions', schema: moneyPeopleAnswer } },
  },
} satisfies Record<CallName, Call>;
