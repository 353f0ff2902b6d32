/**
 * Every business constant of the product, once. Pages, API, Stripe set-up and tests read them here;
 * whatever can be computed from them is computed below and never typed again.
 */
export const OFFER = {
  productName: 'Liquidation Ledger',
  currency: 'gbp',
  launchPricePence: 23_900,
  standardPricePence: 29_900,
  /** First day of the standard price, as a calendar date in London. */
  priceRisesOn: '2026-01-01',
  trialDays: 7,
  guaranteeDays: 30,
  refundBusinessDays: '3-5',
  monthlyDiscountPercent: 15,
  annualDiscountPercent: 25,
  opportunitiesPerIssue: '5-8',
  /** The issue printed on the landing page; numbers and dates of all others follow from it. */
  sampleIssue: { number: 247, publishedOn: '2025-12-02', newLeads: 15 },
  /** What analytics records for a purchase, whatever was bought. */
  conversion: { value: 239, currency: 'GBP' },
  supportEmail: 'support@liquidationledger.example',
} as const;

export const OFFER_PHASES = ['launch', 'standard'] as const;
export type OfferPhase = (typeof OFFER_PHASES)[number];

export const UPSELL_PLANS = ['monthly15', 'annual25'] as const;
export type UpsellPlan = (typeof UPSELL_PLANS)[number];

export const BILLING_INTERVALS = ['monthly', 'annual'] as const;
export type BillingInterval = (typeof BILLING_INTERVALS)[number];

/** What an upsell plan is made of: how often it bills, and the coupon that lowers it for life. */
export const UPSELLS: Record<UpsellPlan, { interval: BillingInterval; percentOff: number }> = {
  monthly15: { interval: 'monthly', percentOff: OFFER.monthlyDiscountPercent },
  annual25: { interval: 'annual', percentOff: OFFER.annualDiscountPercent },
};

/** The phase's monthly price, in pence. */
export function monthlyPricePence(phase: OfferPhase): number {
  return phase === 'launch' ? OFFER.launchPricePence : OFFER.standardPricePence;
}

/** The phase's price for one billing interval before any discount, in pence. A year is twelve months. */
export function listPricePence(phase: OfferPhase, interval: BillingInterval): number {
  return monthlyPricePence(phase) * (interval === 'annual' ? 12 : 1);
}

/** Price of an upsell plan for one of its billing intervals, in pence, after its discount. */
export function upsellPricePence(phase: OfferPhase, plan: UpsellPlan): number {
  const { interval, percentOff } = UPSELLS[plan];
  return Math.round((listPricePence(phase, interval) * (100 - percentOff)) / 100);
}

/** What a subscriber at the launch price saves in a year against the standard price, in pence. */
export function launchSavingPerYearPence(): number {
  return (OFFER.standardPricePence - OFFER.launchPricePence) * 12;
}

/** Stripe's lookup key of a price: `{phase}_{interval}`. */
export function priceLookupKey(phase: OfferPhase, interval: BillingInterval): string {
  return `${phase}_${interval}`;
}

/** `£239`, `£203.15`, `£2,151`: pence only where there are any, unless `exact` asks for both digits. */
export function formatPence(pence: number, exact = false): string {
  const digits = exact || pence % 100 !== 0 ? 2 : 0;
  return new Intl.NumberFormat('en-GB', {
    style: 'currency',
    currency: OFFER.currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(pence / 100);
}

/**
 * True when the offer still claims a future price rise although its date has come: an urgency claim
 * that is no longer true. Both arguments are London calendar dates, `YYYY-MM-DD`.
 */
export function isUrgencyClaimStale(phase: OfferPhase, risesOn: string, today: string): boolean {
  return phase === 'launch' && today >= risesOn;
}
