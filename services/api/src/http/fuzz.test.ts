import fc from 'fast-check';
import { expect, inject } from 'vitest';
import type { OpenApiDocument } from '../openapi/document.ts';
import { planSetUp } from '../stripe/set-up.ts';
import { test } from '../testing/api.fixture.ts';
import { portOf, sendRaw } from '../testing/raw-request.ts';

declare module 'vitest' {
  interface ProvidedContext {
    isFuzzWhole: boolean;
  }
}

/** Internal details that must never be in an answer. */
const LEAKS =
  /node_modules|\.ts:\d|\bat \w+ \(|select .+ from|insert into|\bECONN|\bknex\b|pg-protocol|sk_test_|whsec_|argon2/i;

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

/** `npm run drill` sends every text in every parameter, and more random requests. */
const isWhole = inject('isFuzzWhole');
const FOREIGN = 'ﷺ\u202Eعربى漢字नमस्ते\u0301👩‍👩‍👧‍👦𓀀';
const EACH = isWhole ? ['\0', FOREIGN, ...NASTY, ...PLAUSIBLE] : ['\0'];
const RUNS = isWhole ? 60 : 6;
const LIMIT = { timeout: isWhole ? 1_800_000 : 120_000, tags: ['long'] };
/**
 * Longer URLs are refused before they reach us. One body is within the limit, and one is over it.
 */
const HUGE = isWhole
  ? { address: ['x'.repeat(8_000)], body: ['x'.repeat(60_000), FOREIGN.repeat(3_000)] }
  : null;

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

/** Requests that once failed, as methods, cases of paths, ranges and targets. */
const RANGES = ['bytes=9-2', 'bytes=99999999-', 'bytes=-', 'bytes=-5', 'lines=1-', 'bytes=0-0,2-2'];
const TARGETS = [
  'http://%00/subscribe',
  'http://a b/subscribe',
  'http:///subscribe',
  'mailto:x',
  '*',
  '//subscribe',
];

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
    // Signing in comes last, because failed logins would lock the operator out.
    .sort((a, b) => Number(a.path.endsWith('/login')) - Number(b.path.endsWith('/login')));

/** Lists the names of an operation's parameters and fields. */
function namesOf({ parameters, requestBody }: OperationObject) {
  const schema = requestBody?.content?.['application/json']?.schema;
  return {
    fields: Object.keys(schema?.properties ?? { email: 0, formType: 0 }),
    queries:
      parameters?.filter((parameter) => parameter.in === 'query').map(({ name }) => name) ?? [],
  };
}

type Shape = {
  method: string;
  path: string;
  range: string | null;
  query: Record<string, string>;
  body: unknown;
};

/** Generates requests shaped like this operation's, with anything in every place. */
function requestFor({ method, path, operation }: Operation) {
  const { fields, queries } = namesOf(operation);
  const filled = text.map((piece) => fill(path, piece));
  return fc.record({
    method: method === 'GET' ? fc.constantFrom('GET', 'HEAD') : fc.constant(method),
    path: fc.oneof({ weight: 4, arbitrary: filled }, fc.mixedCase(filled)),
    range: fc.option(fc.constantFrom(...RANGES)),
    query: fc.dictionary(fc.constantFrom(...queries, 'unknown'), text, { maxKeys: 4 }),
    body: fc.oneof(
      fc.dictionary(fc.constantFrom(...fields, '__proto__', 'extra'), value, { maxKeys: 8 }),
      value,
    ),
  });
}

const fill = (path: string, piece: string) =>
  path.replaceAll(/\{\w+\}/g, encodeURIComponent(piece.replaceAll(/\p{Surrogate}/gu, '')) || 'x');

/**
 * Generates an operator's requests with one text in one parameter or field each, because others
 * might be refused first.
 */
function oneByOne({ method, path, operation }: Operation) {
  const { queries, fields } = namesOf(operation);
  const addresses = [...EACH, ...(HUGE?.address ?? [])];
  const bodies = method === 'GET' ? [] : [...EACH, ...(HUGE?.body ?? [])];
  const requests: Partial<Shape>[] = [
    ...(path.includes('{') ? addresses.map((piece) => ({ path: fill(path, piece) })) : []),
    ...addresses.flatMap((piece) => queries.map((name) => ({ query: { [name]: piece } }))),
    ...bodies.flatMap((piece) => fields.map((name) => ({ body: { [name]: piece } }))),
  ];
  const plain = { method, path: fill(path, PLAUSIBLE[8] ?? ''), range: null, query: {}, body: {} };
  return requests.map((request): [Shape, boolean] => [{ ...plain, ...request }, true]);
}

test(
  'no request is answered with a 5xx or with internal details',
  LIMIT,
  async ({ sandbox, newApi }) => {
    const api = await newApi({ RATE_LIMIT_LEADS_PER_MINUTE: '0' }, { stripeUrl: sandbox.url });
    for (const change of await planSetUp(api.deps.stripe, 'launch')) await change.apply();
    const { json: document } = await api.call('GET', '/api/openapi.json');
    let operator = await api.logIn();
    const answers: Record<string, number> = {};

    for (const operation of listOperations(document)) {
      // A request may have signed the operator out.
      if ((await api.call('GET', '/api/admin/me', { headers: operator })).status === 401)
        operator = await api.logIn();
      const examples = oneByOne(operation);
      await fc.assert(
        fc.asyncProperty(requestFor(operation), fc.boolean(), async (request, isOperator) => {
          const query = new URLSearchParams(
            Object.entries(request.query).map(([name, given]) => [
              name,
              given.replaceAll(/\p{Surrogate}/gu, ''),
            ]),
          );
          const answer = await api.call(request.method, `${request.path}?${query.toString()}`, {
            ...(request.method === 'POST' && { body: JSON.stringify(request.body) ?? '' }),
            headers: {
              ...(isOperator && operator),
              ...(request.range && { Range: request.range }),
            },
          });
          answers[answer.status] = (answers[answer.status] ?? 0) + 1;
          expect(answer.status).toBeLessThan(500);
          if (answer.status >= 400) expect(answer.text).not.toMatch(LEAKS);
          expect(answer.headers.get('x-injected')).toBeNull();
        }),
        { numRuns: examples.length + RUNS, examples },
      );
    }
    if (isWhole) {
      // oxlint-disable-next-line no-console -- the drill's ledger
      console.log(`${listOperations(document).length} calls, answers by status:`, answers);
    }
  },
);

test('any request target is answered without a 5xx', async ({ api }) => {
  const target = fc.oneof(
    fc.constantFrom(...TARGETS),
    fc.webUrl(),
    fc.tuple(
      fc.constantFrom('http://', 'http:///', '//', ''),
      text,
      fc.constantFrom('/', '/subscribe', '/api/admin/me'),
    ),
  );
  await fc.assert(
    fc.asyncProperty(
      target.map((parts) => [parts].flat().join('')),
      async (given) => {
        // A line break would begin a header.
        const line = given.replaceAll(/[\r\n]/g, '') || '/';
        const answer = await sendRaw(
          portOf(api),
          `GET ${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
        );

        expect(answer).toMatch(/^HTTP\/1\.1 [234]/);
        expect(answer).not.toMatch(LEAKS);
      },
    ),
    { numRuns: 150 },
  );
});

test('any signed event is accepted without a 5xx', async ({ sandbox, newApi }) => {
  const api = await newApi({}, { stripeUrl: sandbox.url });
  const { webhooks } = api.deps.stripe;
  const secret = api.deps.settings.stripe.webhookSecret;
  const word = fc.oneof(
    text,
    fc.constantFrom('evt_\0', 'invoice.paid', 'checkout.session.completed'),
  );
  const event = fc.record({
    id: word,
    type: word,
    livemode: fc.boolean(),
    data: fc.record({ object: fc.oneof(fc.record({ id: word }), fc.dictionary(word, value)) }),
  });
  await fc.assert(
    fc.asyncProperty(fc.oneof({ weight: 4, arbitrary: event }, value), async (given) => {
      const payload = JSON.stringify(given) ?? '';
      const headers = {
        'Stripe-Signature': webhooks.generateTestHeaderString({ payload, secret }),
      };
      const answer = await api.call('POST', '/api/stripe/webhook', { body: payload, headers });

      expect(answer.status).toBe(200);
    }),
    { numRuns: 60 },
  );
});
