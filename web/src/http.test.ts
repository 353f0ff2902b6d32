import { afterEach, describe, expect, test, vi } from 'vitest';
import { callApi, createFetcher, HttpError, postJson } from './http.ts';

function answerWith(answer: Response) {
  const fetched = vi.fn<typeof fetch>().mockResolvedValue(answer);
  vi.stubGlobal('fetch', fetched);
  return fetched;
}

afterEach(() => vi.unstubAllGlobals());

describe('callApi', () => {
  test('sends cookies, and a content type only with a body', async () => {
    const fetched = answerWith(new Response('{}'));

    await callApi('POST', '/api/x', { a: 1 });
    await callApi('GET', '/api/x');

    expect(fetched.mock.calls[0]?.[1]).toMatchObject({
      credentials: 'include',
      body: '{"a":1}',
      headers: { 'Content-Type': 'application/json' },
    });
    expect(fetched.mock.calls[1]?.[1]).toMatchObject({ credentials: 'include', headers: {} });
    expect(fetched.mock.calls[1]?.[1]).not.toHaveProperty('body');
  });

  test('throws "status: body" for an answer that is not OK', async () => {
    answerWith(new Response('{"title":"No"}', { status: 422 }));

    await expect(callApi('POST', '/api/x', {})).rejects.toThrow(/^422: \{"title":"No"\}$/);
  });

  test('throws "status: status text" for an error without a body', async () => {
    answerWith(new Response('', { status: 503, statusText: 'Service Unavailable' }));

    await expect(callApi('GET', '/api/x')).rejects.toThrow(/^503: Service Unavailable$/);
  });

  test('does not retry a failed call', async () => {
    const fetched = answerWith(new Response('', { status: 503 }));

    await expect(callApi('POST', '/api/x', {})).rejects.toThrow('503');

    expect(fetched).toHaveBeenCalledTimes(1);
  });

  test('adds the caller’s headers', async () => {
    const fetched = answerWith(new Response('{}'));

    await postJson('/api/x', {}, { headers: { 'Idempotency-Key': 'k' } });

    expect(fetched.mock.calls[0]?.[1]?.headers).toEqual({ 'Content-Type': 'application/json', 'Idempotency-Key': 'k' });
  });
});

describe('createFetcher', () => {
  test('requests the parts of the key joined with slashes', async () => {
    const fetched = answerWith(new Response('{"a":1}'));

    const loaded = await createFetcher()(['/api/checkout', 'session', 'cs_1']);

    expect(fetched.mock.calls[0]?.[0]).toBe('/api/checkout/session/cs_1');
    expect(loaded).toEqual({ a: 1 });
  });

  test('throws for a 401 unless the option returns null', async () => {
    answerWith(new Response('no', { status: 401 }));
    await expect(createFetcher()('/api/x')).rejects.toBeInstanceOf(HttpError);

    answerWith(new Response('no', { status: 401 }));
    await expect(createFetcher({ on401: 'null' })('/api/x')).resolves.toBeNull();
  });

  test('the option for a 401 still throws for every other refusal', async () => {
    answerWith(new Response('no', { status: 403 }));

    await expect(createFetcher({ on401: 'null' })('/api/x')).rejects.toThrow('403: no');
  });
});
