/** Stripe's own test card numbers, as far as this stand-in tells them apart. */
export const TEST_CARDS = {
  '4242424242424242': { outcome: 'succeeds', note: 'Succeeds' },
  '4000000000000341': { outcome: 'fails later', note: 'Succeeds now; the first real charge fails' },
  '4000000000000002': { outcome: 'declined', note: 'Declined' },
} as const;
export type TestCardNumber = keyof typeof TEST_CARDS;
export type CardOutcome = (typeof TEST_CARDS)[TestCardNumber]['outcome'];

/** What a card number does, or null for one that is no test card. Blanks and hyphens do not matter. */
export function readCard(typed: string): { number: TestCardNumber; outcome: CardOutcome } | null {
  const number = typed.replaceAll(/[\s-]/g, '');
  return isTestCard(number) ? { number, outcome: TEST_CARDS[number].outcome } : null;
}

function isTestCard(number: string): number is TestCardNumber {
  return Object.hasOwn(TEST_CARDS, number);
}
