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
