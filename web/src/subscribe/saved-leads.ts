// Leads the API has not confirmed yet, saved in the browser and sent again later.
import type { LeadIntakeRequest } from '@site/schema/lead-intake';
import { callApi, HttpError } from '../http.ts';
import { readStored, writeStored } from '../stored-text.ts';

const KEY = 'savedLeads';
/** Shorter than the API remembers a key, so sending again never makes a second lead. */
const SAVED_FOR_MS = 7 * 24 * 3_600_000;
const MAX_SAVED = 5;

/** A lead without a confirmed answer, and the idempotency key it was sent with. */
type SavedLead = { body: LeadIntakeRequest; idempotencyKey: string; until: string };

/** Saves a lead until the API accepts it, for seven days at most. Replaces one with the same key. */
export function saveLead(body: LeadIntakeRequest, idempotencyKey: string, now: Date): void {
  const until = new Date(now.getTime() + SAVED_FOR_MS).toISOString();
  write([{ body, idempotencyKey, until }, ...readAll(now).filter((lead) => lead.idempotencyKey !== idempotencyKey)]);
}

export function dropSavedLead(idempotencyKey: string, now: Date): void {
  write(readAll(now).filter((lead) => lead.idempotencyKey !== idempotencyKey));
}

export function hasSavedLeads(now: Date): boolean {
  return readAll(now).length > 0;
}

/** Calls the listener after leads were saved, sent or dropped in this tab. Returns how to stop. */
export function onSavedLeadsChange(listener: () => void): () => void {
  window.addEventListener(KEY, listener);
  return () => window.removeEventListener(KEY, listener);
}

/** Returns true for a refusal that would repeat for the same lead. */
export function isFinalRefusal(error: unknown): boolean {
  return error instanceof HttpError && [400, 413, 415, 422].includes(error.status);
}

/**
 * Sends every saved lead again with its own key and deletes those the API accepts. A lead that fails again stays
 * saved, without a message. Resolves when all have been answered.
 */
export async function sendSavedLeads(now: Date): Promise<void> {
  await Promise.all(readAll(now).map((lead) => sendAgain(lead, now)));
}

async function sendAgain({ body, idempotencyKey }: SavedLead, now: Date): Promise<void> {
  try {
    // `keepalive` lets the call finish if the visitor leaves the page.
    const headers = { 'Idempotency-Key': idempotencyKey };
    await callApi('POST /api/lead/subscribe', { body, headers, keepalive: true });
    dropSavedLead(idempotencyKey, now);
  } catch (error) {
    if (isFinalRefusal(error)) dropSavedLead(idempotencyKey, now);
  }
}

function write(leads: SavedLead[]): void {
  writeStored('localStorage', KEY, leads.length === 0 ? null : JSON.stringify(leads.slice(0, MAX_SAVED)));
  window.dispatchEvent(new Event(KEY));
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
