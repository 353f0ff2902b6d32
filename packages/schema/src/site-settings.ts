import { OFFER } from './offer.ts';
import type { OfferPhase } from './offer.ts';

/** The element of a page's HTML that carries its settings as JSON. */
export const SITE_SETTINGS_ELEMENT_ID = 'site-settings';

/** Settings a built page shows: the API fills them into the HTML when it starts. */
export type SiteSettings = {
  offerPhase: OfferPhase;
  priceRisesOn: string;
  supportEmail: string;
  traderName: string;
  traderAddress: string;
  sampleSiteUrl: string;
  /** Stripe's own login to manage or cancel; null where none is set. */
  portalLoginUrl: string | null;
  analyticsId: string | null;
  analyticsScriptUrl: string;
  chatWidgetUrl: string | null;
  /** When the page's HTML was made, so that the browser begins with the very same dates. */
  renderedAt?: string;
};

export const DEFAULT_SITE_SETTINGS: SiteSettings = {
  offerPhase: 'launch',
  priceRisesOn: OFFER.priceRisesOn,
  supportEmail: OFFER.supportEmail,
  traderName: 'Liquidation Ledger (example trader)',
  traderAddress: '1 Example Street, London EC1A 1AA',
  sampleSiteUrl: '/sample-site',
  portalLoginUrl: null,
  analyticsId: null,
  analyticsScriptUrl: 'https://www.googletagmanager.com/gtag/js',
  chatWidgetUrl: null,
};
