import { OFFER } from './offer.ts';

export const SUBSCRIPTION_STAGES = [
  'trial',
  'paying',
  'ending',
  'dunning',
  'suspended',
  'ended',
  'incomplete',
] as const;

/** A subscription's state in a list: a stage, an open dispute, or unsettled. */
export const SHOWN_SUBSCRIPTION_STAGES = [...SUBSCRIPTION_STAGES, 'disputed', 'unsettled'] as const;
export type ShownStage = (typeof SHOWN_SUBSCRIPTION_STAGES)[number];

/** The list's filters by subscription: a stage, any subscription, or a paid subscription. */
export const STAGE_FILTERS = [...SUBSCRIPTION_STAGES, 'any', 'paid'] as const;
export type StageFilter = (typeof STAGE_FILTERS)[number];

export const PAYER_REMEDIES = [
  'send-lead',
  'correct-email',
  'add-again',
  'set-premium',
  'compare',
  'ask-them',
  'add-email',
  'wait',
] as const;
export type PayerRemedy = (typeof PAYER_REMEDIES)[number];

/**
 * The reasons why a payer does not receive the paid issue, with their remedies. The comparison may
 * offer more.
 */
export const NOT_RECEIVING_REASONS = {
  unsubscribed: {
    label: 'Unsubscribed at Beehiiv: only they can subscribe again',
    remedy: 'ask-them',
  },
  rejected: { label: 'Beehiiv rejected the email', remedy: 'correct-email' },
  refused: { label: 'Beehiiv refused the email', remedy: 'correct-email' },
  failed: { label: 'Could not be sent to Beehiiv', remedy: 'send-lead' },
  quarantined: { label: 'Looks automated, so not sent to Beehiiv', remedy: 'send-lead' },
  'no-lead': { label: 'The email cannot be sent to Beehiiv', remedy: 'correct-email' },
  'no-email': {
    label: 'Their customer at Stripe has no email: add one there',
    remedy: 'add-email',
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

/** Why Stripe did not open a checkout. */
export const CHECKOUT_HINDRANCES = {
  'stripe-away': 'Stripe did not answer',
  'wrong-setting': 'a wrong setting at Stripe',
} as const;
export type CheckoutHindrance = keyof typeof CHECKOUT_HINDRANCES;

/** Stripe counts these in hundredths, although they have no decimals. */
const IN_HUNDREDTHS = ['ISK', 'UGX'];

const formatOf = (currency: string | null) =>
  new Intl.NumberFormat('en-GB', { style: 'currency', currency: currency ?? OFFER.currency });

/** Returns the number of decimals in Stripe's amounts of a currency: 2 for pounds, 0 for yen. */
export function decimalsOf(currency: string): number {
  if (IN_HUNDREDTHS.includes(currency.toUpperCase())) return 2;
  return formatOf(currency).resolvedOptions().maximumFractionDigits ?? 2;
}

/** Formats an amount: `£239.00`, `US$299.00`, `JP¥3,000`. A null currency means pounds. */
export function formatMoney(amount: number, currency: string | null): string {
  return formatOf(currency).format(amount / 10 ** decimalsOf(currency ?? OFFER.currency));
}

/**
 * The name of the funnel's smaller channels, buttons and campaigns. Nothing else has it: channels
 * and campaigns begin with a capital, and buttons are our own.
 */
export const FUNNEL_OTHERS = 'other';
