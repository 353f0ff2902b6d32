import { z } from 'zod';
import type { Call, CallName } from './call.ts';
import { moneyPeriodQuery } from './money-figures.ts';
import { currency, instant } from './request-parts.ts';

const count = z.number().int();
const pence = z.number().int();
const figure = z.object({ count, pence });

/** Failed cards that wait are listed up to this many. */
export const MAX_WAITING = 100;

/** `GET /api/admin/money/outcomes`: in pounds. Failed cards that wait are those of now, in any currency. */
export const moneyOutcomes = z.object({
  /** Why people cancelled, in Stripe's words, such as `too_expensive`. Null: they gave no reason. */
  reasons: z.array(z.object({ reason: z.string().nullable(), count })),
  /** Trials that ended, and those of them that have paid since. */
  trials: z.object({ ended: count, becamePayers: count }),
  /** Charges that failed at first: paid later, lost with their subscription, or waiting. */
  cards: z.object({
    recovered: figure,
    lost: figure,
    waiting: z.array(
      z.object({
        stripeSubscriptionId: z.string(),
        email: z.string().nullable(),
        leadId: z.uuid().nullable(),
        pence,
        currency,
        /** Where the customer can pay: the link to send them. */
        paymentUrl: z.string().nullable(),
        /** Null: Stripe tries no more. */
        nextPaymentAttemptAt: instant.nullable(),
      }),
    ),
  }),
  /** Like `revenue` of the figures, by the source of the visit instead of the button. */
  channels: z.array(
    z.object({
      channel: z.string().nullable(),
      subscriptions: count,
      paidPence: pence,
      returnedPence: pence,
      monthlyPence: pence,
    }),
  ),
});
export type MoneyOutcomes = z.input<typeof moneyOutcomes>;

export const moneyOutcomeCalls = {
  'GET /api/admin/money/outcomes': {
    id: 'readMoneyOutcomes',
    summary: 'Reasons for cancelling, how trials and failed cards ended, and money by channel',
    description: 'Amounts in pence. Days are inclusive, in London.',
    query: moneyPeriodQuery,
    answers: { 200: { description: 'The outcomes', schema: moneyOutcomes } },
  },
  'GET /api/admin/money/payments.csv': {
    id: 'exportPayments',
    summary: 'Payments, refunds and lost disputes as CSV',
    description:
      'For the accounts: one row each, the oldest first, and one for a refund that failed. Days are inclusive, in London.',
    query: moneyPeriodQuery,
    answers: {
      200: {
        description: 'UTF-8 with a byte-order mark, RFC 4180',
        contentType: 'text/csv',
        headers: { 'Content-Disposition': 'A file name with the period' },
      },
    },
  },
} satisfies Record<CallName, Call>;
