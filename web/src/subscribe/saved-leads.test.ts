// @vitest-environment happy-dom
import type { LeadIntakeRequest } from '@site/schema/lead-intake';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  deliverLead,
  hasSavedLeads,
  keepSendingSavedLeads,
  sendSavedLeads,
} from './saved-leads.ts';

const NOW = new Date('2025-12-03T10:00:00Z');
const DAY_7 = new Date('2025-12-10T10:00:00Z');
const LEAD: LeadIntakeRequest = {
  email: 'priya@northgate.example',
  formType: 'pre_buy',
  fullName: 'Priya Raman',
};

function answerWith(answer: () => Promise<Response>) {
  const fetched = vi.fn<typeof fetch>(answer);
  vi.stubGlobal('fetch', fetched);
  return fetched;
}

/** Saves a lead as a failed call does. Returns its key, which no other test has. */
async function saveLead(key: string = crypto.randomUUID()): Promise<string> {
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')));
  await expect(deliverLead(LEAD, key, NOW)).rejects.toThrow('Failed to fetch');
  return key;
}

beforeEach(() => localStorage.clear());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a saved lead is sent once, with its first key, in a call that outlives the page', async () => {
  const key = await saveLead();
  const fetched = answerWith(async () => Response.json({ id: 'lead-1' }));

  await sendSavedLeads(NOW);

  expect(fetched.mock.calls).toEqual([
    [
      '/api/lead/subscribe',
      expect.objectContaining({
        method: 'POST',
        body: JSON.stringify(LEAD),
        keepalive: true,
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
      }),
    ],
  ]);
  expect(hasSavedLeads(NOW)).toBe(false);
  expect(localStorage.length).toBe(0);
  expect(await deliverLead(LEAD, key, NOW)).toBe('lead-1');
  expect(fetched).toHaveBeenCalledOnce();
});

test('an open page sends a saved lead every 20 s and once online, until accepted', async () => {
  await saveLead();
  vi.useFakeTimers({ now: NOW });
  const fetched = answerWith(async () => new Response('', { status: 503 }));
  const stop = keepSendingSavedLeads();
  expect(fetched).toHaveBeenCalledTimes(1);

  await vi.advanceTimersByTimeAsync(19_999);
  expect(fetched).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(fetched).toHaveBeenCalledTimes(2);

  answerWith(async () => Response.json({ id: 'lead-1' }));
  window.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  expect(hasSavedLeads(NOW)).toBe(false);
  stop();
});

test.each([500, 503, 429])(
  'a saved lead that meets a %i stays for the next time',
  async (status) => {
    await saveLead();
    answerWith(async () => new Response('', { status }));

    await sendSavedLeads(NOW);

    expect(hasSavedLeads(NOW)).toBe(true);
  },
);

test('a saved lead that will never be accepted is deleted', async () => {
  await saveLead();
  answerWith(async () => new Response('', { status: 422 }));

  await sendSavedLeads(NOW);

  expect(hasSavedLeads(NOW)).toBe(false);
});

test('a saved lead is sent again for seven days, and then deleted', async () => {
  await saveLead();
  const fetched = answerWith(async () => new Response('', { status: 503 }));

  await sendSavedLeads(new Date(DAY_7.getTime() - 1));
  expect(fetched).toHaveBeenCalledTimes(1);
  await sendSavedLeads(DAY_7);

  expect(fetched).toHaveBeenCalledTimes(1);
  expect(localStorage.length).toBe(0);
});

test('saving a lead replaces a lead of the same intent and leaves the others', async () => {
  const first = await saveLead();
  const second = await saveLead();
  await saveLead(first);

  expect(JSON.parse(localStorage.getItem('savedLeads')!)).toEqual([
    expect.objectContaining({ idempotencyKey: first, body: LEAD }),
    expect.objectContaining({ idempotencyKey: second }),
  ]);
});

test('saved text that the site did not write is ignored', () => {
  localStorage.setItem('savedLeads', '{');

  expect(hasSavedLeads(NOW)).toBe(false);
});

test('the leads of thirty people at one offline tablet stay saved', async () => {
  for (let person = 0; person < 30; person += 1) await saveLead();

  expect(JSON.parse(localStorage.getItem('savedLeads')!)).toHaveLength(30);
});
