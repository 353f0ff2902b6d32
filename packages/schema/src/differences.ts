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

/** The maximum number of each kind that is listed. */
export const MAX_DIFFERENCES = 200;
