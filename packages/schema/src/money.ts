export const SUBSCRIPTION_STAGES = [
  'trial',
  'paying',
  'ending',
  'dunning',
  'suspended',
  'ended',
  'incomplete',
] as const;
export type SubscriptionStage = (typeof SUBSCRIPTION_STAGES)[number];

/**
 * What the list of leads says of a lead's subscription: its stage, or that it has an open dispute, or that its address has
 * access without one.
 */
export const LEAD_STAGES = [...SUBSCRIPTION_STAGES, 'disputed', 'complimentary'] as const;
export type LeadStage = (typeof LEAD_STAGES)[number];

/** What the list of leads can be narrowed to: a stage, any subscription, or one that was ever paid for. */
export const STAGE_FILTERS = [...SUBSCRIPTION_STAGES, 'any', 'paid'] as const;
export type StageFilter = (typeof STAGE_FILTERS)[number];

/** Why somebody who pays does not receive the paid issue, and what puts it right: `remedyOf` in the platform's health. */
export const NOT_RECEIVING_REASONS = [
  'unsubscribed',
  'rejected',
  'refused',
  'failed',
  'quarantined',
  'no-lead',
  'waiting',
  'not-at-beehiiv',
  'not-confirmed',
  'not-premium',
] as const;
export type NotReceivingReason = (typeof NOT_RECEIVING_REASONS)[number];

export const PAYER_REMEDIES = [
  'send-lead',
  'correct-address',
  'add-again',
  'set-premium',
  'compare',
  'ask-them',
  'wait',
] as const;
export type PayerRemedy = (typeof PAYER_REMEDIES)[number];

/** The reason in words, for the console and the owner's emails. */
export const NOT_RECEIVING_LABELS: Record<NotReceivingReason, string> = {
  unsubscribed: 'Unsubscribed at Beehiiv: only they can subscribe again',
  rejected: 'Beehiiv rejected the address',
  refused: 'Beehiiv refused the address',
  failed: 'Could not be sent to Beehiiv',
  quarantined: 'Looks automated, so not sent to Beehiiv',
  'no-lead': 'The address cannot be sent to Beehiiv',
  waiting: 'Not sent to Beehiiv yet. We keep trying',
  'not-at-beehiiv': 'Not at Beehiiv any more',
  'not-confirmed': 'Has not confirmed the subscription at Beehiiv',
  'not-premium': 'On the free list at Beehiiv',
};
