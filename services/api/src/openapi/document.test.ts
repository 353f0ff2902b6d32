import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect } from 'vitest';
import { createApp } from '../app.ts';
import { test } from '../testing/api.fixture.ts';
import { checkConformance } from '../testing/conformance.ts';
import { listRoutes } from '../testing/registered-routes.ts';
import { createOpenApiDocument } from './document.ts';

const documented = () =>
  Object.entries(createOpenApiDocument('http://site.example').paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method} ${path}`),
  );

describe('the document', () => {
  test('has every route of the app, and no other', async ({ api }) => {
    const routes = listRoutes(() => createApp(api.deps)).map(
      ({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
    );

    // What stands elsewhere is the site's, for browsers, but for the probes that the document has as well.
    const calls = routes.filter((route) => route.includes(' /api/') || documented().includes(route));
    expect(calls.sort()).toEqual(documented().sort());
  });

  test('is served, and names where the API is', async ({ api }) => {
    const { json } = await api.call('GET', '/api/openapi.json');

    expect(json).toMatchObject({ openapi: '3.1.1', servers: [{ url: api.deps.settings.publicUrl }] });
    expect(json).toEqual(JSON.parse(JSON.stringify(createOpenApiDocument(api.deps.settings.publicUrl))));
  });

  test('holds schemas that compile, each with everything that it refers to', () => {
    const document = createOpenApiDocument('http://site.example');
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(document, 'api');

    const schemas = Object.keys(document.components.schemas);
    for (const name of schemas) ajv.compile({ $ref: `api#/components/schemas/${name}` });
    const references = JSON.stringify(document).match(/"\$ref":"[^"]+"/g) ?? [];
    const missing = references.filter((text) => !schemas.some((name) => text.endsWith(`/${name}"`)));

    expect(missing).toEqual([]);
  });

  test('says of each field of a lead what it takes', () => {
    const operation = createOpenApiDocument('').paths['/api/lead/subscribe']?.['post'] as any;
    const { properties, required } = operation.requestBody.content['application/json'].schema;

    expect(required).toEqual(['email', 'formType']);
    expect(Object.entries(properties).filter(([, schema]) => (schema as any).type === undefined)).toEqual([]);
    expect(operation.parameters).toContainEqual(expect.objectContaining({ name: 'Idempotency-Key', in: 'header' }));
  });
});

describe('an answer that is not as the document has it', () => {
  const answer = {
    method: 'GET',
    path: '/livez',
    status: 200,
    contentType: 'application/json; charset=utf-8',
    requestId: 'r1',
    text: '{"status":"ok"}',
  };

  test.for([
    ['status', { status: 418 }, 'status is not documented'],
    ['content type', { contentType: 'text/html' }, 'content type text/html'],
    ['field', { text: '{"status":"ok","secret":1}' }, 'additional properties'],
    ['value', { text: '{"status":"well"}' }, 'constant'],
    ['missing request id', { requestId: null }, 'X-Request-Id'],
    ['call', { path: '/api/unheard-of' }, 'no such call'],
    ['method', { method: 'POST' }, 'no such call'],
    ['body', { path: '/api/track', method: 'POST', status: 204 }, 'it has a body'],
  ] as const)('fails the test for its %s', ([, change, message]) => {
    expect(() => checkConformance(answer)).not.toThrow();
    expect(() => checkConformance({ ...answer, ...change })).toThrow(message);
  });
});

describe('the page that shows it', () => {
  test('loads all it needs from here, and runs under the site’s policy', async ({ api }) => {
    const page = await api.call('GET', '/api/docs');
    const files = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!);

    expect(page.headers.get('content-security-policy')).toContain("script-src 'self';");
    expect(page.text).not.toMatch(/<script>|\son\w+=/);
    expect(files).toHaveLength(3);
    for (const path of files) {
      const file = await api.call('GET', path);
      expect(file).toMatchObject({ status: 200 });
      expect(path).toMatch(/^\/api\/docs\//);
    }
  });
});
