import { z } from 'zod';
import type { Call, CallName } from './call.ts';
import { amount, count, instant } from './request-parts.ts';

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
  /** The link to settle it, in the console or at Stripe, and its words. */
  href: z.string().nullable(),
  action: z.string().nullable(),
  /** The second link of an item about two subscriptions. */
  other: z.object({ href: z.string(), action: z.string() }).nullable(),
  review: z.object({ kind: z.enum(REVIEWABLES), id: z.string() }).nullable(),
});
export type AttentionItem = z.input<typeof attentionItem>;

export const MAX_ATTENTION = 50;

export const attentionCalls = {
  'GET /api/admin/attention': {
    id: 'listAttention',
    summary: 'What needs attention',
    answers: {
      200: {
        description: `People first, the worst kind first, at most ${MAX_ATTENTION} of them. The count is of all`,
        schema: z.object({ items: z.array(attentionItem), count }),
      },
    },
  },
} satisfies Record<CallName, Call>;
