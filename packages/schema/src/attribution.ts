import type { LeadIntakeRequest } from './lead-intake.ts';

type Campaign = NonNullable<LeadIntakeRequest['visitUtm']>;

/** The origin of a visit, from its first page's URL and referrer. */
export type VisitOrigin = {
  landingPage: string;
  referrer?: string;
  visitUtm: Campaign;
} & Partial<Record<(typeof CLICK_IDS)[number], string>>;

const CLICK_IDS = ['gclid', 'fbclid', 'ttclid'] as const;
const CAMPAIGN_PARTS = ['source', 'medium', 'campaign', 'term', 'content'] as const;
/** Our own parameters, which are private or unrelated to the origin. */
const OWN_PARAMETERS = ['email', 'checkout', 'session_id', 'from'];

/**
 * Reads the origin of a visit. Stripe and our own pages are no referrers. Pure. Needs an absolute
 * URL.
 */
export function readVisitOrigin({ url, referrer }: { url: string; referrer: string }): VisitOrigin {
  const visited = new URL(url);
  const origin: VisitOrigin = {
    landingPage: toPublicUrl(visited),
    visitUtm: readCampaign(visited.searchParams),
  };
  if (isOutside(referrer, visited)) origin.referrer = referrer;
  for (const name of CLICK_IDS) {
    const id = visited.searchParams.get(name);
    if (id) origin[name] = id;
  }
  return origin;
}

/** Removes the visitor's email, their checkout and the fragment from one of our URLs. */
export function toPublicUrl(text: string | URL): string {
  const url = new URL(text);
  url.hash = '';
  for (const name of OWN_PARAMETERS) url.searchParams.delete(name);
  return url.href;
}

/** Returns true if a campaign, an advertisement or another site's link brought this visit. */
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
