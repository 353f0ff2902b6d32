import { z } from 'zod';
import { BILLING_INTERVALS } from '../offer.ts';
import type { Call, CallName } from './call.ts';
import { count, pence } from './request-parts.ts';

/** What a plan or a channel has of a month. MRR, payers and trials are those at its end. */
const part = { mrrPence: pence.nullable(), payers: count, trials: count, churned: count };

/** Channels are listed up to this many. The rest is added up as `other`. */
export const MAX_CHANNELS = 20;

export const moneyMonth = z.object({
  /** In London, `YYYY-MM`. */
  month: z.string(),
  /** At the end of the month, or now. */
  mrrPence: pence.nullable(),
  paidPence: pence.nullable(),
  refundedPence: pence.nullable(),
  lostPence: pence.nullable(),
  /** People who pay, at the end of the month, or now. A change of plan changes neither this nor who is new or cancelled. */
  payers: count.nullable(),
  newPayers: count.nullable(),
  trials: count.nullable(),
  churned: count.nullable(),
  /** Active subscribers of the newsletter who are leads. */
  onList: count.nullable(),
  byPlan: z.array(z.object({ plan: z.enum(BILLING_INTERVALS), ...part })).nullable(),
  /** By the source of the visit, which is null if it is not known. */
  byChannel: z.array(z.object({ channel: z.string().nullable(), ...part })).nullable(),
});
export type MoneyMonth = z.output<typeof moneyMonth>;

export const moneyHistoryCalls = {
  'GET /api/admin/money/history': {
    id: 'readMoneyHistory',
    summary: 'MRR, payers, trials, cancellations and the list, month by month',
    description:
      'Amounts in pence, months in London, the oldest first. What is not known of a month is null.',
    query: z.object({ months: z.coerce.number().int().min(1).max(60).default(12) }),
    answers: {
      200: {
        description: 'The months',
        /** The first month with a record. Null if this month is the first. */
        schema: z.object({ months: z.array(moneyMonth), since: z.string().nullable() }),
      },
    },
  },
} satisfies Record<CallName, Call>;
