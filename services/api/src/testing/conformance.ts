import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { createOpenApiDocument } from '../openapi/document.ts';
import { createPathMatcher } from '../openapi/match-path.ts';

/** An answer as it came over HTTP. */
export type ObservedAnswer = {
  method: string;
  path: string;
  status: number;
  contentType: string | null;
  requestId: string | null;
  text: string;
};

type Responses = Record<string, { content?: Record<string, unknown> }>;

/** The same for an answer of `fetch`, whose body was read. */
export function checkResponse(method: string, path: string, response: Response, text: string): void {
  const { status, headers } = response;
  const contentType = headers.get('content-type');
  checkConformance({ method, path, status, contentType, requestId: headers.get('x-request-id'), text });
}

const document = createOpenApiDocument('http://site.example');
const matchPath = createPathMatcher(Object.keys(document.paths));
// Not strict: OpenAPI has keywords of its own beside JSON Schema's.
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(document, 'api');

const compiled = new Map<string, ValidateFunction>();

function validatorFor(pointer: string): ValidateFunction {
  const known = compiled.get(pointer) ?? ajv.compile({ $ref: `api#${pointer}` });
  compiled.set(pointer, known);
  return known;
}

const escape = (part: string) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));

/**
 * Throws, with a sentence, when an answer is not as the API's document has it: status, content type, and
 * JSON by its schema. An address or method that the document does not have answers with a problem. Pages of
 * the site are no concern of the document.
 */
export function checkConformance(answer: ObservedAnswer): void {
  const path = answer.path.split(/[?#]/, 1)[0] ?? '';
  const pattern = matchPath(path);
  if (answer.method === 'OPTIONS' || answer.method === 'HEAD') return;
  if (pattern === null && !path.startsWith('/api/')) return;

  const fail = (what: string) => {
    throw new Error(
      `${answer.method} ${path} → ${answer.status} is not as the document has it: ${what}\n${answer.text}`,
    );
  };
  if (!answer.requestId) fail('it has no X-Request-Id');

  const method = answer.method.toLowerCase();
  const operation = pattern === null ? undefined : document.paths[pattern]?.[method];
  const mediaType = answer.contentType?.split(';', 1)[0] ?? null;
  if (pattern === null || !operation) {
    if (answer.status < 400 || mediaType !== 'application/problem+json') fail('the document has no such call');
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
  const pointer = ['paths', pattern, method, 'responses', String(answer.status), 'content', mediaType, 'schema'];
  checkJson(answer.text, `/${pointer.map(escape).join('/')}`, fail);
}

function checkJson(text: string, pointer: string, fail: (what: string) => void): void {
  const validate = validatorFor(pointer);
  if (!validate(JSON.parse(text))) fail(ajv.errorsText(validate.errors, { separator: '; ', dataVar: 'body' }));
}
