import { CONSENT_LINKS, CONSENT_TEXTS, findConsentVersion } from '@site/schema/consent';
import { siteSettings } from '../site-settings.ts';

/** Returns the version of the consent sentence on this page. */
export const shownConsentVersion = () => findConsentVersion(siteSettings());

/** Renders the consent sentence, word for word as its version, with links to the owner's pages. */
export function ConsentText() {
  const { privacyUrl, termsUrl } = siteSettings();
  const links = new Map([
    [CONSENT_LINKS.privacy, privacyUrl],
    [CONSENT_LINKS.terms, termsUrl],
  ]);
  const parts = CONSENT_TEXTS[shownConsentVersion()].split(
    new RegExp(`\\b(${[...links.keys()].join('|')})\\b`, 'u'),
  );
  return (
    <p className="note">
      {parts.map((part) => {
        const url = links.get(part);
        return url ? (
          <a key={part} href={url} target="_blank" rel="noopener">
            {part}
          </a>
        ) : (
          part
        );
      })}
    </p>
  );
}
