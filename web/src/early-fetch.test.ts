import { expect, test, vi } from 'vitest';
import { fetchEarly, takeEarly } from './early-fetch.ts';

test('an early answer is taken once, and a failed request leaves the caller to ask', async () => {
  vi.stubGlobal('fetch', async (url: string) => {
    if (url === '/away') throw new TypeError('Failed to fetch');
    return new Response('{}', { status: url === '/me' ? 200 : 401 });
  });

  const asked = [await fetchEarly('/me'), await fetchEarly('/out'), await fetchEarly('/away')];

  expect(asked).toEqual([true, false, false]);
  expect((await takeEarly('/me'))?.status).toBe(200);
  expect([await takeEarly('/me'), await takeEarly('/away')]).toEqual([null, null]);
  vi.unstubAllGlobals();
});
