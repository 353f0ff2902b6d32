import { createLogger } from '@site/platform/process/logger';
import { createFixedClock } from '../testing/fixed-clock.ts';
import type { PageRequest } from '@site/schema/page-render';
import { DEFAULT_SITE_SETTINGS } from '@site/schema/site-settings';
import express from 'express';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test as base } from 'vitest';
import { answerProblems } from '../http/problem.ts';
import { plainSite } from '../testing/site.fixture.ts';
import { createSitePages } from './site-pages.ts';
import { siteRoutes } from './site.routes.ts';

const SCRIPT = 'console.log(1)';
const START = new Date('2025-12-02T08:59:59.999Z');

type Answer = { status: number; headers: IncomingMessage['headers']; body: Buffer };

/** The site's routes over a folder with one script, and a record of the renderer's requests. */
// oxlint-disable-next-line no-empty-pattern -- the fixture needs no other
const test = base.extend('site', async ({}, { onCleanup }) => {
  const folder = mkdtempSync(join(tmpdir(), 'site-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), 'the bare page');
  writeFileSync(join(folder, 'assets/app-1.js'), SCRIPT);
  writeFileSync(join(folder, 'assets/app-1.js.br'), brotliCompressSync(SCRIPT));
  const clock = createFixedClock(START);
  const asked: PageRequest[] = [];
  const plain = plainSite();
  const built = plainSite({
    folder,
    render: (page) => {
      asked.push(page);
      return plain.render(page);
    },
  });
  const settings = { site: { ...DEFAULT_SITE_SETTINGS, publicUrl: 'https://site.example' } };
  const pages = createSitePages(built, { clock, settings });
  const app = express().use(
    siteRoutes({ pages, settings, clock }),
    answerProblems(createLogger({ service: 'api', level: 'silent' })),
  );
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onCleanup(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });
  // Not fetch, which would decompress the body.
  const get = async (path: string, encoding = 'identity', range = ''): Promise<Answer> => {
    const { port } = server.address() as AddressInfo;
    const sent = request({
      port,
      path,
      host: '127.0.0.1',
      headers: { 'Accept-Encoding': encoding, ...(range && { Range: range }) },
    }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk as Buffer);
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) };
  };
  return {
    get,
    clock,
    asked,
    folder,
    pages,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  };
});

describe('a page', () => {
  test('a page contains its head, its content and its settings', async ({ site }) => {
    const html = (await site.get('/sample-sent')).body.toString();

    expect(html).toContain('<title>/sample-sent</title></head>');
    expect(html).toMatch(/<div id="root"><pre>.+<\/pre><\/div>/);
    expect(html).toContain('"offerPhase":"launch"');
    expect(html).toContain(`"renderedAt":"${START.toISOString()}"`);
  });

  test('the page after a sample shows how a checkout ended, and no other query', async ({
    site,
  }) => {
    const queries = [
      '?checkout=cancelled',
      '?checkout=failed',
      '?checkout=other',
      '?checkout=failed&utm_source=s',
      '',
    ];
    for (const query of queries) await site.get(`/sample-sent${query}`);

    expect(site.asked.map(({ path }) => path)).toEqual([
      '/sample-sent?checkout=cancelled',
      '/sample-sent?checkout=failed',
      '/sample-sent',
    ]);
  });

  test('a page is the same in every encoding', async ({ site }) => {
    const [plain, gzip, br] = await Promise.all([
      site.get('/'),
      site.get('/', 'gzip'),
      site.get('/', 'gzip, deflate, br'),
    ]);

    expect([plain, gzip, br].map(({ headers }) => headers['content-encoding'])).toEqual([
      undefined,
      'gzip',
      'br',
    ]);
    expect(gunzipSync(gzip.body)).toEqual(plain.body);
    expect(brotliDecompressSync(br.body)).toEqual(plain.body);
    expect(br.headers).toMatchObject({ vary: 'Accept-Encoding', 'cache-control': 'no-cache' });
  });

  test('a page is rendered once an hour, because issues leave on the hour', async ({ site }) => {
    await Promise.all([site.get('/'), site.get('/'), site.get('/')]);
    expect(site.asked).toHaveLength(1);

    site.clock.moveTo(new Date('2025-12-02T09:00:00Z'));
    await site.get('/');

    expect(site.asked.map(({ now }) => now.toISOString())).toEqual([
      START.toISOString(),
      '2025-12-02T09:00:00.000Z',
    ]);
  });

  test('the console’s page is rendered, and not for search engines', async ({ site }) => {
    const { body, headers } = await site.get('/admin-leads');

    expect(body.toString()).toContain('"path":"/admin-leads"');
    expect(headers['x-robots-tag']).toBe('noindex');
  });
});

describe('any other path', () => {
  test('any other path is named on the 404 page, as text', async ({ site }) => {
    const { status, body } = await site.get('/a%20%3Cb%3E$&');

    expect(status).toBe(404);
    expect(body.toString()).toContain('/a &lt;b&gt;$&amp;');
    expect(site.asked.map(({ path }) => path)).toEqual(['/unknown-path-mark']);
  });

  test.for([
    '/index.html',
    '/%E0%A4%A',
    '/assets/none.js',
    '/assets/..%2findex.html',
    '/.vite/manifest.json',
    '/assets/',
  ])('an unknown URL that looks like %s gets the 404 page', async (path, { site }) => {
    const { status, body } = await site.get(path);

    expect(status).toBe(404);
    expect(body.toString()).not.toContain('the bare page');
  });
});

describe('a hashed file', () => {
  test('a hashed file is cached for a year, and sent as it was compressed at build', async ({
    site,
  }) => {
    const br = await site.get('/assets/app-1.js', 'br');

    expect(br.headers).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': expect.stringContaining('javascript'),
    });
    expect(brotliDecompressSync(br.body).toString()).toBe(SCRIPT);
    expect((await site.get('/assets/app-1.js')).body.toString()).toBe(SCRIPT);
  });

  test.for([
    ['bytes=0-6', 206, 'console'],
    ['bytes=99-', 416, undefined],
    ['bytes=9-2', 416, undefined],
    ['bytes=-3', 206, '(1)'],
    ['bytes=x-', 200, SCRIPT],
    ['bytes=0-1,3-4', 200, SCRIPT],
  ] as const)(
    'a hashed file answers the range %s with %i',
    async ([range, status, body], { site }) => {
      const answer = await site.get('/assets/app-1.js', 'identity', range);

      expect(answer.status).toBe(status);
      if (body !== undefined) expect(answer.body.toString()).toBe(body);
    },
  );

  test('a precondition that does not hold is refused', async ({ site }) => {
    const answer = await fetch(`${site.url}/assets/app-1.js`, {
      headers: { 'If-Match': '"another"' },
    });

    expect(answer.status).toBe(412);
  });

  test('a file that has gone since the start gets a readable 404 page', async ({ site }) => {
    rmSync(join(site.folder, 'assets'), { recursive: true });

    const { status, headers, body } = await site.get('/assets/app-1.js', 'br');

    expect(status).toBe(404);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
    });
    expect(body.toString()).toContain('/assets/app-1.js');
  });
});
