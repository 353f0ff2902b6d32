import { z } from 'zod';
import { LEAD_STAGES, SUBSCRIPTION_STAGES } from '../money.ts';
import { BILLING_INTERVALS } from '../offer.ts';
import type { Call, CallName } from './call.ts';
import { absentWhenEmpty, count, day, instant, ofPayer, pence } from './request-parts.ts';

/** Days are inclusive, in London. Without one, the period is open at that end. */
export const moneyPeriodQuery = z
  .object({ startDate: absentWhenEmpty(day), endDate: absentWhenEmpty(day) })
  .refine(({ startDate, endDate }) => !startDate || !endDate || startDate <= endDate, {
    error: 'The end date is before the start date',
    path: ['endDate'],
  });
export type MoneyPeriod = z.output<typeof moneyPeriodQuery>;

/** What the console says of a figure, or of a stage. */
export type MoneyLabels = {
  title: string;
  note: string;
  /** The heads of the columns of times and amounts. */
  at: string;
  pence: string;
  /** What is listed, one of it. */
  unit: string;
  empty: string;
};
type FigureDeclaration = MoneyLabels & {
  /** Its rows are those of the period, those from now to the period's end, or those of now. */
  span: 'period' | 'ahead' | 'now';
  /** Where the money view shows it: added to the month's sum, taken off it, expected, or elsewhere. */
  place: 'added' | 'taken' | 'expected' | 'elsewhere';
};

/** Every figure of money, each the rows of one list. What a figure's rows are is in `money-people.ts`. */
export const MONEY_FIGURES = {
  payments: {
    span: 'period',
    place: 'added',
    title: 'Payments',
    note: 'Every payment of the period, before refunds.',
    at: 'Paid',
    pence: 'Amount',
    unit: 'payment',
    empty: 'Nothing was paid in this period.',
  },
  refunded: {
    span: 'period',
    place: 'taken',
    title: 'Refunds',
    note: 'Refunds made in the period, less those that failed in it.',
    at: 'Refunded',
    pence: 'Amount',
    unit: 'refund',
    empty: 'Nothing was refunded in this period.',
  },
  lost: {
    span: 'period',
    place: 'taken',
    title: 'Lost disputes',
    note: 'Disputes lost in the period: the customer has the money back. Less those won in it after all.',
    at: 'Lost',
    pence: 'Amount',
    unit: 'dispute',
    empty: 'No dispute was lost in this period.',
  },
  'renewals-due': {
    span: 'ahead',
    place: 'expected',
    title: 'Renewals',
    note: 'Subscriptions that are charged again by the end of the period, without those that are cancelled or paused.',
    at: 'Due',
    pence: 'Amount',
    unit: 'renewal',
    empty: 'No renewal is due.',
  },
  'trials-due': {
    span: 'ahead',
    place: 'expected',
    title: 'Trials, if all stay',
    note: 'Trials that end by the end of the period and are not cancelled.',
    at: 'Ends',
    pence: 'Pays then',
    unit: 'trial',
    empty: 'No trial ends by then.',
  },
  mrr: {
    span: 'now',
    place: 'elsewhere',
    title: 'Monthly recurring revenue (MRR)',
    note: 'What subscriptions bring in a month, also while Stripe retries a payment. Trials are left out; a yearly payment counts a twelfth. Only a discount that never ends is taken off.',
    at: 'First paid',
    pence: 'A month',
    unit: 'subscription',
    empty: 'Nobody pays yet. A trial counts once it is paid.',
  },
  paused: {
    span: 'now',
    place: 'elsewhere',
    title: 'Collection paused',
    note: 'Subscriptions whose collection was paused in Stripe. They are not in MRR until it is resumed.',
    at: 'First paid',
    pence: 'A month',
    unit: 'subscription',
    empty: 'No subscription’s collection is paused.',
  },
  'new-payers': {
    span: 'period',
    place: 'elsewhere',
    title: 'New payers',
    note: 'People who paid for the first time in the period. A change of plan is not a new payer.',
    at: 'First paid',
    pence: 'A month',
    unit: 'payer',
    empty: 'Nobody paid for the first time in this period.',
  },
  cancelled: {
    span: 'period',
    place: 'elsewhere',
    title: 'Cancellations',
    note: 'Payers whose last subscription ended in the period. A trial that ends unpaid is not a cancellation.',
    at: 'Ended',
    pence: 'MRR lost',
    unit: 'payer',
    empty: 'No payer’s subscription ended in this period.',
  },
  'trials-ended': {
    span: 'period',
    place: 'elsewhere',
    title: 'Trials that ended',
    note: 'Trials whose last day was in the period, also of those who had cancelled. Those who became payers have the date of their first payment.',
    at: 'First paid',
    pence: 'A month',
    unit: 'trial',
    empty: 'No trial ended in this period.',
  },
  'trials-cancelled': {
    span: 'period',
    place: 'elsewhere',
    title: 'Trials cancelled',
    note: 'Subscriptions that were cancelled in the period, before their trial had ended.',
    at: 'Cancelled',
    pence: 'A month',
    unit: 'trial',
    empty: 'No trial was cancelled in this period.',
  },
  'cards-recovered': {
    span: 'period',
    place: 'elsewhere',
    title: 'Failed cards: recovered',
    note: 'Payments of the period that had failed at first.',
    at: 'Paid',
    pence: 'Amount',
    unit: 'payment',
    empty: 'No failed payment was paid in this period.',
  },
  'cards-lost': {
    span: 'period',
    place: 'elsewhere',
    title: 'Failed cards: lost',
    note: 'Subscriptions that ended in the period and whose last invoice was never paid.',
    at: 'Ended',
    pence: 'Not paid',
    unit: 'subscription',
    empty: 'No subscription ended unpaid in this period.',
  },
  'cards-waiting': {
    span: 'now',
    place: 'elsewhere',
    title: 'Failed cards: waiting now',
    note: 'Payments that failed and are still due.',
    at: 'Next attempt',
    pence: 'To pay',
    unit: 'payment',
    empty: 'No failed payment is due.',
  },
} as const satisfies Record<string, FigureDeclaration>;
export type MoneyFigure = keyof typeof MONEY_FIGURES;
export const MONEY_FIGURE_NAMES = Object.keys(MONEY_FIGURES) as MoneyFigure[];

