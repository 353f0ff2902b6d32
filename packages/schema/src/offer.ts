/**
 * Every business constant of the product, for pages, API, Stripe set-up and tests. Derived values
 * are calculated below, never typed in elsewhere.
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
  /** The issue shown on the landing page. All other issue numbers and dates follow from it. */
  sampleIssue: { number: 247, publishedOn: '2025-12-02', newLeads: 15 },
  /** The value that analytics records for any purchase. */
  conversion: { value: 239, currency: 'GBP' },
  supportEmail: 'support@liquidationledger.example',
} as const;

export const OFFER_PHASES = ['launch', 'standard'] as const;
export type OfferPhase = (typeof OFFER_PHASES)[number];

export const UPSELL_PLANS = ['monthly15', 'annual25'] as const;
export type UpsellPlan = (typeof UPSELL_PLANS)[number];

export const BILLING_INTERVALS = ['monthly', 'annual'] as const;
export type BillingInterval = (typeof BILLING_INTERVALS)[number];

/** Each upsell plan's billing interval and its lifetime coupon. */
export const UPSELLS: Record<UpsellPlan, { interval: BillingInterval; percentOff: number }> = {
  monthly15: { interval: 'monthly', percentOff: OFFER.monthlyDiscountPercent },
  annual25: { interval: 'annual', percentOff: OFFER.annualDiscountPercent },
};

/** The plans that a checkout sells: at the list price, or with an upsell's discount. */
export const ORDERED_PLANS = [...BILLING_INTERVALS, ...UPSELL_PLANS] as const;
export type OrderedPlan = (typeof ORDERED_PLANS)[number];

/** Returns the billing interval of an order. */
export const intervalOf = (plan: OrderedPlan): BillingInterval =>
  plan === 'monthly' || plan === 'annual' ? plan : UPSELLS[plan].interval;

/** Returns an order's price for one billing interval, in pence. */
export const orderPricePence = (phase: OfferPhase, plan: OrderedPlan): number =>
  plan === 'monthly' || plan === 'annual'
    ? listPricePence(phase, plan)
    : upsellPricePence(phase, plan);

/** Returns the phase's monthly price, in pence. */
export function monthlyPricePence(phase: OfferPhase): number {
  return phase === 'launch' ? OFFER.launchPricePence : OFFER.standardPricePence;
}

/**
 * Returns the phase's price for one billing interval before discounts, in pence. A year is twelve
 * months.
 */
export function listPricePence(phase: OfferPhase, interval: BillingInterval): number {
  return monthlyPricePence(phase) * (interval === 'annual' ? 12 : 1);
}

/** Returns an upsell plan's discounted price for one billing interval, in pence. */
export function upsellPricePence(phase: OfferPhase, plan: UpsellPlan): number {
  const { interval, percentOff } = UPSELLS[plan];
  return Math.round((listPricePence(phase, interval) * (100 - percentOff)) / 100);
}

/** Returns the yearly saving of the launch price against the standard price, in pence. */
export function launchSavingPerYearPence(): number {
  return (OFFER.standardPricePence - OFFER.launchPricePence) * 12;
}

/** Returns a price's lookup key at Stripe: `{phase}_{interval}`. */
export function priceLookupKey(phase: OfferPhase, interval: BillingInterval): string {
  return `${phase}_${interval}`;
}

/**
 * Formats pence: `£239`, `£203.15`, `£2,151`. Shows pence only if there are any, or if `exact`.
 * Avoids `Intl`, like `londonClock`.
 */
export function formatPence(pence: number, exact = false): string {
  const digits = exact || pence % 100 !== 0 ? 2 : 0;
  const pounds = (Math.abs(pence) / 100).toFixed(digits).replaceAll(/\B(?=(?:\d{3})+(?!\d))/g, ',');
  return `${pence < 0 ? '-' : ''}£${pounds}`;
}

/**
 * Returns true if the launch price outlives the announced day of its rise. Both days are London
 * calendar dates, `YYYY-MM-DD`.
 */
export function isUrgencyClaimStale(phase: OfferPhase, risesOn: string, today: string): boolean {
  return phase === 'launch' && today >= risesOn;
}

/**
 * Adds the sample page as the source to Stripe's URL. Keeps its `#fragment`, which Stripe needs.
 */
export function withSampleSource(checkoutUrl: string): string {
  const url = new URL(checkoutUrl);
  url.searchParams.set('utm_source', 'sample');
  url.searchParams.set('utm_medium', 'page');
  url.searchParams.set('utm_campaign', 'upsell');
  return url.href;
}
