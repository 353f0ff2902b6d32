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
 * What a list says of somebody's subscription: its stage, or that it has an open dispute or runs without payment, or that the
 * address has access without one.
 */
export const LEAD_STAGES = [
  ...SUBSCRIPTION_STAGES,
  'disputed',
  'unsettled',
  'complimentary',
] as const;
export type LeadStage = (typeof LEAD_STAGES)[number];

/** What the list of leads can be narrowed to: a stage, any subscription, or one that was ever paid for. */
export const STAGE_FILTERS = [...SUBSCRIPTION_STAGES, 'any', 'paid'] as const;
export type StageFilter = (typeof STAGE_FILTERS)[number];

export const PAYER_REMEDIES = [
  'send-lead',
  'correct-address',
  'add-again',
  'set-premium',
  'compare',
  'ask-them',
  'add-address',
  'wait',
] as const;
export type PayerRemedy = (typeof PAYER_REMEDIES)[number];

/** Why somebody who pays does not receive the paid issue, and what puts it right unless the comparison offers more. */
export const NOT_RECEIVING_REASONS = {
  unsubscribed: {
    label: 'Unsubscribed at Beehiiv: only they can subscribe again',
    remedy: 'ask-them',
  },
  rejected: { label: 'Beehiiv rejected the address', remedy: 'correct-address' },
  refused: { label: 'Beehiiv refused the address', remedy: 'correct-address' },
  failed: { label: 'Could not be sent to Beehiiv', remedy: 'send-lead' },
  quarantined: { label: 'Looks automated, so not sent to Beehiiv', remedy: 'send-lead' },
  'no-lead': { label: 'The address cannot be sent to Beehiiv', remedy: 'correct-address' },
  'no-address': {
    label: 'Their customer at Stripe has no address: add one there',
    remedy: 'add-address',
  },
  waiting: { label: 'Not sent to Beehiiv yet. We keep trying', remedy: 'wait' },
  'not-at-beehiiv': { label: 'Not at Beehiiv any more', remedy: 'compare' },
  'not-confirmed': { label: 'Has not confirmed the subscription at Beehiiv', remedy: 'ask-them' },
  'not-premium': { label: 'On the free list at Beehiiv', remedy: 'wait' },
} as const satisfies Record<string, { label: string; remedy: PayerRemedy }>;
export type NotReceivingReason = keyof typeof NOT_RECEIVING_REASONS;

export const UNSETTLED_REASONS = {
  'dispute-lost': 'A dispute was lost',
  refunded: 'The latest payment was refunded',
  'no-retries': 'Stripe will not try to charge again',
} as const;
export type UnsettledReason = keyof typeof UNSETTLED_REASONS;
