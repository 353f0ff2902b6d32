import type { LeadIntakeRequest } from './lead-intake.ts';

type Campaign = NonNullable<LeadIntakeRequest['visitUtm']>;

/** Where a visit came from, as its first page's address and referrer tell. */
export type VisitOrigin = {
  landingPage: string;
  referrer?: string;
  visitUtm: Campaign;
  gclid?: string;
  fbclid?: string;
  ttclid?: string;
};

const CLICK_IDS = ['gclid', 'fbclid', 'ttclid'] as const;
const CAMPAIGN_PARTS = ['source', 'medium', 'campaign', 'term', 'content'] as const;
/** Parts of our own addresses that say nothing about where someone came from, or say too much. */
const OWN_PARAMETERS = ['email', 'checkout', 'session_id', 'from'];

/** The origin of a visit. Stripe and our own pages are never a referrer. Pure; the address must be a whole one. */
export function readVisitOrigin({ url, referrer }: { url: string; referrer: string }): VisitOrigin {
  const address = new URL(url);
  const origin: VisitOrigin = { landingPage: toPublicAddress(address), visitUtm: readCampaign(address.searchParams) };
  if (isOutside(referrer, address)) origin.referrer = referrer;
  for (const name of CLICK_IDS) {
    const id = address.searchParams.get(name);
    if (id) origin[name] = id;
  }
  return origin;
}

/** An address of ours without what must not leave it: the visitor's own address, their checkout, any fragment. */
export function toPublicAddress(address: string | URL): string {
  const url = new URL(address);
  url.hash = '';
  for (const name of OWN_PARAMETERS) url.searchParams.delete(name);
  return url.href;
}

/** True where something outside brought this visit: a campaign, an advertisement, or another site's link. */
export function hasOutsideOrigin(origin: VisitOrigin): boolean {
  return (
    origin.referrer !== undefined ||
    Object.keys(origin.visitUtm).length > 0 ||
    CLICK_IDS.some((name) => origin[name] !== undefined)
  );
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
