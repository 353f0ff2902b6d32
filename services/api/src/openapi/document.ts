import type { Answer, Call } from '@site/schema/calls/call';
import { CALLS } from '@site/schema/calls/calls';
import { problemDocument } from '@site/schema/calls/call';
import { OFFER } from '@site/schema/offer';
import { PROBLEMS, problemType } from '@site/schema/problem';
import type { ProblemKind } from '@site/schema/problem';
import { z } from 'zod';
import { splitCall } from '../http/route.ts';
import { operatorCookies } from '../http/cookies.ts';

/*
 * Generates the API's OpenAPI document from its declared calls. Zod converts the schemas, and this
 * file places them for OpenAPI. Before: `@site/schema/calls`. Next: `openapi.routes.ts`.
 */

type JsonSchema = Record<string, unknown>;

export type OpenApiDocument = {
  openapi: string;
  info: JsonSchema;
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, JsonSchema>>;
  components: {
    schemas: Record<string, JsonSchema>;
    securitySchemes: JsonSchema;
  };
};

/** Each tag and the paths it groups. The first match counts. */
const TAGS: { name: string; description: string; paths: RegExp }[] = [
  { name: 'Console', description: 'What operators call, signed in', paths: /^\/api\/admin\// },
  { name: 'Stripe', description: 'What Stripe calls', paths: /^\/api\/stripe\// },
  { name: 'Beehiiv', description: 'What Beehiiv calls', paths: /^\/api\/beehiiv\// },
  {
    name: 'Visitors',
    description: 'What the site’s pages call',
    paths: /^\/api\/(?:lead|checkout|track)/,
  },
  {
    name: 'Operations',
    description: 'What probes, Prometheus and readers of this document call',
    paths: /^/,
  },
];

function toSchema(schema: z.ZodType, io: 'input' | 'output' = 'output'): JsonSchema {
  const { $schema: _, ...made } = z.toJSONSchema(schema, { io });
  return made;
}

function toParameters(
  schema: z.ZodObject | undefined,
  place: 'path' | 'query' | 'header',
): JsonSchema[] {
  if (!schema) return [];
  const { properties, required = [] } = toSchema(schema, 'input') as {
    properties: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(description !== undefined && { description }),
    ...(place === 'query' && { allowEmptyValue: true }),
    schema: rest,
  }));
}

function toContent({ schema, contentType }: Answer): Record<string, JsonSchema> {
  if (schema && contentType === undefined)
    return { 'application/json': { schema: toSchema(schema) } };
  if (contentType === undefined) return {};
  const type = contentType === 'application/json' ? 'object' : 'string';
  return { [contentType]: { schema: { type } } };
}

function listProblems(name: string, call: Call): ProblemKind[] {
  const { isPublic, isForViewer, isBeforeSetUp, query, body, problems = [] } = call;
  const isConsole = name.includes(' /api/admin/');
  const hasJson = body !== undefined && body !== 'raw';
  const where = (isSo: boolean, ...kinds: ProblemKind[]) => (isSo ? kinds : []);
  return [
    ...where(true, 'bad-request', 'internal-error', 'database-unavailable'),
    ...where(!isPublic, 'login-required'),
    ...where(!isPublic && !isBeforeSetUp, 'password-one-time', 'two-step-login-missing'),
    ...where(!isPublic && !isForViewer, 'viewer-refused'),
    ...where(name.startsWith('POST /api/admin/'), 'origin-refused'),
    ...where(hasJson, 'malformed-json', 'body-too-large', 'media-type-unsupported'),
    // The console's calls refuse unknown query parameters.
    ...where(hasJson || query !== undefined || isConsole, 'fields-invalid'),
    ...problems,
  ];
}

/** Lists answers and refusals by status, because one status may be both. */
function toResponses(name: string, call: Call): JsonSchema {
  const problems = listProblems(name, call);
  const statuses = new Set([
    ...Object.keys(call.answers).map(Number),
    ...problems.map((kind) => PROBLEMS[kind].status),
  ]);
  return Object.fromEntries(
    [...statuses].map((status) => {
      const answer = call.answers[status];
      const refusals = problems.filter((kind) => PROBLEMS[kind].status === status);
      const descriptions = refusals.map(
        (kind) => `\`${problemType(kind)}\` ${PROBLEMS[kind].title}`,
      );
      const content = {
        ...(answer && toContent(answer)),
        ...(refusals.length > 0 && {
          'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
        }),
      };
      const response = {
        description: [
          ...(answer ? [answer.description ?? call.summary] : []),
          ...descriptions,
        ].join('. '),
        ...(Object.keys(content).length > 0 && { content }),
      };
      return [String(status), response];
    }),
  );
}

function toOperation(name: string, call: Call): JsonSchema {
  const { id, summary, description, isPublic, headers, params, query, body } = call;
  const { path } = splitCall(name);
  const schema = body === 'raw' ? { type: 'object' } : body && toSchema(body, 'input');
  return {
    operationId: id,
    tags: TAGS.filter(({ paths }) => paths.test(path))
      .slice(0, 1)
      .map(({ name }) => name),
    summary,
    ...(description && { description }),
    security: isPublic ? [] : [{ operator: [] }],
    parameters: [
      ...toParameters(params, 'path'),
      ...toParameters(headers, 'header'),
      ...toParameters(query, 'query'),
    ],
    ...(schema && { requestBody: { required: true, content: { 'application/json': { schema } } } }),
    responses: toResponses(name, call),
  };
}

/** Writes a path as OpenAPI does: `/api/admin/leads/{id}`. */
export const toTemplate = (path: string) => path.replaceAll(/:(\w+)/g, '{$1}');

/** Creates the API's document, OpenAPI 3.1. `publicUrl` is where it is reached. */
export function createOpenApiDocument(publicUrl: string): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {};
  for (const [name, call] of Object.entries<Call>(CALLS)) {
    const { method, path } = splitCall(name);
    (paths[toTemplate(path)] ??= {})[method] = toOperation(name, call);
  }
  return {
    openapi: '3.1.1',
    info: {
      title: `${OFFER.productName} API`,
      version: '1',
      description:
        'Refusals are problem documents (RFC 9457). Every answer carries X-Request-Id, which ' +
        'is also in the log. A caller may send its own. A refusal with 429 or 503 says in ' +
        'Retry-After how many seconds to wait.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl }],
    tags: TAGS.map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      schemas: { Problem: toSchema(problemDocument) },
      securitySchemes: {
        operator: {
          type: 'apiKey',
          in: 'cookie',
          name: operatorCookies(publicUrl).session,
          description:
            'The session that signing in starts. Writes also need an Origin of this site, or none.',
        },
      },
    },
  };
}
