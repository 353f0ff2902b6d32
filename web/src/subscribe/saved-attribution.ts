import { addDays } from '@site/schema/calendar';
import type { VisitOrigin } from '@site/schema/attribution';
import { readStored, writeStored } from '../stored-text.ts';

export type FirstVisit = { page: string; utm: VisitOrigin['visitUtm'] };
export type Visit = VisitOrigin & { sessionId: string };

const FIRST_KEY = 'firstVisit';
const VISIT_KEY = 'visit';
/** How long a first visit is remembered. */
const KEPT_DAYS = 90;

type Kept = { until: string; value: unknown };

/** What this browser kept of the first visit and of the one under way in this tab. Only with consent is anything kept. */
export function readSavedAttribution(now: Date): { first?: FirstVisit; visit?: Visit } {
  const first = readKept('localStorage', FIRST_KEY, now) as FirstVisit | undefined;
  const visit = readKept('sessionStorage', VISIT_KEY, now) as Visit | undefined;
  return { ...(first && { first }), ...(visit && { visit }) };
}

/** Keeps the first visit for ninety days from when it was, and the visit under way for this tab. Ask for consent first. */
export function saveAttribution({ first, visit }: { first: FirstVisit; visit: Visit }, now: Date): void {
  const until = addDays(now, KEPT_DAYS).toISOString();
  if (!readKept('localStorage', FIRST_KEY, now)) keep('localStorage', FIRST_KEY, { until, value: first });
  keep('sessionStorage', VISIT_KEY, { until, value: visit });
}

/** Forgets both: this visitor took consent back. */
export function dropSavedAttribution(): void {
  writeStored('localStorage', FIRST_KEY, null);
  writeStored('sessionStorage', VISIT_KEY, null);
}

function keep(storage: 'localStorage' | 'sessionStorage', key: string, kept: Kept): void {
  writeStored(storage, key, JSON.stringify(kept));
}

function readKept(storage: 'localStorage' | 'sessionStorage', key: string, now: Date): unknown {
  try {
    const kept = JSON.parse(readStored(storage, key) ?? 'null') as Kept | null;
    if (kept === null || !(Date.parse(kept.until) > now.getTime())) return undefined;
    return kept.value;
  } catch {
    return undefined;
  }
}
