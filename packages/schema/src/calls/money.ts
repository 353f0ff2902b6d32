import { z } from 'zod';
import { NOT_RECEIVING_REASONS, PAYER_REMEDIES, SUBSCRIPTION_STAGES } from '../money.ts';
import type { NotReceivingReason } from '../money.ts';
import { withoutUnstorable } from '../text.ts';
import type { Call, CallName } from './call.ts';
import { count, instant, pence } from './request-parts.ts';
import { BILLING_INTERVALS } from '../offer.ts';
import { leadFilterQuery } from './lead-filter.ts';
import { subscriptionParams } from './subscriptions.ts';

export const notReceivingPayer = z.object({
  /** Who should receive it. Null for a customer without an address. */
  email: z.string().nullable(),
  stripeSubscriptionId: z.string(),
  leadId: z.uuid().nullable(),
  /** For the remedies of the comparison, as in `GET /api/admin/differences`. */
  differenceId: count.nullable(),
  reason: z.enum(Object.keys(NOT_RECEIVING_REASONS) as NotReceivingReason[]),
  remedy: z.enum(PAYER_REMEDIES),
  since: instant,
});

/** `GET /api/admin/money`: the state of subscriptions. */
export const moneyAnswer = z.object({
  stages: z.record(z.enum(SUBSCRIPTION_STAGES), count),
  /** What those who make the MRR pay for a period, the most MRR first, and the whole of it. */
  prices: z.array(z.object({ plan: z.enum(BILLING_INTERVALS), price: pence, count, pence })),
  mrr: z.object({ count, pence }),
  /** Stripe's dashboard, where every id of this answer can be opened. */
  dashboardUrl: z.url(),
});
export type MoneyAnswer = z.infer<typeof moneyAnswer>;

const refundParams = z.object({
  id: z
    .string()
    .regex(/^(?:re|pyr)_[\w-]{1,200}$/)
    .describe('The refund’s id at Stripe'),
});
const parkedParams = z.object({
  id: z.string().max(200).transform(withoutUnstorable).describe('The event’s id'),
});

const reviewed = {
  answers: { 204: { description: 'Reviewed, now or before' } },
  problems: ['not-found'],
} satisfies Partial<Call>;

export const moneyCalls = {
  'GET /api/admin/money': {
    id: 'readMoney',
    summary: 'Subscriptions by stage, and what makes the MRR',
    description: 'Amounts in pence.',
    answers: { 200: { description: 'As they are now', schema: moneyAnswer } },
  },
  'GET /api/admin/money/abandoned-checkouts': {
    id: 'countAbandoned',
    summary: 'How many leads of a filter abandoned their checkout',
    description: 'The filter’s status is ignored.',
    query: leadFilterQuery,
    answers: {
      200: {
        description: 'At most one more than 1,000',
        schema: z.object({
          /** `MAX_ABANDONED` plus one means that there are more. */
          count,
        }),
      },
    },
  },
  'POST /api/admin/money/not-receiving/:id/review': {
    id: 'reviewNotReceiving',
    summary: 'Mark a payer who does not want to read as reviewed',
    description: 'They need attention again once they do not receive for another reason.',
    params: subscriptionParams,
    ...reviewed,
  },
  'POST /api/admin/money/second-subscriptions/:id/review': {
    id: 'reviewSecondSubscription',
    summary: 'Mark two live subscriptions of one email as reviewed',
    description: 'They need attention again once the other one is another.',
    params: subscriptionParams,
    ...reviewed,
  },
  'POST /api/admin/money/subscriptions/:id/review': {
    id: 'reviewSubscription',
    summary: 'Let a subscription continue without payment',
    description:
      'It needs attention again after another lost dispute, full refund or unpaid invoice.',
    params: subscriptionParams,
    ...reviewed,
  },
  'POST /api/admin/money/refunds/:id/review': {
    id: 'reviewRefund',
    summary: 'Mark a failed refund as reviewed',
    params: refundParams,
    ...reviewed,
  },
  'POST /api/admin/money/parked/:id/review': {
    id: 'reviewParkedEvent',
    summary: 'Mark a parked event as reviewed',
    description:
      'It stays parked and is still retried. It needs attention again if it fails in another way.',
    params: parkedParams,
    ...reviewed,
  },
} satisfies Record<CallName, Call>;
