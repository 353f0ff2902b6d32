import { z } from 'zod';
import type { Call, CallName } from './call.ts';
import { moneyPeriodQuery } from './money-figures.ts';
import { count, pence } from './request-parts.ts';

const reasons = z.array(z.object({ reason: z.string().nullable(), count }));

/** As many channels and buttons are listed, the largest first. */
export const MAX_SOURCES = 100;
const revenue = z.object({
  /** Null: not known. */
  name: z.string().nullable(),
  paidPence: pence,
  /** Refunded, or lost in disputes. */
  returnedPence: pence,
});

/** `GET /api/admin/money/outcomes`: in pounds. */
export const moneyOutcomes = z.object({
  /** Why the payers of the figure `cancelled` did, in Stripe's words, such as `too_expensive`. Null: they gave no reason. */
  reasons,
  /** The same of trials that were cancelled in the period. */
  trialReasons: reasons,
  /** Trials that ended, and those of them that have paid since. */
  trials: z.object({ ended: count, becamePayers: count }),
  /** What was paid and returned in the period, by the source of the visit and by the button. */
  channels: z.array(revenue),
  buttons: z.array(revenue),
});
export type MoneyOutcomes = z.input<typeof moneyOutcomes>;

export const moneyOutcomeCalls = {
  'GET /api/admin/money/outcomes': {
    id: 'readMoneyOutcomes',
    summary: 'Reasons for cancelling, how trials ended, and money by channel and button',
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
