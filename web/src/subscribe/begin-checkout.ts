import { checkoutUrlAnswer } from '@site/schema/checkout';
import { CURRENT_CONSENT_VERSION } from '@site/schema/consent';
import { leadIntakeAnswer, SUBSCRIBE_BUTTONS } from '@site/schema/lead';
import type { LeadIntakeRequest, SubscribeButton } from '@site/schema/lead';
import { problemDocument, problemType } from '@site/schema/problem';
import { HttpError, postJson } from '../http.ts';
import type { Attribution } from './attribution.ts';
import type { SubscribeValues } from './subscribe-draft.ts';

/** How long checkout waits for the lead: a visitor who wants to pay is not kept by our own bookkeeping. */
export const LEAD_WAIT_MS = 3_000;
/** The API answers within ten seconds; a silent network must not hold the button for ever. */
const CHECKOUT_WAIT_MS = 20_000;

export type SubscribeRequest = {
  from: SubscribeButton;
  values: SubscribeValues;
  /** The hidden field, empty unless a robot filled it. */
  website: string;
  /** Milliseconds from opening the form to sending it; undefined where it was filled in on an earlier visit. */
  elapsedMs: number | undefined;
  attribution: Attribution | undefined;
  /** One for each intent: sending the same data again must not make a second lead or session. */
  intentId: string;
};

export type CheckoutOutcome =
  | { kind: 'redirect'; url: string }
  | { kind: 'already-subscribed'; detail: string }
  | { kind: 'failed' };

/**
 * Offers the lead to the API, then asks for a checkout whatever came of it: a lead that could not be
 * captured is only logged. Never throws.
 */
export async function beginCheckout(request: SubscribeRequest): Promise<CheckoutOutcome> {
  const leadId = await captureLead(request);
  const headers = { 'Idempotency-Key': request.intentId };
  try {
    const body = { email: request.values.email.trim(), ...(leadId === undefined ? {} : { leadId }) };
    const answer = await postJson('/api/checkout/session', body, {
      headers,
      signal: AbortSignal.timeout(CHECKOUT_WAIT_MS),
    });
    return { kind: 'redirect', url: checkoutUrlAnswer.parse(answer).url };
  } catch (error) {
    const detail = readAlreadySubscribed(error);
    if (detail !== null) return { kind: 'already-subscribed', detail };
    console.error('The checkout could not be opened', error);
    return { kind: 'failed' };
  }
}

/** What the lead call says of this person and this press. */
export function toLeadRequest({ from, values, website, elapsedMs, attribution }: SubscribeRequest): LeadIntakeRequest {
  const { medium, term, content } = attribution?.visitUtm ?? {};
  return {
    email: values.email.trim(),
    fullName: values.name.trim(),
    company: values.company.trim(),
    phone: values.phone.trim(),
    formType: 'pre_buy',
    utmSource: from,
    utmCampaign: SUBSCRIBE_BUTTONS[from],
    utmMedium: medium,
    utmTerm: term,
    utmContent: content,
    consentMarketing: true,
    clickedSubscribe: true,
    consentTextVersion: CURRENT_CONSENT_VERSION,
    ...attribution,
    website,
    elapsedMs: elapsedMs === undefined ? undefined : Math.round(elapsedMs),
  };
}

/** The stored lead's id, or undefined where there was none in time. The call goes on behind our back. */
async function captureLead(request: SubscribeRequest): Promise<string | undefined> {
  const captured = postJson('/api/lead/subscribe', toLeadRequest(request), {
    headers: { 'Idempotency-Key': request.intentId },
    // It outlives this page: the browser may be on its way to Stripe when the answer comes.
    keepalive: true,
  })
    .then((answer) => leadIntakeAnswer.parse(answer).id)
    .catch((error: unknown) => {
      console.error('The lead was not captured', error);
      return undefined;
    });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waited = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, LEAD_WAIT_MS, undefined);
  });
  const leadId = await Promise.race([captured, waited]);
  clearTimeout(timer);
  return leadId;
}

function readAlreadySubscribed(error: unknown): string | null {
  if (!(error instanceof HttpError) || error.status !== 409) return null;
  try {
    const problem = problemDocument.parse(JSON.parse(error.body));
    return problem.type === problemType('already-subscribed') ? (problem.detail ?? problem.title) : null;
  } catch {
    return null;
  }
}
