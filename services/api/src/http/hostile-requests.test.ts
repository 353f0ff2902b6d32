// @module-tag long
import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { test } from '../testing/api.fixture.ts';
import type { Api } from '../testing/api.fixture.ts';
import { portOf, sendRaw } from '../testing/raw-request.ts';
import { createHttpServer } from './server.ts';

const lead = { email: 'priya@northgate.example', formType: 'pre_buy' };
/** Internal details that must never be in an answer: stacks, SQL, paths, driver messages. */
const LEAKS =
  /node_modules|\.ts:\d|\.js:\d|\bat .+\(|select .+ from|insert into|ECONN|knex|postgres|syntax error/i;

/** Sends a path exactly as written, which fetch would normalise. */
async function getExactly(api: Api, path: string): Promise<{ status: number; body: string }> {
  const sent = request({ host: '127.0.0.1', port: portOf(api), path, method: 'GET' });
  sent.end();
  const [answer] = await once(sent, 'response');
  let body = '';
  for await (const chunk of answer) body += String(chunk);
  return { status: answer.statusCode, body };
}

test.for([
  ['a path that leaves the folder', '/assets/../../../../etc/passwd'],
  ['the same, encoded', '/assets/%2e%2e%2f%2e%2e%2fetc%2fpasswd'],
  ['the same, twice encoded', '/assets/%252e%252e%252fetc/passwd'],
  ['a NUL in a path', '/assets/x%00.js'],
  ['a broken escape', '/%E0%A4%A'],
  ['a path of another site', '//evil.example/%2f..'],
  ['a script in a path', '/<script>alert(1)</script>'],
  ['a hidden file', '/.env'],
  ['a very long path', `/${'a'.repeat(8_000)}`],
] as const)('%s finds nothing', async ([, path], { sharedApi: api }) => {
  const { status, body } = await getExactly(api, path);

  expect([400, 404]).toContain(status);
  expect(body).not.toContain('root:');
  expect(body).not.toContain('<script>alert');
  expect(body).not.toMatch(LEAKS);
});

test.for([
  [
    'a poisoned prototype',
    '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}},"email":"a@b.example","formType":"pre_buy"}',
    201,
  ],
  [
    'brackets ten thousand deep',
    `{"email":${'['.repeat(10_000)}${']'.repeat(10_000)},"formType":"pre_buy"}`,
    422,
  ],
  ['a number no one can hold', '{"email":1e999,"formType":"pre_buy"}', 422],
  [
    'SQL in every field',
    JSON.stringify({
      email: "a'--@b.example",
      fullName: "'); drop table leads; --",
      formType: 'pre_buy',
    }),
    201,
  ],
  [
    'NUL and lone surrogates',
    '{"email":"a@b.example","formType":"pre_buy","fullName":"A\\u0000B\\ud800","message":"\\u0000"}',
    201,
  ],
  [
    'text in both directions',
    JSON.stringify({ ...lead, fullName: 'שלום \u202Egnp.exe', company: '👩‍👩‍👧'.repeat(80) }),
    201,
  ],
  ['a key sent twice', '{"email":"x","email":"a@b.example","formType":"pre_buy"}', 201],
] as const)('%s is stored as text or refused', async ([, body, status], { api, db }) => {
  const answer = await api.call('POST', '/api/lead/subscribe', { body });

  expect(answer.status).toBe(status);
  expect(answer.text).not.toMatch(LEAKS);
  expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
  expect(await db('leads')).toHaveLength(status === 201 ? 1 : 0);
});

test('a small body that decompresses to a huge one is refused', async ({ sharedApi: api }) => {
  const bomb = gzipSync(Buffer.from(`{"email":"${'a'.repeat(5_000_000)}"}`));
  const response = await fetch(`${api.url}/api/lead/subscribe`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
    body: bomb,
  });

  expect(response.status).toBe(413);
});

test.for([
  ['another charset', { 'Content-Type': 'application/json; charset=iso-8859-1' }],
  ['an unknown encoding', { 'Content-Type': 'application/json', 'Content-Encoding': 'pack200' }],
  ['no media type', { 'Content-Type': '' }],
  ['a type from a plain form', { 'Content-Type': 'text/plain' }],
] as const)('%s is refused as a media type', async ([, headers], { sharedApi: api }) => {
  expect(
    (await api.call('POST', '/api/lead/subscribe', { body: JSON.stringify(lead), headers })).status,
  ).toBe(415);
});

test.for(['PUT', 'PATCH', 'DELETE'] as const)(
  '%s is refused on a call that does not support it',
  async (method, { sharedApi: api }) => {
    const answer = await api.call(method, '/api/lead/subscribe', { body: lead });

    expect([404, 405]).toContain(answer.status);
  },
);

test.for([
  ['GET', '/API/admin/leads'],
  ['GET', '/api/ADMIN/leads'],
  ['GET', '/api/admin/LEADS'],
  ['POST', '/api/Admin/login'],
  ['POST', '/API/ADMIN/LOGOUT'],
  ['GET', '/METRICS'],
] as const)(
  '%s %s is not found: a path has one case',
  async ([method, path], { sharedApi: api }) => {
    const body = method === 'POST' ? { username: 'j.holt', password: 'guess' } : undefined;

    const answer = await api.call(method, path, { body, headers: await api.logIn() });

    expect([401, 404]).toContain(answer.status);
    expect(answer.text).not.toMatch(LEAKS);
  },
);

