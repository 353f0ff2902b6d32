import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { callApi, createFetcher, HttpError, toUrl, watchLeaving } from './http.ts';

function answerWith(answer: Response) {
  const fetched = vi.fn<typeof fetch>().mockResolvedValue(answer);
  vi.stubGlobal('fetch', fetched);
  return fetched;
}

afterEach(() => vi.unstubAllGlobals());

const TRACK = { body: { event: 'cta-annual-25', page: 'sample-sent' } } as const;

describe('calls', () => {
  test('a call sends cookies, and a content type only with a body', async () => {
    const fetched = answerWith(new Response('{}'));

    await callApi('POST /api/track', TRACK);
    answerWith(new Response('{}'));
    const loaded = answerWith(new Response('{}'));
    await callApi('GET /api/admin/me');

    expect(fetched.mock.calls[0]?.[0]).toBe('/api/track');
    expect(fetched.mock.calls[0]?.[1]).toMatchObject({
      method: 'POST',
      credentials: 'include',
      body: '{"event":"cta-annual-25","page":"sample-sent"}',
      headers: { 'Content-Type': 'application/json' },
    });
    expect(loaded.mock.calls[0]?.[1]).toMatchObject({
      method: 'GET',
      credentials: 'include',
      headers: {},
    });
    expect(loaded.mock.calls[0]?.[1]).not.toHaveProperty('body');
  });

  test('a call returns the JSON that the API answers, and undefined for an empty answer', async () => {
    answerWith(new Response('{"username":"admin"}'));
    expect(await callApi('GET /api/admin/me')).toEqual({ username: 'admin' });

    answerWith(new Response(null, { status: 204 }));
    expect(await callApi('POST /api/track', TRACK)).toBeUndefined();
  });

  test('a call throws "status: body" for an answer that is not OK', async () => {
    answerWith(new Response('{"title":"No"}', { status: 422 }));

    await expect(callApi('POST /api/track', TRACK)).rejects.toThrow(/^422: \{"title":"No"\}$/);
  });

  test('a call throws "status: status text" for an error without a body', async () => {
    answerWith(new Response('', { status: 503, statusText: 'Service Unavailable' }));

    await expect(callApi('GET /api/admin/me')).rejects.toThrow(/^503: Service Unavailable$/);
  });

  test('a failed call is not retried', async () => {
    const fetched = answerWith(new Response('', { status: 503 }));

    await expect(callApi('POST /api/track', TRACK)).rejects.toThrow('503');

    expect(fetched).toHaveBeenCalledTimes(1);
  });

  test('a call adds the caller’s headers', async () => {
    const fetched = answerWith(new Response('{}'));

    await callApi('POST /api/track', { ...TRACK, headers: { 'Idempotency-Key': 'k' } });

    expect(fetched.mock.calls[0]?.[1]?.headers).toEqual({
      'Content-Type': 'application/json',
      'Idempotency-Key': 'k',
    });
  });
});

describe('fetchers', () => {
  test('a fetcher requests the parts of the key joined with slashes', async () => {
    const fetched = answerWith(new Response('{"a":1}'));

    const loaded = await createFetcher()(['/api/checkout', 'session', 'cs_1']);

    expect(fetched.mock.calls[0]?.[0]).toBe('/api/checkout/session/cs_1');
    expect(loaded).toEqual({ a: 1 });
  });

  test('a fetcher throws for a 401 unless the option returns null', async () => {
    answerWith(new Response('no', { status: 401 }));
    await expect(createFetcher()('/api/x')).rejects.toBeInstanceOf(HttpError);

    answerWith(new Response('no', { status: 401 }));
    await expect(createFetcher({ on401: 'null' })('/api/x')).resolves.toBeNull();
  });

  test('a fetcher’s option for a 401 still throws for every other refusal', async () => {
    answerWith(new Response('no', { status: 403 }));

    await expect(createFetcher({ on401: 'null' })('/api/x')).rejects.toThrow('403: no');
  });

  test('a request that fails while the page is left does not fail at once', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    onTestFinished(watchLeaving());
    vi.stubGlobal('fetch', vi.fn<typeof fetch>().mockRejectedValue(new TypeError('aborted')));
    const failed = vi.fn<(error: unknown) => void>();
    window.dispatchEvent(new Event('beforeunload'));

    void createFetcher()('/api/x').catch(failed);

    await vi.advanceTimersByTimeAsync(4_000);
    expect(failed).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(failed).toHaveBeenCalledOnce();
  });
});

describe('addresses', () => {
  test('an address has the parameters of the path filled in and encoded', () => {
    expect(toUrl('GET /api/admin/leads/:id', { params: { id: 'a/b' } })).toBe(
      '/api/admin/leads/a%2Fb',
    );
  });

  test('an address leaves out what is null, undefined or empty, and joins a list with commas', () => {
    const query = {
      search: 'priya@northgate.example',
      source: '',
      status: undefined,
      ids: ['1', '2'],
    };

    expect(toUrl('GET /api/admin/leads/export/csv', { query })).toBe(
      '/api/admin/leads/export/csv?search=priya%40northgate.example&ids=1%2C2',
    );
    expect(toUrl('GET /api/admin/leads/counts', { query: { newerThan: null } })).toBe(
      '/api/admin/leads/counts',
    );
    expect(toUrl('GET /api/admin/leads', { query: { cursor: 'a=b&c' } })).toBe(
      '/api/admin/leads?cursor=a%3Db%26c',
    );
  });
});

test('an error has the problem document that the API answered', () => {
  const problem = { type: 'urn:problem:not-found', title: 'Not found', status: 404 };

  expect(new HttpError(404, JSON.stringify(problem), '').problem).toEqual(problem);
});

test.for(['', '<html>', 'null', '{"title":"No"}', '{"type":"a","title":"b","errors":"c"}'])(
  'an error has no problem document if a proxy answered %s',
  (body) => {
    expect(new HttpError(502, body, '').problem).toBeUndefined();
  },
);
