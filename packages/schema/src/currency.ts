import { OFFER } from './offer.ts';

/** Stripe counts these in hundredths, although they have none. */
const IN_HUNDREDTHS = ['ISK', 'UGX'];

const formatOf = (currency: string | null) =>
  new Intl.NumberFormat('en-GB', { style: 'currency', currency: currency ?? OFFER.currency });

/** Returns how many decimals Stripe's integer amounts of a currency have: 2 for pounds, 0 for yen. */
export function decimalsOf(currency: string): number {
  if (IN_HUNDREDTHS.includes(currency.toUpperCase())) return 2;
  return formatOf(currency).resolvedOptions().maximumFractionDigits ?? 2;
}

/** `£239.00`, `US$299.00`, `JP¥3,000`. Null: pounds. */
export function formatMoney(amount: number, currency: string | null): string {
  return formatOf(currency).format(amount / 10 ** decimalsOf(currency ?? OFFER.currency));
}
