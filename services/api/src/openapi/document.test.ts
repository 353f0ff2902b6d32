// @module-tag long
import { Ajv2020 } from 'ajv/dist/2020.js';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect } from 'vitest';
import { hashPassword, storeOperator } from '../admin/operators/operators.ts';
import { createApp } from '../app.ts';
import { OPERATOR, test as base } from '../testing/api.fixture.ts';
import { listRoutes } from '../testing/registered-routes.ts';
import type { OpenApiDocument } from './document.ts';

const test = base.extend(
  'document',
  { scope: 'file' },
  async ({ sharedApi }): Promise<OpenApiDocument> =>
    (await sharedApi.call('GET', '/api/openapi.json')).json,
);

const listCalls = (document: OpenApiDocument) =>
  Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => ({ method, path, operation: operations[method]! })),
  );

describe('the API document', () => {
  test('the API document contains every route of the app, and no other', async ({
    sharedApi: api,
    document,
  }) => {
    const documented = listCalls(document).map(({ method, path }) => `${method} ${path}`);
    const routes = listRoutes(() => createApp(api.deps)).map(
      ({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
    );

    // Pages of the site are not in the document, but the probes are.
    const calls = routes.filter((route) => route.includes(' /api/') || documented.includes(route));
    expect(calls.sort()).toEqual(documented.sort());
  });

  test('the API document gives each call an id and a tag of its own', async ({ document }) => {
    const calls = listCalls(document).map(({ operation }) => operation);
    const ids = calls.map(({ operationId }) => operationId);

    expect(new Set(ids).size).toBe(ids.length);
    expect(calls.flatMap(({ tags }) => tags)).toHaveLength(calls.length);
  });

  test('the API document names the calls that need a session, and they do need one', async ({
    sharedApi: api,
    document,
  }) => {
    for (const { method, path, operation } of listCalls(document).filter(({ path }) =>
      path.startsWith('/api/admin/'),
    )) {
      const answer = await api.call(
        method.toUpperCase(),
        path,
        method === 'post' ? { body: {} } : {},
      );
      const isForOperators = (operation['security'] as unknown[]).length > 0;
      expect([path, answer.status === 401]).toEqual([path, isForOperators]);
    }
  });

  test('the API document marks the public calls', async ({ document }) => {
    expect(document.paths['/api/lead/subscribe']?.['post']?.['security']).toEqual([]);
    expect(document.paths['/api/admin/leads']?.['get']?.['security']).toEqual([{ operator: [] }]);
  });

  test('the API document names the URL of the API', async ({ sharedApi: api, document }) => {
    expect(document).toMatchObject({
      openapi: '3.1.1',
      servers: [{ url: api.deps.settings.publicUrl }],
    });
  });

  test('the API document contains schemas that compile, with everything they refer to', async ({
    document,
  }) => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(document, 'api');

    const schemas = Object.keys(document.components.schemas);
    for (const name of schemas) ajv.compile({ $ref: `api#/components/schemas/${name}` });
    const references = JSON.stringify(document).match(/"\$ref":"[^"]+"/g) ?? [];
    const missing = references.filter(
      (text) => !schemas.some((name) => text.endsWith(`/${name}"`)),
    );

    expect(missing).toEqual([]);
  });

  test('the API document gives the type of each field of a request body', async ({ document }) => {
    const bodies = listCalls(document).map(({ path, operation }) => {
      const { requestBody } = operation as any;
      const schema = requestBody?.content['application/json'].schema ?? {};
      return {
        path,
        required: schema.required,
        properties: Object.entries<any>(schema.properties ?? {}),
      };
    });
    const untyped = bodies.flatMap(({ path, properties }) =>
      properties
        .filter(([, schema]) => !schema.type && !schema.anyOf)
        .map(([name]) => `${path} ${name}`),
    );

    expect(untyped).toEqual([]);
    expect(bodies).toContainEqual(
      expect.objectContaining({ path: '/api/lead/subscribe', required: ['email', 'formType'] }),
    );
    expect(document.paths['/api/lead/subscribe']?.['post']?.['parameters']).toContainEqual(
      expect.objectContaining({ name: 'Idempotency-Key', in: 'header' }),
    );
  });
});

describe('the documentation page', () => {
  test('in production the document and its page are for operators only', async ({
    newApi,
    onTestFinished,
  }) => {
    const api = await newApi({ PUBLIC_URL: 'https://ledger.example' });
    const app = createApp({ ...api.deps, settings: { ...api.deps.settings, isProduction: true } });
    const server = app.listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    await storeOperator(api.deps.db, OPERATOR.username, await hashPassword(OPERATOR.password));
    const https = { 'X-Forwarded-Proto': 'https' };
    const login = await api.call('POST', '/api/admin/login', { body: OPERATOR, headers: https });
    const headers = { ...https, Cookie: login.headers.get('set-cookie')?.split(';')[0] ?? '' };

    for (const path of [
      '/api/openapi.json',
      '/api/docs',
      '/api/docs/start.js',
      '/api/docs/swagger-ui.css',
    ]) {
      const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
      const [stranger, operator] = await Promise.all([fetch(address), fetch(address, { headers })]);
      expect([path, stranger.status, operator.status]).toEqual([path, 401, 200]);
    }
  });

  test('the documentation page loads from this server alone, under the site’s policy', async ({
    sharedApi: api,
  }) => {
    const page = await api.call('GET', '/api/docs');
    const files = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!);

    expect(page.headers.get('content-security-policy')).toContain("script-src 'self';");
    expect(page.text).not.toMatch(/<script>|\son\w+=/);
    expect(files).toHaveLength(3);
    for (const path of files) {
      const file = await api.call('GET', path);
      expect(file).toMatchObject({ status: 200 });
      expect(file.headers.get('content-encoding')).toMatch(/br|gzip/);
      expect(file.headers.get('cache-control')).toBe('private, max-age=3600');
      expect(path).toMatch(/^\/api\/docs\//);
    }
  });
});
