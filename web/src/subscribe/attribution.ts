import { hasOutsideOrigin, readVisitOrigin } from '@site/schema/attribution';
import type { VisitOrigin } from '@site/schema/attribution';
import { hasConsent, onConsentChange } from '../analytics/consent.ts';
import { newId } from '../new-id.ts';
import { readGaClientId } from './ga-client-id.ts';
import { saveAttribution, readSavedAttribution } from './saved-attribution.ts';
import type { FirstVisit, Visit } from './saved-attribution.ts';

/** Where a visitor came from, this time and the first time. Only the browser knows it. */
export type Attribution = VisitOrigin & {
  firstPage: string;
  firstUtm: VisitOrigin['visitUtm'];
  sessionId: string;
  gaClientId?: string;
};

let arrival: Attribution | undefined;

/**
 * Notes the page a visit began with. Call it once, before anything changes the address. It stays in memory;
 * once this visitor agrees it is also kept on the device, and what was kept before is read again.
 */
export function noteArrival(page: { url: string; referrer: string }, now: Date): void {
  const origin = readVisitOrigin(page);
  arrival = { ...origin, firstPage: origin.landingPage, firstUtm: origin.visitUtm, sessionId: newId() };
  const settle = () => {
    if (!arrival || !hasConsent()) return;
    arrival = joinKept(arrival, readSavedAttribution(now));
    const { firstPage, firstUtm, ...visit } = arrival;
    saveAttribution({ first: { page: firstPage, utm: firstUtm }, visit }, now);
  };
  settle();
  onConsentChange(settle);
}

/** Where this visitor came from, if the arrival was noted. */
export function currentAttribution(): Attribution | undefined {
  if (!arrival || !hasConsent()) return arrival;
  const gaClientId = readGaClientId(document.cookie);
  return gaClientId === undefined ? arrival : { ...arrival, gaClientId };
}

/**
 * This arrival together with what an earlier one left on the device: the first visit always, and the visit
 * under way unless something outside has started a new one. Pure.
 */
function joinKept(now: Attribution, kept: { first?: FirstVisit; visit?: Visit }): Attribution {
  const { first, visit } = kept;
  const joined = visit && !hasOutsideOrigin(now) ? { ...now, ...visit } : now;
  return first ? { ...joined, firstPage: first.page, firstUtm: first.utm } : joined;
}
