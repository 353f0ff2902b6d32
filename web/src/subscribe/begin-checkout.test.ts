import { buildFormValues } from '@site/schema/form-fields';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LEAD_WAIT_MS } from '@site/schema/subscribe-lead';
import { beginCheckout, toLeadRequest } from './begin-checkout.ts';
import type { SubscribeRequest } from './begin-checkout.ts';

const LEAD_ID = '8d9c1f4e-2b71-4c4c-9f0e-1d6f3f1c2a10';
const CHECKOUT_URL = 'https://checkout.example/c/pay/cs_1#fragment';

let intents = 0;

function buildRequest(changes: Partial<SubscribeRequest> = {}): SubscribeRequest {
  return {
    from: 'top_sub',
    values: {
      ...buildFormValues(() => ''),
      fullName: ' Priya Raman ',
      email: ' priya@northgate.example ',
    },
    website: '',
    elapsedMs: 4_200.6,
    attribution: undefined,
    intentId: `intent-${(intents += 1)}`,
    ...changes,
  };
}

type Call = { path: string; headers: Record<string, string>; body: Record<string, unknown> };

function serve(answers: {
  lead: () => Promise<Response>;
  checkout: () => Promise<Response>;
}): Call[] {
  const calls: Call[] = [];
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    calls.push({
      path,
      headers: init.headers as Record<string, string>,
      body: JSON.parse(init.body as string),
    });
    return path === '/api/lead/subscribe' ? answers.lead() : answers.checkout();
  });
  return calls;
}

const leadTaken = async () =>
  Response.json({ id: LEAD_ID, beehiivStatus: 'pending' }, { status: 201 });
const checkoutOpened = async () => Response.json({ url: CHECKOUT_URL });

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue();
  window.history.replaceState(null, '', '/');
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('the lead is sent first, then the checkout with its id, both with the same intent', async () => {
  const calls = serve({ lead: leadTaken, checkout: checkoutOpened });

  const outcome = await beginCheckout(buildRequest());

  expect(outcome).toEqual({ kind: 'redirect', url: CHECKOUT_URL });
  expect(calls.map(({ path }) => path)).toEqual(['/api/lead/subscribe', '/api/checkout/session']);
  expect(calls[1]?.body).toEqual({ email: 'priya@northgate.example', leadId: LEAD_ID });
  const intent = `intent-${intents}`;
  expect(calls.map(({ headers }) => headers['Idempotency-Key'])).toEqual([intent, intent]);
});

test('a lead that the API has is not sent again, and is known to be stored offline', async () => {
  const request = buildRequest();
  serve({ lead: leadTaken, checkout: async () => new Response('', { status: 503 }) });
  await beginCheckout(request);
  const offline = async () => Promise.reject(new TypeError('Failed to fetch'));
  const calls = serve({ lead: offline, checkout: offline });

  expect(await beginCheckout(request)).toEqual({ kind: 'failed', details: 'stored' });
  expect(calls.map(({ path, body }) => [path, body['leadId']])).toEqual([
    ['/api/checkout/session', LEAD_ID],
  ]);
});

test('a lead that could not be captured is logged, and checkout opens without it', async () => {
  const calls = serve({
    lead: async () => new Response('down', { status: 503 }),
    checkout: checkoutOpened,
  });

  const outcome = await beginCheckout(buildRequest());

  expect(outcome.kind).toBe('redirect');
  expect(calls[1]?.body).toEqual({ email: 'priya@northgate.example' });
  expect(console.error).toHaveBeenCalledOnce();
});

test('a lead call that hangs delays checkout by three seconds at most', async () => {
  vi.useFakeTimers();
  const calls = serve({ lead: () => new Promise(() => undefined), checkout: checkoutOpened });

  const outcome = beginCheckout(buildRequest());
  await vi.advanceTimersByTimeAsync(LEAD_WAIT_MS - 1);
  expect(calls).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);

  expect(await outcome).toEqual({ kind: 'redirect', url: CHECKOUT_URL });
  expect(LEAD_WAIT_MS).toBe(3_000);
});

test('a checkout’s failure says whether the details are kept here, or not sent at all', async () => {
  const closed = async () => new Response('', { status: 503 });
  serve({ lead: closed, checkout: closed });
  const kept = await beginCheckout(buildRequest());
  serve({ lead: async () => new Response('', { status: 422 }), checkout: closed });
  localStorage.clear();
  const refused = await beginCheckout(buildRequest());

  expect([kept, refused]).toEqual([
    { kind: 'failed', details: 'kept' },
    { kind: 'failed', details: 'not-sent' },
  ]);
});

test('checkout knows someone who already has a subscription', async () => {
  const problem = {
    type: 'urn:problem:already-subscribed',
    title: 'Already',
    status: 409,
    detail: 'Manage it here.',
  };
  serve({ lead: leadTaken, checkout: async () => Response.json(problem, { status: 409 }) });

  expect(await beginCheckout(buildRequest())).toEqual({ kind: 'already-subscribed' });
});

test('a lead names the button and its campaign, and consents only to the form’s words', () => {
  const visitUtm = { source: 'news', medium: 'email', term: 't', content: 'c' };
  const attribution = {
    landingPage: 'https://site.example/',
    firstPage: 'https://site.example/',
    visitUtm,
    firstUtm: visitUtm,
    sessionId: 's',
  };

  expect(toLeadRequest(buildRequest({ from: 'bottom_sub', attribution }))).toEqual({
    ...buildFormValues(() => ''),
    email: 'priya@northgate.example',
    fullName: 'Priya Raman',
    formType: 'pre_buy',
    utmSource: 'bottom_sub',
    utmCampaign: 'urgency_subscription',
    utmMedium: 'email',
    utmTerm: 't',
    utmContent: 'c',
    consentMarketing: true,
    clickedSubscribe: true,
    consentTextVersion: '2025-12',
    ...attribution,
    website: '',
    elapsedMs: 4_201,
  });
});
