// From a sent form to Stripe's checkout. Before: use-subscribe.ts. Next: Stripe.
import type { FormValues } from '@site/schema/form-fields';
import type { LeadIntakeRequest } from '@site/schema/lead-intake';
import type { SubscribeButton } from '@site/schema/lead';
import { problemType } from '@site/schema/problem';
import { buildSubscribeLead, LEAD_WAIT_MS } from '@site/schema/subscribe-lead';
import { callApi, HttpError } from '../http.ts';
import type { Attribution } from './attribution.ts';
import { shownConsentVersion } from './ConsentText.tsx';
import type { FailedCheckout, TooMany } from './Notice.tsx';
import { deliverLead, hasSavedLeads, sendSavedLeads } from './saved-leads.ts';

/** The API answers within ten seconds. The timeout releases the button if the network is silent. */
const CHECKOUT_WAIT_MS = 20_000;

export type SubscribeRequest = {
  from: SubscribeButton;
  values: FormValues;
  /** The hidden field, which only a bot fills in. */
  website: string;
  /**
   * Milliseconds from opening the form to sending it. Undefined if it was filled in on an earlier
   * visit.
   */
  elapsedMs: number | undefined;
  attribution: Attribution | undefined;
  /** The same for every repeat of an intent, so that it makes one lead and one session. */
  intentId: string;
};

export type CheckoutOutcome =
  | { kind: 'redirect'; url: string }
  | { kind: 'already-subscribed' }
  | { kind: 'email-refused'; message: string }
  | { kind: 'failed'; details: FailedCheckout | TooMany };

/**
 * Sends the lead to the API, then asks for a checkout even if that failed. A lead that could not be
 * stored is logged, saved in the browser and sent again later. Never throws.
 */
export async function beginCheckout(request: SubscribeRequest): Promise<CheckoutOutcome> {
  const lead = await captureLead(request);
  const headers = { 'Idempotency-Key': request.intentId };
  const stop = new AbortController();
  const abort = () => stop.abort();
  const timer = setTimeout(abort, CHECKOUT_WAIT_MS);
  // Without a connection, waiting is useless.
  window.addEventListener('offline', abort);
  try {
    const body = {
      email: request.values.email.trim(),
      ...(lead.kind === 'captured' ? { leadId: lead.id } : {}),
    };
    const { url } = await callApi('POST /api/checkout/session', {
      body,
      headers,
      signal: stop.signal,
    });
    // The failure may have been brief, and this is the last chance before the page is left.
    if (lead.kind === 'failed') void sendSavedLeads(new Date());
    // Throws for an answer without a URL, such as a proxy's.
    return { kind: 'redirect', url: new URL(url).href };
  } catch (error) {
    const refusal = readRefusal(error);
    if (refusal !== null) return refusal;
    console.error('The checkout could not be opened', error);
    const tooMany = readTooMany(error);
    if (tooMany !== null) return { kind: 'failed', details: tooMany };
    const details =
      lead.kind === 'captured' ? 'stored' : hasSavedLeads(new Date()) ? 'kept' : 'not-sent';
    return { kind: 'failed', details };
  } finally {
    clearTimeout(timer);
    window.removeEventListener('offline', abort);
  }
}

export function toLeadRequest(request: SubscribeRequest): LeadIntakeRequest {
  const { from, values, website, elapsedMs, attribution } = request;
  return {
    ...buildSubscribeLead(from, values, attribution),
    consentTextVersion: shownConsentVersion(),
    website,
    elapsedMs: elapsedMs === undefined ? undefined : Math.round(elapsedMs),
  };
}

type Capture = { kind: 'captured'; id: string } | { kind: 'failed' | 'waiting' };

/**
 * Delivers the lead and waits for its answer, up to `LEAD_WAIT_MS`. The call continues after the
 * wait.
 */
async function captureLead(request: SubscribeRequest): Promise<Capture> {
  const sent = deliverLead(toLeadRequest(request), request.intentId, new Date())
    .then((id): Capture => ({ kind: 'captured', id }))
    .catch((error: unknown): Capture => {
      console.error('The lead was not captured', error);
      return { kind: 'failed' };
    });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waited = new Promise<Capture>((resolve) => {
    timer = setTimeout(resolve, LEAD_WAIT_MS, { kind: 'waiting' });
  });
  const capture = await Promise.race([sent, waited]);
  clearTimeout(timer);
  return capture;
}

export function isAlreadySubscribed(error: unknown): boolean {
  return error instanceof HttpError && error.problem?.type === problemType('already-subscribed');
}

/** Reads the wait from a refusal for too many requests. Returns null for any other failure. */
export function readTooMany(error: unknown): TooMany | null {
  const wait = error instanceof HttpError && error.status === 429 && error.problem?.detail;
  return wait ? { wait } : null;
}

/** Reads a refusal that the visitor can act on. Returns null for any other failure. */
function readRefusal(error: unknown): CheckoutOutcome | null {
  if (isAlreadySubscribed(error)) return { kind: 'already-subscribed' };
  const { errors = [] } = (error instanceof HttpError && error.problem) || {};
  const email = errors.find(({ field }) => field === 'email');
  return email ? { kind: 'email-refused', message: email.message } : null;
}
