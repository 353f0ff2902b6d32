import { addDays } from '@site/schema/calendar';
import type { VisitOrigin } from '@site/schema/attribution';
import { readStored, writeStored } from '../stored-text.ts';

export type FirstVisit = { page: string; utm: VisitOrigin['visitUtm'] };
export type Visit = VisitOrigin & { sessionId: string };

const FIRST_KEY = 'firstVisit';
const VISIT_KEY = 'visit';
const FIRST_VISIT_DAYS = 90;

type Saved = { until: string; value: unknown };

/** Reads the first visit and this tab's current visit. Both are stored only with consent. */
export function readSavedAttribution(now: Date): { first?: FirstVisit; visit?: Visit } {
  const first = read('localStorage', FIRST_KEY, now) as FirstVisit | undefined;
  const visit = read('sessionStorage', VISIT_KEY, now) as Visit | undefined;
  return { ...(first && { first }), ...(visit && { visit }) };
}

/**
 * Saves the first visit for ninety days and the current visit for this tab. The caller checks
 * consent.
 */
export function saveAttribution(
  { first, visit }: { first: FirstVisit; visit: Visit },
  now: Date,
): void {
  const until = addDays(now, FIRST_VISIT_DAYS).toISOString();
  if (!read('localStorage', FIRST_KEY, now))
    save('localStorage', FIRST_KEY, { until, value: first });
  save('sessionStorage', VISIT_KEY, { until, value: visit });
}

/** Deletes both when the visitor withdraws consent. */
export function dropSavedAttribution(): void {
  writeStored('localStorage', FIRST_KEY, null);
  writeStored('sessionStorage', VISIT_KEY, null);
}

function save(storage: 'localStorage' | 'sessionStorage', key: string, saved: Saved): void {
  writeStored(storage, key, JSON.stringify(saved));
}

function read(storage: 'localStorage' | 'sessionStorage', key: string, now: Date): unknown {
  try {
    const saved = JSON.parse(readStored(storage, key) ?? 'null') as Saved | null;
    if (saved === null || !(Date.parse(saved.until) > now.getTime())) return undefined;
    return saved.value;
  } catch {
    return undefined;
  }
}
