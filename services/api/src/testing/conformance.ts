import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { CALLS, createPathMatcher } from '@site/schema/calls/calls';
import { splitCall } from '../http/route.ts';
import { toTemplate } from '../openapi/document.ts';
import type { OpenApiDocument } from '../openapi/document.ts';

type ObservedAnswer = {
  method: string;
  path: string;
  status: number;
  contentType: string | null;
  requestId: string | null;
  text: string;
};

type Responses = Record<string, { content?: Record<string, unknown> }>;

const escape = (part: string) =>
  encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));

let contract: Promise<(answer: ObservedAnswer) => void> | undefined;

/**
 * Checks an answer of `fetch`, once its body is read, against the document that the API at `url`
 * serves.
 */
export async function checkResponse(
  url: string,
  method: string,
  path: string,
  response: Response,
  text: string,
) {
  // All APIs of a test file have the same routes.
  contract ??= fetch(`${url}/api/openapi.json`).then(async (served) =>
    createConformanceCheck((await served.json()) as OpenApiDocument),
  );
  const { status, headers } = response;
  const contentType = headers.get('content-type');
  (await contract)({
    method,
    path,
    status,
    contentType,
    requestId: headers.get('x-request-id'),
    text,
  });
}

/**
 * Returns a check that throws when an answer does not conform to the API's document in status,
 * content type or JSON schema. An unknown path or method must answer with a problem. Pages of the
 * site are not in the document.
 */
function createConformanceCheck(document: OpenApiDocument): (answer: ObservedAnswer) => void {
  const matchPath = createPathMatcher(Object.keys(CALLS).map((name) => splitCall(name).path));
  // Not strict: OpenAPI has keywords of its own beside JSON Schema's.
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'api');
  const compiled = new Map<string, ValidateFunction>();

  function checkJson(text: string, pointer: string, fail: (what: string) => void): void {
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `api#${pointer}` });
    compiled.set(pointer, validate);
    if (!validate(JSON.parse(text)))
      fail(ajv.errorsText(validate.errors, { separator: '; ', dataVar: 'body' }));
  }

  return (answer) => {
    const path = answer.path.split(/[?#]/, 1)[0] ?? '';
    const template = matchPath(path);
    const pattern = template && toTemplate(template);
    if (answer.method === 'OPTIONS' || answer.method === 'HEAD') return;
    if (pattern === null && !path.startsWith('/api/')) return;

    const fail = (what: string) => {
      throw new Error(
        `${answer.method} ${path} → ${answer.status} does not conform: ${what}\n${answer.text}`,
      );
    };
    if (!answer.requestId) fail('it has no X-Request-Id');

    const method = answer.method.toLowerCase();
    const operation = pattern === null ? undefined : document.paths[pattern]?.[method];
    const mediaType = answer.contentType?.split(';', 1)[0] ?? null;
    if (pattern === null || !operation) {
      if (answer.status < 400 || mediaType !== 'application/problem+json')
        fail('the document has no such call');
      return checkJson(answer.text, '/components/schemas/Problem', fail);
    }

    const response = (operation['responses'] as Responses)[String(answer.status)];
    if (!response) return fail('the status is not documented');
    const mediaTypes = Object.keys(response.content ?? {});
    if (mediaTypes.length === 0) {
      if (answer.text !== '') fail('it has a body');
      return;
    }
    if (mediaType === null || !mediaTypes.includes(mediaType))
      return fail(`content type ${mediaType}, not ${mediaTypes.join(' or ')}`);
    if (!mediaType.endsWith('json')) return;
    const pointer = [
      'paths',
      pattern,
      method,
      'responses',
      String(answer.status),
      'content',
      mediaType,
      'schema',
    ];
    checkJson(answer.text, `/${pointer.map(escape).join('/')}`, fail);
  };
}
