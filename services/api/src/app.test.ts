import { describe, expect } from 'vitest';
import { test } from './testing/api.fixture.ts';

describe('the site', () => {
  test.for(['/', '/sample-sent', '/thank-you', '/admin-leads'])(
    'the site serves %s with its settings in it',
    async (path, { sharedApi: api }) => {
      const answer = await api.call('GET', path);

      expect(answer.status).toBe(200);
      expect(answer.text).toContain('"offerPhase":"launch"');
    },
  );

  test.for([
    '/nothing',
    '/admin-leads/x',
    '/..%2f..%2fetc/passwd',
    '/%E0%A4%A',
    '/index.php',
    '//evil.example',
  ])('the site answers %s with the 404 page and status', async (path, { sharedApi: api }) => {
    const answer = await api.call('GET', path);

    expect([404, 400]).toContain(answer.status);
    expect(answer.text).not.toContain('Error:');
  });

  test('security.txt names the place to report a weakness', async ({ newApi }) => {
    const api = await newApi({
      SUPPORT_EMAIL: 'help@ledger.example',
      PUBLIC_URL: 'https://ledger.example',
    });
    const { headers, text } = await api.call('GET', '/.well-known/security.txt');

    expect(headers.get('content-type')).toContain('text/plain');
    expect(text).toContain('Contact: mailto:help@ledger.example\n');
    const expires = Date.parse(/^Expires: (.+)$/m.exec(text)![1]!);
    expect(expires - api.clock.now().getTime()).toBeLessThan(365 * 86_400_000);
  });

  test('a setting that would end its script block is escaped', async ({ newApi }) => {
    const api = await newApi({ TRADER_NAME: '</script><script>alert(1)</script>' });

    expect((await api.call('GET', '/')).text).not.toContain('<script>alert');
  });
});

describe('the API', () => {
  test('the API answers an unknown URL with a JSON 404', async ({ sharedApi: api }) => {
    expect(await api.call('GET', '/api/nothing')).toMatchObject({
      status: 404,
      json: { type: 'urn:problem:not-found' },
    });
    expect((await api.call('POST', '/api/lead/other', { body: {} })).status).toBe(404);
  });

  test('the API counts the two upsell presses and refuses others', async ({ api, db }) => {
    const track = (event: string) =>
      api.call('POST', '/api/track', { body: { event, page: 'sample-sent' } });

    expect((await track('cta-monthly-15')).status).toBe(204);
    expect((await track('cta-other')).status).toBe(422);
    expect(await db('tracked_events')).toMatchObject([
      { event: 'cta-monthly-15', page: 'sample-sent' },
    ]);
  });

  test('no third-party script is allowed by default', async ({ sharedApi: api }) => {
    const policy = (await api.call('GET', '/')).headers.get('content-security-policy');

    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
  });

  test('configured third parties are allowed on the site, none in the console', async ({
    newApi,
  }) => {
    const api = await newApi({
      ANALYTICS_ID: 'G-TEST',
      CHAT_WIDGET_URL: 'https://chat.example/w.js',
    });
    const policyOf = async (path: string) =>
      (await api.call('GET', path)).headers.get('content-security-policy')?.split(';');
    const hosts = (policy: string[] | undefined) => policy?.join(' ').match(/\S*(?::\/\/|\.)\S*/g);

    expect(await policyOf('/')).toContainEqual(
      expect.stringMatching(/^script-src 'self' .*https:\/\/chat\.example$/),
    );
    for (const path of [
      '/admin-leads',
      '/admin-leads/',
      '/admin-leads?view=money',
      '/api/admin/leads',
      '/API/Admin',
    ]) {
      const policy = await policyOf(path);
      expect(policy).toEqual(expect.arrayContaining(["script-src 'self'", "connect-src 'self'"]));
      expect(hosts(policy)).toBeNull();
    }
    // These URLs do not show the console.
    expect(hosts(await policyOf('/ADMIN-LEADS'))).not.toBeNull();
    expect(hosts(await policyOf('/admin%2Dleads'))).not.toBeNull();
  });

  test('a plain request id is accepted, and any other is replaced', async ({ sharedApi: api }) => {
    const idFor = async (given: string) =>
      (await api.call('GET', '/livez', { headers: { 'X-Request-Id': given } })).headers.get(
        'x-request-id',
      );

    expect(await idFor('trace-1')).toBe('trace-1');
    expect(await idFor('a b')).not.toBe('a b');
  });
});
