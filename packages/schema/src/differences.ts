/*
 * The differences between three records: payers (Stripe), readers (Beehiiv) and leads (ours). The
 * nightly comparison and `npm run reconcile` find them.
 */

/** The kinds, most important first. */
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

/** The remedy of a difference. Null: only a person can decide. */
export const REMEDIES = ['add-again', 'set-premium', 'set-free'] as const;
export type Remedy = (typeof REMEDIES)[number];

/**
 * Remedies that are safe for many people at once. Premium without payment may be a gift, so an
 * operator removes it one by one.
 */
export const BULK_REMEDIES = ['add-again', 'set-premium'] as const satisfies Remedy[];

/** The maximum number of each kind that is listed. */
export const MAX_DIFFERENCES = 200;
