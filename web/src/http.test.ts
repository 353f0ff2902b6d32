import { afterEach, describe, expect, test, vi } from 'vitest';
import { callApi, HttpError, toUrl } from './http.ts';

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
});

describe('URLs', () => {
  test('a URL has the parameters of the path filled in and encoded', () => {
    expect(toUrl('GET /api/admin/leads/:id', { params: { id: 'a/b' } })).toBe(
      '/api/admin/leads/a%2Fb',
    );
  });

  test('a URL leaves out null, undefined and empty values, and joins a list with commas', () => {
    const query = {
      search: 'priya@northgate.example',
      source: '',
      status: undefined,
      ids: ['1', '2'],
    };

    expect(toUrl('GET /api/admin/leads/export/csv', { query })).toBe(
      '/api/admin/leads/export/csv?search=priya%40northgate.example&ids=1%2C2',
    );
    expect(toUrl('GET /api/admin/leads', { query: { upTo: null } })).toBe('/api/admin/leads');
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
