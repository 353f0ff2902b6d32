import { z } from 'zod';
import { DIFFERENCE_KINDS, MAX_DIFFERENCES, REMEDIES } from '../differences.ts';
import type { Call, CallName } from './call.ts';
import { count, instant } from './request-parts.ts';

export const difference = z.object({
  id: count,
  kind: z.enum(DIFFERENCE_KINDS),
  email: z.string(),
  stripeSubscriptionId: z.string().optional(),
  subscribedAt: instant.optional(),
  leadId: z.uuid().optional(),
  sentAt: instant.optional(),
  /** Beehiiv's status. Absent if Beehiiv does not have them. */
  subscriberStatus: z.string().optional(),
  remedy: z.enum(REMEDIES).nullable(),
  /** An operator has asked for the remedy, and the worker has not finished it. */
  isRequested: z.boolean(),
});
export type Difference = z.infer<typeof difference>;

/** The differences. An inactive payer has only the kind `pays-not-active`. */
export const differencesAnswer = z.object({
  /** The start of the comparison that found the differences. Null before the first. */
  comparedAt: instant.nullable(),
  /** Subscribers read by the comparison in progress. Null if none is in progress or asked for. */
  subscribersRead: count.nullable(),
  /** The failure of the last comparison, and when the next is due. */
  failure: z.string().nullable(),
  retryAt: instant.nullable(),
  differences: z.array(difference),
  counts: z.partialRecord(z.enum(DIFFERENCE_KINDS), count),
  /** Differences of each kind with a safe remedy that nobody has requested yet. */
  fixable: z.partialRecord(z.enum(DIFFERENCE_KINDS), count),
  /** The number of people: one person may have differences of several kinds. */
  people: count,
});
export type DifferencesAnswer = z.infer<typeof differencesAnswer>;

export const differenceCalls = {
  'GET /api/admin/differences': {
    id: 'listDifferences',
    isForViewer: true,
    summary: 'Where Stripe, Beehiiv and our leads disagree',
    description: 'Found by the last comparison. `remedy` is null where only a person can decide.',
    answers: {
      200: {
        description: `At most ${MAX_DIFFERENCES} of each kind, and how many there are`,
        schema: differencesAnswer,
      },
    },
  },
  'POST /api/admin/differences/compare': {
    id: 'compare',
    summary: 'Compare again',
    description: 'A worker starts within seconds. One comparison runs at a time.',
    answers: { 202: { description: 'Asked for, or in progress' } },
  },
  'POST /api/admin/differences/:id/remedy': {
    id: 'putRight',
    summary: 'Put a difference right',
    description:
      'The worker does it within seconds, unless the sync is paused. Repeating it does no harm.',
    params: z.object({ id: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER) }),
    answers: { 202: { description: 'Asked for, now or before' } },
    problems: ['not-found'],
  },
  'POST /api/admin/differences/remedies': {
    id: 'putAllRight',
    summary: 'Put the differences of a kind right',
    description:
      'Each as `putRight` does, if its remedy is safe for many at once. The others are left ' +
      'as they are.',
    body: z.object({ kind: z.enum(DIFFERENCE_KINDS) }),
    answers: {
      202: {
        schema: z.object({ requested: count }),
      },
    },
  },
} satisfies Record<CallName, Call>;
