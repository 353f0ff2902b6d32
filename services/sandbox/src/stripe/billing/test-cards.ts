/** Stripe's own test card numbers, as far as this stand-in tells them apart. */
export const TEST_CARDS = {
  '4242424242424242': { outcome: 'succeeds', note: 'Succeeds' },
  '4000000000000341': { outcome: 'fails later', note: 'Succeeds now; the first real charge fails' },
  '4000000000000259': { outcome: 'disputed', note: 'Succeeds; every charge is disputed' },
  '4000000000000002': { outcome: 'declined', note: 'Declined' },
} as const;
export type TestCardNumber = keyof typeof TEST_CARDS;
export type CardOutcome = (typeof TEST_CARDS)[TestCardNumber]['outcome'];

/** Stripe's own names of ready-made test cards, which attach to a customer as if they were typed. */
export const TEST_METHODS: Record<string, TestCardNumber> = {
  pm_card_visa: '4242424242424242',
  pm_card_chargeCustomerFail: '4000000000000341',
  pm_card_createDispute: '4000000000000259',
};

/** What a card number does, or null for one that is no test card. Blanks and hyphens do not matter. */
export function readCard(typed: string): { number: TestCardNumber; outcome: CardOutcome } | null {
  const number = typed.replaceAll(/[\s-]/g, '');
  return isTestCard(number) ? { number, outcome: TEST_CARDS[number].outcome } : null;
}

/** What a stored card does, told by its last digits: no two test cards share them. */
export function outcomeOf(last4: string): CardOutcome {
  const found = Object.entries(TEST_CARDS).find(([number]) => number.endsWith(last4));
  return found ? found[1].outcome : 'declined';
}

function isTestCard(number: string): number is TestCardNumber {
  return Object.hasOwn(TEST_CARDS, number);
}
