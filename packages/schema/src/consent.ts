import { OFFER } from './offer.ts';

/** Every wording of the consent sentence ever shown, by version. Append only: each lead stores its version as evidence. */
export const CONSENT_TEXTS = {
  '2025-12': `By continuing you agree that ${OFFER.productName} may email you the weekly issue and news about it. Every email has an unsubscribe link.`,
} as const;

export type ConsentVersion = keyof typeof CONSENT_TEXTS;

/** The current wording, and the default for a lead that names none. */
export const CURRENT_CONSENT_VERSION: ConsentVersion = '2025-12';
