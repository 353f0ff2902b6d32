import fc from 'fast-check';
import { expect } from 'vitest';
import type { OpenApiDocument } from '../openapi/document.ts';
import { planSetUp } from '../stripe/set-up.ts';
import { test } from '../testing/api.fixture.ts';

/** Internal details that must never be in an answer. */
const LEAKS =
  /node_modules|\.ts:\d|\bat \w+ \(|select .+ from|insert into|ECONN|knex|pg-protocol|sk_test_|whsec_|argon2/i;

const NASTY = [
  '',
  ' ',
  '\0',
  "' or 1=1 --",
  '<script>',
  '../../etc/passwd',
  '\uD800',
  '𝒳'.repeat(300),
  '-1',
  'NaN',
  '2026-02-30',
  '[]',
  '{}',
  'null',
  '%',
  '\r\nX-Injected: 1',
];
const PLAUSIBLE = [
  'a@b.example',
  'pre_buy',
  'pre_sample',
  'monthly15',
  'cta-monthly-15',
  'sample-sent',
  'sent',
  '2026-07-01',
  '01a1f835-30a7-721b-8211-2f2aad860b16',
  'cs_test_1',
];

const text = fc.oneof(
  fc.constantFrom(...NASTY),
  fc.constantFrom(...PLAUSIBLE),
  fc.string({ unit: 'binary', maxLength: 40 }),
);
const value = fc.oneof({ weight: 3, arbitrary: text }, fc.jsonValue({ maxDepth: 3 }));

type Schema = { properties?: Record<string, unknown> };
type OperationObject = {
  responses?: Record<string, { content?: Record<string, unknown> }>;
  parameters?: { name: string; in: string }[];
  requestBody?: { content?: Record<string, { schema?: Schema }> };
};

/** A stream never ends, so its own tests cover odd requests. */
const isStream = ({ responses = {} }: OperationObject) =>
  Object.values(responses).some(({ content = {} }) => 'text/event-stream' in content);

type Operation = { method: string; path: string; operation: OperationObject };

const listOperations = ({ paths }: OpenApiDocument): Operation[] =>
  Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operation: operation as OperationObject,
      })),
    )
    .filter(({ path, operation }) => !isStream(operation) && !path.startsWith('/api/docs'))
    // Signing in comes last: failed logins would lock the operator out.
    .sort((a, b) => Number(a.path.endsWith('/login')) - Number(b.path.endsWith('/login')));

/** Generates requests shaped like this operation's, with anything in every place. */
function requestFor({ method, path, operation }: Operation) {
  const schema = operation.requestBody?.content?.['application/json']?.schema;
  const fields = Object.keys(schema?.properties ?? { email: 0, formType: 0 });
  const queries = operation.parameters?.filter((parameter) => parameter.in === 'query').map(({ name }) => name) ?? [];
  return fc.record({
    method: fc.constant(method),
    path: text.map((piece) =>
      path.replaceAll(/\{\w+\}/g, encodeURIComponent(piece.replaceAll(/\p{Surrogate}/gu, '')) || 'x'),
    ),
    query: fc.dictionary(fc.constantFrom(...queries, 'unknown'), text, { maxKeys: 4 }),
    body: fc.oneof(fc.dictionary(fc.constantFrom(...fields, '__proto__', 'extra'), value, { maxKeys: 8 }), value),
  });
}

test('any request at all is answered without a 5xx and without internal details', async ({ sandbox, newApi }) => {
  const api = await newApi({ RATE_LIMIT_LEADS_PER_MINUTE: '0' }, { stripeUrl: sandbox.url });
  for (const change of await planSetUp(api.deps.stripe)) await change.apply();
  const { json: document } = await api.call('GET', '/api/openapi.json');
  let operator = await api.logIn();

  for (const operation of listOperations(document)) {
    // A request may have signed the operator out.
    if ((await api.call('GET', '/api/admin/me', { headers: operator })).status === 401) operator = await api.logIn();
    await fc.assert(
      fc.asyncProperty(requestFor(operation), fc.boolean(), async (request, isOperator) => {
        const query = new URLSearchParams(
          Object.entries(request.query).map(([name, given]) => [name, given.replaceAll(/\p{Surrogate}/gu, '')]),
        );
        const answer = await api.call(request.method, `${request.path}?${query.toString()}`, {
          ...(request.method === 'GET' ? {} : { body: JSON.stringify(request.body) ?? '' }),
          headers: isOperator ? operator : {},
        });
        expect(answer.status).toBeLessThan(500);
        if (answer.status >= 400) expect(answer.text).not.toMatch(LEAKS);
        expect(answer.headers.get('x-injected')).toBeNull();
      }),
      { numRuns: 20 },
    );
  }
}, 120_000);
