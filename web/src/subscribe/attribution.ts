import type { LeadIntakeRequest } from '@site/schema/lead';
import { newId } from '../new-id.ts';

type Campaign = NonNullable<LeadIntakeRequest['visitUtm']>;

/** Where a visitor came from. Only the browser knows it, and it stays in memory. */
export type Attribution = {
  landingPage: string;
  firstPage: string;
  referrer?: string;
  visitUtm: Campaign;
  firstUtm: Campaign;
  gclid?: string;
  fbclid?: string;
  ttclid?: string;
  sessionId: string;
};

const CLICK_IDS = ['gclid', 'fbclid', 'ttclid'] as const;
const CAMPAIGN_PARTS = ['source', 'medium', 'campaign', 'term', 'content'] as const;
/** Parts of our own addresses that say nothing about where someone came from, or say too much. */
const OWN_PARAMETERS = ['email', 'checkout', 'session_id'];

let arrival: Attribution | undefined;

/** Notes the page a visit began with. Call it once, before anything changes the address. */
export function noteArrival(page: { url: string; referrer: string }): void {
  arrival ??= readAttribution(page, newId());
}

/** Where this visitor came from, if the arrival was noted. */
export function currentAttribution(): Attribution | undefined {
  return arrival;
}

/** The attribution in a page's address and referrer. Stripe and our own pages are never a referrer. Pure. */
export function readAttribution({ url, referrer }: { url: string; referrer: string }, sessionId: string): Attribution {
  const address = new URL(url);
  const query = new URLSearchParams(address.search);
  const visitUtm = readCampaign(query);
  const landing = new URL(address);
  landing.hash = '';
  for (const name of OWN_PARAMETERS) landing.searchParams.delete(name);

  const attribution: Attribution = {
    landingPage: landing.href,
    // Nothing is kept between visits, so this visit is the first that is known of.
    firstPage: landing.href,
    visitUtm,
    firstUtm: visitUtm,
    sessionId,
  };
  if (isOutside(referrer, address)) attribution.referrer = referrer;
  for (const name of CLICK_IDS) {
    const id = query.get(name);
    if (id) attribution[name] = id;
  }
  return attribution;
}

function readCampaign(query: URLSearchParams): Campaign {
  const campaign: Campaign = {};
  for (const part of CAMPAIGN_PARTS) {
    const value = query.get(`utm_${part}`);
    if (value) campaign[part] = value;
  }
  return campaign;
}

function isOutside(referrer: string, own: URL): boolean {
  if (!URL.canParse(referrer)) return false;
  const { host, hostname } = new URL(referrer);
  return host !== own.host && hostname !== 'stripe.com' && !hostname.endsWith('.stripe.com');
}