/** What a list of people can be about: a figure, or a stage. */
export const MONEY_PEOPLE = [...MONEY_FIGURE_NAMES, ...SUBSCRIPTION_STAGES] as const;
export type MoneyPeople = (typeof MONEY_PEOPLE)[number];

const figure = z.object({ count, pence });

/** `GET /api/admin/money/figures`. Amounts in pence, VAT included, and in pounds alone. */
export const moneyFiguresAnswer = z.object({
  figures: z.record(z.enum(MONEY_FIGURE_NAMES), figure),
  /** What of the payments has a dispute that is not decided: Stripe holds it. */
  heldPence: pence,
  /** The VAT within the payments, and how many payments it is not known of: it is read again from Stripe, 100 a night. */
  vat: z.object({ pence, unknown: count }),
  /** What no figure adds up: the period's payments in other currencies, and live subscriptions whose price is not in pounds. */
  leftOut: z.object({
    currencies: z.array(z.object({ currency: z.string(), paidPence: pence, refundedPence: pence })),
    subscriptions: count,
  }),
});
export type MoneyFiguresAnswer = z.infer<typeof moneyFiguresAnswer>;

export const PEOPLE_PER_PAGE = 50;

/** `GET /api/admin/money/people`: who a figure or a stage is about. */
export const moneyPeopleQuery = moneyPeriodQuery.safeExtend({
  of: z.enum(MONEY_PEOPLE),
  /** Only those who pay this price for a period. */
  plan: absentWhenEmpty(z.enum(BILLING_INTERVALS)),
  price: absentWhenEmpty(z.coerce.number().int().min(0)),
  cursor: absentWhenEmpty(z.string().max(200)),
});
export type MoneyPrice = Pick<z.output<typeof moneyPeopleQuery>, 'plan' | 'price'>;

export const moneyPeopleAnswer = z.object({
  people: z.array(
    z.object({
      ...ofPayer,
      name: z.string().nullable(),
      stage: z.enum(LEAD_STAGES),
      plan: z.enum(BILLING_INTERVALS),
      /** This entry's part of the figure. For a stage, the price of a period. */
      pence,
      at: instant.nullable(),
      dashboardUrl: z.url(),
    }),
  ),
  nextCursor: z.string().nullable(),
  /** What the whole list adds up to, on its first page. */
  total: figure.nullable(),
});
export type MoneyPeopleAnswer = z.infer<typeof moneyPeopleAnswer>;

export const moneyFigureCalls = {
  'GET /api/admin/money/figures': {
    id: 'readMoneyFigures',
    summary: 'Every figure of money: of a period, from now to its end, or of now',
    description:
      'Amounts in pence. Days are inclusive, in London. MRR and churn follow Stripe’s definitions.',
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
