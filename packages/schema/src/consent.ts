import { OFFER } from './offer.ts';

const AGREED =
  `By continuing you agree that ${OFFER.productName} may email you the weekly issue and news ` +
  'about it. Every email has an unsubscribe link.';

/** The words that link to the owner's pages. */
export const CONSENT_LINKS = { privacy: 'privacy notice', terms: 'terms' };

/**
 * Every wording of the consent sentence, by version. Append only: each lead stores its version as
 * evidence.
 */
export const CONSENT_TEXTS = {
  '2025-12': AGREED,
  '2026-11-privacy': `${AGREED} Read our ${CONSENT_LINKS.privacy}.`,
  '2026-11-terms': `${AGREED} Read our ${CONSENT_LINKS.terms}.`,
  '2026-11': `${AGREED} Read our ${CONSENT_LINKS.privacy} and our ${CONSENT_LINKS.terms}.`,
} as const;

export type ConsentVersion = keyof typeof CONSENT_TEXTS;

/** The wording without links, and the default for a lead that names none. */
export const CURRENT_CONSENT_VERSION: ConsentVersion = '2025-12';

/** Returns the version with a link to each of the owner's pages that exists. */
export function findConsentVersion(pages: {
  privacyUrl: string | null;
  termsUrl: string | null;
}): ConsentVersion {
  if (pages.privacyUrl === null)
    return pages.termsUrl === null ? CURRENT_CONSENT_VERSION : '2026-11-terms';
  return pages.termsUrl === null ? '2026-11-privacy' : '2026-11';
}

/** Returns the text of a version, or null for an unknown version. */
export function wordingOf(version: string | null): string | null {
  return version !== null && Object.hasOwn(CONSENT_TEXTS, version)
    ? CONSENT_TEXTS[version as ConsentVersion]
    : null;
}
