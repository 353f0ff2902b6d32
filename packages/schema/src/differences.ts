import { z } from 'zod';

/*
 * Where the three records disagree: who pays (Stripe), who receives (Beehiiv), who asked (our leads). Found by the
 * nightly comparison and by `npm run reconcile`.
 */

/** Most important first. */
export const DIFFERENCE_KINDS = [
  'pays-not-active',
  'pays-twice',
  'premium-not-paying',
  'missing-there',
  'invalid',
  'unsubscribed',
  'unknown-here',
] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

/** What puts a difference right. Null: only a person can decide. */
export const REMEDIES = ['add-again', 'set-premium', 'set-free'] as const;
export type Remedy = (typeof REMEDIES)[number];

/** Those that are safe for many at once. Premium that nobody pays for may be a gift, so it is taken away one by one. */
export const BULK_REMEDIES = ['add-again', 'set-premium'] as const satisfies Remedy[];

/** As many of each kind are listed, and put right at once. */
export const MOST_DIFFERENCES = 200;

export const difference = z.object({
  id: z.number().int(),
  kind: z.enum(DIFFERENCE_KINDS),
  email: z.string(),
  stripeSubscriptionId: z.string().optional(),
  /** When the subscription began. */
  subscribedAt: z.iso.datetime().optional(),
  leadId: z.uuid().optional(),
  /** When Beehiiv accepted the lead. */
  sentAt: z.iso.datetime().optional(),
  /** Beehiiv's word; absent if Beehiiv does not have them. */
  subscriberStatus: z.string().optional(),
  remedy: z.enum(REMEDIES).nullable(),
  /** An operator has asked for the remedy, and the worker has not finished it. */
  isRequested: z.boolean(),
});
export type Difference = z.infer<typeof difference>;

/**
 * `GET /api/admin/differences`: at most 200 of each kind, and how many there are. A person who pays and is not active is in
 * that kind only.
 */
export const differencesAnswer = z.object({
  /** When the comparison started that found them. Null before the first. */
  comparedAt: z.iso.datetime().nullable(),
  /** How many subscribers the comparison in progress has read. Null if none is in progress or asked for. */
  subscribersRead: z.number().int().nullable(),
  /** Why the last comparison could not be finished. */
  fault: z.string().nullable(),
  differences: z.array(difference),
  counts: z.partialRecord(z.enum(DIFFERENCE_KINDS), z.number().int()),
  /** How many people they are about: one person may have differences of several kinds. */
  people: z.number().int(),
});
export type DifferencesAnswer = z.infer<typeof differencesAnswer>;

/** `POST /api/admin/differences/remedies`. Differences without a bulk remedy are left as they are. */
export const remediesBody = z.object({
  ids: z.array(z.number().int().positive().max(Number.MAX_SAFE_INTEGER)).min(1).max(MOST_DIFFERENCES),
});
/** How many of them a worker now puts right. */
export const remediesAnswer = z.object({ requested: z.number().int() });
