import type { LeadIntakeRequest } from '@site/schema/lead-intake';
import { callApi, HttpError } from '../http.ts';
import { readStored, writeStored } from '../stored-text.ts';

const KEY = 'savedLeads';
/** The API knows a key for longer than this, so whatever is offered again makes no second lead. */
const KEPT_MS = 7 * 24 * 3_600_000;
const MOST_KEPT = 5;

/** A lead that the API has not been heard to take, with the key it was offered under. */
type SavedLead = { body: LeadIntakeRequest; idempotencyKey: string; until: string };

/** Keeps a lead until it is taken, for seven days at most. The same key once. */
export function saveLead(body: LeadIntakeRequest, idempotencyKey: string, now: Date): void {
  const until = new Date(now.getTime() + KEPT_MS).toISOString();
  write([{ body, idempotencyKey, until }, ...readAll(now).filter((kept) => kept.idempotencyKey !== idempotencyKey)]);
}

/** Forgets a lead: the API has it, or will never take it. */
export function dropSavedLead(idempotencyKey: string, now: Date): void {
  write(readAll(now).filter((kept) => kept.idempotencyKey !== idempotencyKey));
}

/** Whether there is anything to offer again. */
export function hasSavedLeads(now: Date): boolean {
  return readAll(now).length > 0;
}

/** True for a refusal that the same lead would meet every time. */
export function isFinalRefusal(error: unknown): boolean {
  return error instanceof HttpError && [400, 413, 415, 422].includes(error.status);
}

/**
 * Offers every kept lead again, each under its own key, and forgets those that were taken. What fails again
 * stays for the next time; nobody is waiting, so nothing is said. Resolves once all were answered.
 */
export async function offerSavedLeads(now: Date): Promise<void> {
  await Promise.all(readAll(now).map((kept) => offer(kept, now)));
}

async function offer({ body, idempotencyKey }: SavedLead, now: Date): Promise<void> {
  try {
    // It outlives this page, should the visitor leave at once.
    const headers = { 'Idempotency-Key': idempotencyKey };
    await callApi('POST', '/api/lead/subscribe', body, { headers, keepalive: true });
    dropSavedLead(idempotencyKey, now);
  } catch (error) {
    if (isFinalRefusal(error)) dropSavedLead(idempotencyKey, now);
  }
}

function write(leads: SavedLead[]): void {
  writeStored('localStorage', KEY, leads.length === 0 ? null : JSON.stringify(leads.slice(0, MOST_KEPT)));
}

function readAll(now: Date): SavedLead[] {
  try {
    const leads: unknown = JSON.parse(readStored('localStorage', KEY) ?? '[]');
    if (!Array.isArray(leads)) return [];
    return (leads as SavedLead[]).filter(({ until }) => Date.parse(until) > now.getTime());
  } catch {
    return [];
  }
}
