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

export const difference = z.object({
  id: z.number().int(),
  kind: z.enum(DIFFERENCE_KINDS),
  email: z.string(),
  stripeSubscriptionId: z.string().optional(),
  leadId: z.uuid().optional(),
  /** Beehiiv's word; absent if Beehiiv does not have them. */
  subscriberStatus: z.string().optional(),
  remedy: z.enum(REMEDIES).nullable(),
  /** An operator has asked for the remedy, and the worker has not finished it. */
  isRequested: z.boolean(),
});
export type Difference = z.infer<typeof difference>;

/** `GET /api/admin/differences`: at most 200 of each kind, and how many there are. */
export const differencesAnswer = z.object({
  /** When the comparison started that found them. Null before the first. */
  comparedAt: z.iso.datetime().nullable(),
  /** How many subscribers the comparison in progress has read. Null if none is in progress or asked for. */
  subscribersRead: z.number().int().nullable(),
  /** Why the last comparison could not be finished. */
  fault: z.string().nullable(),
  differences: z.array(difference),
  counts: z.partialRecord(z.enum(DIFFERENCE_KINDS), z.number().int()),
});
export type DifferencesAnswer = z.infer<typeof differencesAnswer>;
