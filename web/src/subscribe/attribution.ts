// A visitor's origin: the campaigns of this visit and of the first. Next: begin-checkout.ts sends
// it with the lead.
import { hasOutsideOrigin, readVisitOrigin } from '@site/schema/attribution';
import type { VisitOrigin } from '@site/schema/attribution';
import { hasConsent, onConsentChange } from '../analytics/consent.ts';
import { newId } from '../new-id.ts';
import { saveAttribution, readSavedAttribution } from '../analytics/saved-attribution.ts';
import type { FirstVisit, Visit } from '../analytics/saved-attribution.ts';

/** The source of this visit and of the first visit. */
export type Attribution = VisitOrigin & {
  firstPage: string;
  firstUtm: VisitOrigin['visitUtm'];
  sessionId: string;
  gaClientId?: string;
};

let arrival: Attribution | undefined;

/**
 * Records the first page of a visit. Call it once, before anything changes the URL. It stays in
 * memory until the visitor accepts cookies. Then it is stored on the device and joined with earlier
 * visits.
 */
export function noteArrival(page: { url: string; referrer: string }, now: Date): void {
  const origin = readVisitOrigin(page);
  arrival = {
    ...origin,
    firstPage: origin.landingPage,
    firstUtm: origin.visitUtm,
    sessionId: newId(),
  };
  const joinAndSave = () => {
    if (!arrival || !hasConsent()) return;
    arrival = joinSaved(arrival, readSavedAttribution(now));
    const { firstPage, firstUtm, ...visit } = arrival;
    saveAttribution({ first: { page: firstPage, utm: firstUtm }, visit }, now);
  };
  joinAndSave();
  onConsentChange(joinAndSave);
}

/** Returns this visitor's origin, or undefined before `noteArrival`. */
export function currentAttribution(): Attribution | undefined {
  if (!arrival || !hasConsent()) return arrival;
  const gaClientId = readGaClientId(document.cookie);
  return gaClientId === undefined ? arrival : { ...arrival, gaClientId };
}

/**
 * Joins this arrival with the saved visits. A saved first visit always applies. The tab's current
 * visit applies unless another site or a campaign started a new visit. Pure.
 */
function joinSaved(now: Attribution, saved: { first?: FirstVisit; visit?: Visit }): Attribution {
  const { first, visit } = saved;
  const joined = visit && !hasOutsideOrigin(now) ? { ...now, ...visit } : now;
  return first ? { ...joined, firstPage: first.page, firstUtm: first.utm } : joined;
}

/**
 * Reads the client id from Google Analytics' cookie: `123.456` in `GA1.1.123.456`. Returns
 * undefined without a cookie.
 */
function readGaClientId(cookies: string): string | undefined {
  return /(?:^|;\s*)_ga=GA\d\.\d+\.(\d+\.\d+)(?:;|$)/.exec(cookies)?.[1];
}
