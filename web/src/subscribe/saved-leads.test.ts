// @vitest-environment happy-dom
import type { LeadIntakeRequest } from '@site/schema/lead-intake';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dropSavedLead, hasSavedLeads, isFinalRefusal, saveLead, sendSavedLeads } from './saved-leads.ts';
import { HttpError } from '../http.ts';

const NOW = new Date('2025-12-03T10:00:00Z');
const DAY_7 = new Date('2025-12-10T10:00:00Z');
const LEAD: LeadIntakeRequest = { email: 'priya@northgate.example', formType: 'pre_buy', fullName: 'Priya Raman' };

function answerWith(answer: () => Promise<Response>) {
  const fetched = vi.fn<typeof fetch>(answer);
  vi.stubGlobal('fetch', fetched);
  return fetched;
}

beforeEach(() => localStorage.clear());
afterEach(() => vi.unstubAllGlobals());

test('a saved lead is sent again with its first key, in a call that outlives the page', async () => {
  const fetched = answerWith(async () => Response.json({}));
  saveLead(LEAD, 'key-1', NOW);

  await sendSavedLeads(NOW);

  expect(fetched.mock.calls[0]).toEqual([
    '/api/lead/subscribe',
    expect.objectContaining({
      method: 'POST',
      body: JSON.stringify(LEAD),
      keepalive: true,
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'key-1' },
    }),
  ]);
  expect(hasSavedLeads(NOW)).toBe(false);
  expect(localStorage.length).toBe(0);
});

test.each([500, 503, 429])('a saved lead that meets a %i stays for the next time', async (status) => {
  answerWith(async () => new Response('', { status }));
  saveLead(LEAD, 'key-1', NOW);

  await sendSavedLeads(NOW);

  expect(hasSavedLeads(NOW)).toBe(true);
});

test('a saved lead is kept without a network, and nothing is thrown', async () => {
  answerWith(async () => Promise.reject(new TypeError('Failed to fetch')));
  saveLead(LEAD, 'key-1', NOW);

  await expect(sendSavedLeads(NOW)).resolves.toBeUndefined();

  expect(hasSavedLeads(NOW)).toBe(true);
});

test('a saved lead that will never be accepted is deleted', async () => {
  answerWith(async () => new Response('', { status: 422 }));
  saveLead(LEAD, 'key-1', NOW);

  await sendSavedLeads(NOW);

  expect(hasSavedLeads(NOW)).toBe(false);
});

test('a saved lead is sent again for seven days only', async () => {
  const fetched = answerWith(async () => new Response('', { status: 503 }));
  saveLead(LEAD, 'key-1', NOW);

  await sendSavedLeads(new Date(DAY_7.getTime() - 1));
  expect(fetched).toHaveBeenCalledTimes(1);
  await sendSavedLeads(DAY_7);

  expect(fetched).toHaveBeenCalledTimes(1);
});

test('saving a lead replaces one of the same intent, and dropping it leaves the others', () => {
  saveLead(LEAD, 'key-1', NOW);
  saveLead(LEAD, 'key-1', NOW);
  saveLead(LEAD, 'key-2', NOW);

  dropSavedLead('key-1', NOW);

  expect(JSON.parse(localStorage.getItem('savedLeads')!)).toEqual([
    expect.objectContaining({ idempotencyKey: 'key-2', body: LEAD }),
  ]);
});

test('saved text that the site did not write is ignored', () => {
  localStorage.setItem('savedLeads', '{');

  expect(hasSavedLeads(NOW)).toBe(false);
});

test('a refusal is final only if it would repeat for the same lead', () => {
  const isFinal = (status: number) => isFinalRefusal(new HttpError(status, '', ''));

  expect([400, 413, 415, 422].map(isFinal)).toEqual([true, true, true, true]);
  expect([401, 408, 409, 429, 500, 503].map(isFinal)).toEqual(Array(6).fill(false));
});