test.for([
  ['http://ledger.example/api/admin/me', 401],
  ['http://ledger.example/livez?x', 200],
  ['http://ledger.example', 200],
  ['http://%00/subscribe', 400],
  ['http://a b/subscribe', 400],
  ['http:///subscribe', 200],
  ['mailto:somebody', 400],
  ['http://[/livez', 400],
  ['*', 400],
  ['//subscribe', 404],
] as const)(
  'the request target %s is answered %i',
  async ([target, status], { sharedApi: api }) => {
    const answer = await sendRaw(
      portOf(api),
      `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );

    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status === 400 ? '40[04]' : status} `));
    expect(answer).not.toMatch(LEAKS);
  },
);

test('headers beyond 16 KiB are refused', async ({ databaseUrl }) => {
  expect(databaseUrl).toBeDefined();
  const server = createHttpServer((_req, res) => res.end('reached'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const answer = await sendRaw(
    (server.address() as AddressInfo).port,
    `GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${'a'.repeat(20_000)}\r\n\r\n`,
  );
  server.close();

  expect(answer).toMatch(/^HTTP\/1\.1 431/);
});

test('an idle connection is kept longer than load balancers keep theirs', async ({
  databaseUrl,
}) => {
  expect(databaseUrl).toBeDefined();
  const server = createHttpServer((_req, res) => res.end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  server.close();

  expect(answer.headers.get('Keep-Alive')).toMatch(/^timeout=65\b/);
});

test.for([
  ['never ends its headers', 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: a'],
  [
    'never sends its body',
    'POST /api/lead/subscribe HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{',
  ],
] as const)('a client that %s is disconnected', async ([, bytes], { sharedApi: api }) => {
  const server = createHttpServer((req, res) => req.on('end', () => res.end()).resume(), {
    headersMs: 300,
    requestMs: 300,
    checkEveryMs: 50,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const answer = await sendRaw((server.address() as AddressInfo).port, bytes);
  server.close();

  expect(answer).toMatch(/^HTTP\/1\.1 408/);
  expect((await api.call('GET', '/livez')).status).toBe(200);
});

test('a body with two lengths is refused, so that no request is smuggled behind it', async ({
  sharedApi: api,
}) => {
  const answer = await sendRaw(
    portOf(api),
    'POST /api/lead/subscribe HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /api/admin/leads HTTP/1.1\r\nHost: x\r\n\r\n',
  );

  expect(answer).toMatch(/^HTTP\/1\.1 400/);
  expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
});

test('a forged forwarding header does not change the client that is limited', async ({
  api,
  db,
}) => {
  if (api.deps.redis.status !== 'ready') await once(api.deps.redis, 'ready');
  const statuses = [];
  for (let n = 0; n < 31; n++) {
    const body = { ...lead, email: `n${n}@reader.example` };
    statuses.push(
      (
        await api.call('POST', '/api/lead/subscribe', {
          body,
          headers: { 'X-Forwarded-For': `10.0.0.${n}` },
        })
      ).status,
    );
  }

  expect(statuses.at(-1)).toBe(429);
  expect(await db('leads').distinct('ipAddress')).toEqual([{ ipAddress: '127.0.0.1' }]);
});

test.for([
  ['made up', 'operator=s%3Amade-up.signature'],
  ['not even signed', 'operator=abc'],
  ['full of signs', `operator=%00%ff'"; drop=1`],
] as const)('a cookie that is %s opens nothing', async ([, cookie], { sharedApi: api }) => {
  expect((await api.call('GET', '/api/admin/leads', { headers: { Cookie: cookie } })).status).toBe(
    401,
  );
});

test('signing in starts a new session, so that a planted one is worthless', async ({ api }) => {
  const first = await api.logIn();
  const second = await api.call('POST', '/api/admin/login', {
    body: { username: 'j.holt', password: 'correct horse battery' },
    headers: first,
  });

  expect(second.headers.get('set-cookie')?.split(';')[0]).not.toBe(first['Cookie']);
  expect((await api.call('GET', '/api/admin/me', { headers: first })).status).toBe(401);
});

test('every answer carries the headers that protect a browser', async ({ sharedApi: api }) => {
  for (const path of ['/', '/nothing', '/api/nothing', '/livez', '/admin-leads']) {
    const { headers } = await api.call('GET', path);
    expect(headers.get('content-security-policy')).toMatch(/script-src 'self'[^;]*;/);
    expect(headers.get('content-security-policy')).not.toMatch(/script-src[^;]*unsafe-inline/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
    expect(headers.get('permissions-policy')).toContain('camera=()');
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('content-type')).toMatch(/; charset=utf-8$/);
    if (path.startsWith('/api')) expect(headers.get('cache-control')).toBe('no-store');
  }
});
