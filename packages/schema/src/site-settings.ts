import { OFFER } from './offer.ts';
import type { OfferPhase } from './offer.ts';

/** The id of the element that holds a page's settings as JSON. */
export const SITE_SETTINGS_ELEMENT_ID = 'site-settings';

/** The settings of a built page. The API writes them into the HTML when it starts. */
export type SiteSettings = {
  /** The public URL, without a trailing slash. */
  publicUrl: string;
  offerPhase: OfferPhase;
  priceRisesOn: string;
  /** The announcement of the price rise stays after its day. Only for trying the product out. */
  keepsPastRise: boolean;
  supportEmail: string;
  traderName: string;
  traderAddress: string;
  sampleSiteUrl: string;
  /** Stripe's login page to manage or cancel. Null if not set. */
  portalLoginUrl: string | null;
  /** The owner's pages. Null until they exist. */
  contactUrl: string | null;
  privacyUrl: string | null;
  termsUrl: string | null;
  refundUrl: string | null;
  analyticsId: string | null;
  analyticsScriptUrl: string;
  chatWidgetUrl: string | null;
};

export const DEFAULT_SITE_SETTINGS: SiteSettings = {
  publicUrl: 'http://127.0.0.1:8080',
  offerPhase: 'launch',
  priceRisesOn: OFFER.priceRisesOn,
  keepsPastRise: true,
  supportEmail: OFFER.supportEmail,
  traderName: 'Liquidation Ledger (example trader)',
  traderAddress: '1 Example Street, London EC1A 1AA',
  sampleSiteUrl: '/sample-site',
  portalLoginUrl: null,
  contactUrl: null,
  privacyUrl: null,
  termsUrl: null,
  refundUrl: null,
  analyticsId: null,
  analyticsScriptUrl: 'https://www.googletagmanager.com/gtag/js',
  chatWidgetUrl: null,
};

/** Lists the missing settings, in whose place visitors see an example or nothing. */
export function listUnset(site: SiteSettings): string[] {
  const { supportEmail, traderName, traderAddress } = DEFAULT_SITE_SETTINGS;
  const shown = {
    SUPPORT_EMAIL: site.supportEmail !== supportEmail,
    TRADER_NAME: site.traderName !== traderName,
    TRADER_ADDRESS: site.traderAddress !== traderAddress,
    PRIVACY_URL: site.privacyUrl !== null,
    TERMS_URL: site.termsUrl !== null,
  };
  return Object.entries(shown).flatMap(([name, isSet]) => (isSet ? [] : [name]));
}

/**
 * Returns true for the operator's console only. Shared, because the server gives that page its own
 * content security policy and the browser loads no third-party script on it.
 */
export function isConsolePage(pathname: string): boolean {
  return pathname === '/admin-leads' || pathname === '/admin-leads/';
}
