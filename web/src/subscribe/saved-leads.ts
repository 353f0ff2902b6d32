// Leads the API has not confirmed yet, saved in the browser and sent again later.
import type { LeadIntakeRequest } from '@site/schema/lead-intake';
import { callApi, HttpError } from '../http.ts';
import { readStored, writeStored } from '../stored-text.ts';

const KEY = 'savedLeads';
/** Shorter than the API remembers a key, so that a repeat never makes a second lead. */
const SAVED_FOR_MS = 7 * 24 * 3_600_000;
/** As many as an offline tablet at a stand may gather. */
const MAX_SAVED = 50;
const SEND_AGAIN_MS = 20_000;

/** A lead without a confirmed answer, and the idempotency key it was sent with. */
type SavedLead = { body: LeadIntakeRequest; idempotencyKey: string; until: string };

/** Ids of the leads that the API has accepted from this page, by key. */
const accepted = new Map<string, string>();

/**
 * Sends a lead, unless the API has it, and returns its id. The lead is saved before it is sent and
 * deleted once accepted, so leaving the page loses nothing. A failed lead stays saved for seven
 * days at most, unless the failure is final.
 */
export async function deliverLead(
  body: LeadIntakeRequest,
  idempotencyKey: string,
  now: Date,
): Promise<string> {
  const delivery = accepted.get(idempotencyKey);
  if (delivery !== undefined) return delivery;
  const until = new Date(now.getTime() + SAVED_FOR_MS).toISOString();
  write([{ body, idempotencyKey, until }, ...readOthers(idempotencyKey)]);
  return send(body, idempotencyKey);
}

export function hasSavedLeads(now: Date): boolean {
  return readAll(now).length > 0;
}

/** Returns true for a refusal that would repeat for the same lead. */
function isFinalRefusal(error: unknown): boolean {
  return error instanceof HttpError && [400, 410, 413, 415, 422].includes(error.status);
}

/**
 * Sends every saved lead again with its own key, and deletes expired leads. A lead that fails again
 * stays saved, without a message. Never throws.
 */
export async function sendSavedLeads(now: Date): Promise<void> {
  const leads = readAll(now);
  write(leads);
  await Promise.allSettled(leads.map(({ body, idempotencyKey }) => send(body, idempotencyKey)));
}

/**
 * Sends saved leads now, every 20 s, and when the connection returns. Returns a function that stops
 * it.
 */
export function keepSendingSavedLeads(): () => void {
  const sendAgain = () => void sendSavedLeads(new Date());
  const timer = setInterval(sendAgain, SEND_AGAIN_MS);
  window.addEventListener('online', sendAgain);
  sendAgain();
  return () => {
    clearInterval(timer);
    window.removeEventListener('online', sendAgain);
  };
}

async function send(body: LeadIntakeRequest, idempotencyKey: string): Promise<string> {
  try {
    const headers = { 'Idempotency-Key': idempotencyKey };
    // The browser may already have left for Stripe when the answer arrives.
    const { id } = await callApi('POST /api/lead/subscribe', { body, headers, keepalive: true });
    accepted.set(idempotencyKey, id);
    write(readOthers(idempotencyKey));
    return id;
  } catch (error) {
    if (isFinalRefusal(error)) write(readOthers(idempotencyKey));
    throw error;
  }
}

function write(leads: SavedLead[]): void {
  writeStored(
    'localStorage',
    KEY,
    leads.length === 0 ? null : JSON.stringify(leads.slice(0, MAX_SAVED)),
  );
}

function readAll(now: Date): SavedLead[] {
  return readStoredLeads().filter(({ until }) => Date.parse(until) > now.getTime());
}

function readOthers(idempotencyKey: string): SavedLead[] {
  return readStoredLeads().filter((lead) => lead.idempotencyKey !== idempotencyKey);
}

function readStoredLeads(): SavedLead[] {
  try {
    const leads: unknown = JSON.parse(readStored('localStorage', KEY) ?? '[]');
    return Array.isArray(leads) ? leads : [];
  } catch {
    return [];
  }
}
