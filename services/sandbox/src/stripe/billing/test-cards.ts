/** The Stripe test cards that the sandbox supports. */
export const TEST_CARDS = {
  '4242424242424242': { outcome: 'succeeds', note: 'Succeeds' },
  '4000000000000341': { outcome: 'fails later', note: 'Accepted, but the first charge fails' },
  '4000000000000259': { outcome: 'disputed', note: 'Succeeds, and every charge is disputed' },
  '4000000000005126': { outcome: 'refund fails', note: 'Succeeds, but refunds fail an hour later' },
  '4000002500003155': {
    outcome: 'authenticates once',
    note: 'Needs authentication, but not for later charges',
  },
  '4000002760003184': {
    outcome: 'authenticates always',
    note: 'Needs authentication, also for later charges',
  },
  '4000000000003220': {
    outcome: 'authenticates always',
    note: 'Needs authentication by 3-D Secure 2, also for later charges',
  },
  '4000000000000002': { outcome: 'declined', note: 'Declined' },
} as const;
export type TestCardNumber = keyof typeof TEST_CARDS;
export type CardOutcome = (typeof TEST_CARDS)[TestCardNumber]['outcome'];

/** Stripe's test payment methods, which attach to a customer like a typed card. */
export const TEST_METHODS: Record<string, TestCardNumber> = {
  pm_card_visa: '4242424242424242',
  pm_card_chargeDeclined: '4000000000000002',
  pm_card_authenticationRequired: '4000002760003184',
  pm_card_createDispute: '4000000000000259',
};

/** Returns a test card's behaviour, or null for any other number. Ignores spaces and hyphens. */
export function readCard(typed: string): { number: TestCardNumber; outcome: CardOutcome } | null {
  const number = typed.replaceAll(/[\s-]/g, '');
  return isTestCard(number) ? { number, outcome: TEST_CARDS[number].outcome } : null;
}

/** Returns true for a card whose holder must confirm to the bank, for example by phone. */
export function mustAuthenticate(outcome: CardOutcome): boolean {
  return outcome === 'authenticates once' || outcome === 'authenticates always';
}

/**
 * Returns true if a charge succeeds. Later charges happen without the cardholder, who then cannot
 * authenticate.
 */
export function isCharged(outcome: CardOutcome, isAuthenticated: boolean): boolean {
  if (outcome === 'declined' || outcome === 'fails later') return false;
  return isAuthenticated || outcome !== 'authenticates always';
}

/** Returns the bank's reason for a declined charge. */
export const declineCodeOf = (outcome: CardOutcome): string =>
  mustAuthenticate(outcome)
    ? 'authentication_required'
    : outcome === 'fails later'
      ? 'insufficient_funds'
      : 'generic_decline';

/** Returns a stored card's behaviour. No two test cards share their last four digits. */
export function outcomeOf(last4: string): CardOutcome {
  const card = Object.entries(TEST_CARDS).find(([number]) => number.endsWith(last4));
  return card ? card[1].outcome : 'declined';
}

function isTestCard(number: string): number is TestCardNumber {
  return Object.hasOwn(TEST_CARDS, number);
}
