/** The newest failed charge of a card: Stripe's decline code, the card's brand and last digits. */
export type Decline = { code: string; brand: string | null; last4: string | null };

const REASONS: Record<string, string> = {
  authentication_required: 'the bank asks the customer to confirm',
  card_not_supported: 'the card does not allow this payment',
  card_velocity_exceeded: 'the card’s limit is reached',
  expired_card: 'the card has expired',
  insufficient_funds: 'not enough money in the account',
  lost_card: 'the card was reported lost',
  processing_error: 'the bank could not be reached',
  stolen_card: 'the card was reported stolen',
  withdrawal_count_limit_exceeded: 'the card’s limit is reached',
};
/** Codes with which a bank says nothing. */
const UNSAID = new Set(['card_declined', 'do_not_honor', 'generic_decline', 'no_action_taken']);
const BRANDS: Record<string, string> = { amex: 'American Express', jcb: 'JCB' };

/** Returns `Visa ending 0341: not enough money in the account`. */
export function toDeclineText({ code, brand, last4 }: Decline): string {
  const reason = UNSAID.has(code)
    ? 'the bank gives no reason'
    : (REASONS[code] ?? `the bank says “${code.replaceAll('_', ' ')}”`);
  const name = brand && (BRANDS[brand] ?? brand.slice(0, 1).toUpperCase() + brand.slice(1));
  return `${name ?? 'Card'}${last4 === null ? '' : ` ending ${last4}`}: ${reason}`;
}
