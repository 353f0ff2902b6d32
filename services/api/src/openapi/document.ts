import * as account from '@site/schema/account';
import * as admin from '@site/schema/admin';
import * as checkout from '@site/schema/checkout';
import * as operatorConsole from '@site/schema/console';
import { MAX_EMAIL_LENGTH } from '@site/schema/email';
import { emailField, leadIntakeAnswer } from '@site/schema/lead';
import * as money from '@site/schema/money';
import { OFFER } from '@site/schema/offer';
import { PROBLEMS, problemDocument, problemType } from '@site/schema/problem';
import type { ProblemKind } from '@site/schema/problem';
import { lead } from '@site/schema/stored-lead';
import { z } from 'zod';
import { splitCall } from '../http/route.ts';
import type { Answer, Contract } from '../http/route.ts';
import { operatorCookies } from '../http/session.ts';
import { toExample } from './examples.ts';
import type { JsonSchema } from './examples.ts';
import { PROBES } from './probes.ts';

/*
 * Generates the API's OpenAPI document from the contracts of its routes. Zod converts the schemas; here they are put
 * where OpenAPI wants them. Before: each feature's routes. Next: `openapi.routes.ts`.
 */

export type OpenApiDocument = {
  openapi: string;
  info: JsonSchema;
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, JsonSchema>>;
  components: { schemas: Record<string, JsonSchema>; securitySchemes: JsonSchema };
};

/** Each tag and the paths it groups; the first that fits counts. */
const TAGS: { name: string; description: string; paths: RegExp }[] = [
  { name: 'Console', description: 'What operators call, signed in', paths: /^\/api\/admin\// },
  { name: 'Stripe', description: 'What Stripe calls', paths: /^\/api\/stripe\// },
  { name: 'Visitors', description: 'What the site’s pages call', paths: /^\/api\/(?:lead|checkout|track)/ },
  { name: 'Operations', description: 'What probes, Prometheus and readers of this document call', paths: /^/ },
];

/** Fields that the API tidies before it checks them: a schema cannot tell what callers should send. */
const email = { type: 'string', format: 'email', maxLength: MAX_EMAIL_LENGTH };
z.globalRegistry.add(emailField, email);
z.globalRegistry.add(checkout.checkoutUpsellBody.shape.email, email);

/** Answers that other answers refer to, each under the name that its module exports it by. */
const EXPORTS: Record<string, unknown> = {
  ...account,
  ...admin,
  ...checkout,
  ...operatorConsole,
  ...money,
  leadIntakeAnswer,
  lead,
  problem: problemDocument,
};
const NAMED = new Map<z.ZodType, string>();
for (const [name, schema] of Object.entries(EXPORTS)) {
  const isAnswer = schema instanceof z.ZodType && !/(?:Body|Query|Filter)$/.test(name);
  if (isAnswer) NAMED.set(schema, name.charAt(0).toUpperCase() + name.slice(1));
}
const refer = (name: string) => `#/components/schemas/${name}`;

function toNamedSchemas(): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [schema, id] of NAMED) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { uri: refer });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _, $id: __, ...schema }]) => [name, schema as JsonSchema]),
  );
}

/** What callers send: before it is tidied. An address is required, although its schema has the words for a missing one. */
function toInputSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...made } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      if (!(zodSchema instanceof z.ZodObject)) return;
      const addresses = Object.keys(zodSchema.shape).filter((name) => zodSchema.shape[name] === emailField);
      if (addresses.length > 0) jsonSchema.required = [...addresses, ...(jsonSchema.required ?? [])];
    },
  });
  return made;
}

function toParameters(schema: z.ZodObject | undefined, place: 'path' | 'query' | 'header'): JsonSchema[] {
  if (!schema) return [];
  const { properties, required = [] } = toInputSchema(schema) as {
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

function toContent({ schema, contentType = 'application/json' }: Answer): Record<string, JsonSchema> {
  if (!schema) return contentType === 'application/json' ? {} : { [contentType]: { schema: { type: 'string' } } };
  const name = NAMED.get(schema);
  const { $schema: _, ...inline } = name === undefined ? z.toJSONSchema(schema) : { $ref: refer(name) };
  return { [contentType]: { schema: inline } };
}

/** What a call may be refused for. */
function listProblems({ call, isPublic, isBeforeSecondFactor, query, body, problems = [] }: Contract): ProblemKind[] {
  const isConsole = / \/api\/admin\//.test(call);
  const forBody = ['malformed-json', 'body-too-large', 'media-type-unsupported', 'fields-invalid'] as const;
  return [
    ...(['bad-request', 'internal-error', 'database-unavailable'] as const),
    ...(isPublic ? [] : (['login-required'] as const)),
    ...(isPublic || isBeforeSecondFactor ? [] : (['second-factor-missing'] as const)),
    ...(call.startsWith('POST /api/admin/') ? (['origin-refused'] as const) : []),
    ...(body !== undefined && body !== 'raw' ? forBody : []),
    // The console's calls refuse unknown query parameters.
    ...(query || isConsole ? (['fields-invalid'] as const) : []),
    ...problems,
  ];
}

const toHeader = (description: string, schema: JsonSchema = { type: 'string' }) => ({ description, schema });
const REQUEST_ID = { 'X-Request-Id': toHeader('Names this request in the log') };
const RETRY_AFTER = { 'Retry-After': toHeader('Seconds to wait', { type: 'integer', minimum: 1 }) };

/** Answers and refusals together, by status: one status may be both. */
function toResponses(contract: Contract): JsonSchema {
  const problems = listProblems(contract);
  const statuses = new Set([
    ...Object.keys(contract.answers).map(Number),
    ...problems.map((kind) => PROBLEMS[kind].status),
  ]);
  return Object.fromEntries(
    [...statuses].map((status) => {
      const answer = contract.answers[status];
      const refusals = problems.filter((kind) => PROBLEMS[kind].status === status);
      const descriptions = refusals.map((kind) => `\`${problemType(kind)}\` ${PROBLEMS[kind].title}`);
      const ownHeaders = Object.entries(answer?.headers ?? {}).map(([name, text]) => [name, toHeader(text)]);
      const content = {
        ...(answer && toContent(answer)),
        ...(refusals.length > 0 && { 'application/problem+json': { schema: { $ref: refer('Problem') } } }),
      };
      const response = {
        description: [...(answer ? [answer.description] : []), ...descriptions].join('. '),
        headers: {
          ...REQUEST_ID,
          ...(refusals.length > 0 && (status === 429 || status === 503) && RETRY_AFTER),
          ...Object.fromEntries(ownHeaders),
        },
        ...(Object.keys(content).length > 0 && { content }),
      };
      return [String(status), response];
    }),
  );
}

function toOperation(contract: Contract): JsonSchema {
  const { id, summary, description, isPublic, headers, params, query, body } = contract;
  const { path } = splitCall(contract);
  const schema = body === 'raw' ? { type: 'object' } : body && toInputSchema(body);
  return {
    operationId: id,
    tags: TAGS.filter(({ paths }) => paths.test(path))
      .slice(0, 1)
      .map(({ name }) => name),
    summary,
    ...(description && { description }),
    security: isPublic ? [] : [{ operator: [] }],
    parameters: [...toParameters(params, 'path'), ...toParameters(headers, 'header'), ...toParameters(query, 'query')],
    ...(schema && { requestBody: { required: true, content: { 'application/json': { schema } } } }),
    responses: toResponses(contract),
  };
}

type Content = { content?: Record<string, { schema: JsonSchema; example?: unknown }> };

/** Adds an example to an operation's body and to each of its answers. */
function addExamples(operation: JsonSchema, schemas: Record<string, JsonSchema>): void {
  const { requestBody, responses } = operation as { requestBody?: Content; responses: Record<string, Content> };
  const all = [['', requestBody ?? {}] as const, ...Object.entries(responses)];
  for (const [status, { content = {} }] of all) {
    for (const [mediaType, described] of Object.entries(content)) {
      const isProblem = mediaType === 'application/problem+json';
      if (isProblem) described.example = toProblemExample(Number(status));
      else if (mediaType.endsWith('json')) described.example = toExample(described.schema, schemas);
      else described.example = TEXT_EXAMPLES[mediaType] ?? '';
    }
  }
}

const TEXT_EXAMPLES: Record<string, string> = {
  'text/csv': 'id,fullName,email\r\n01a1f835-30a7-721b-8211-2f2aad860b16,"Priya Raman","priya@northgate.example"\r\n',
  'text/event-stream': 'id: 1772528400000~7:7:\nevent: place\ndata: {}\n\n',
  'text/plain': '# TYPE leads_pending gauge\nleads_pending 0\n',
};

function toProblemExample(status: number): JsonSchema {
  const [kind, { title }] = Object.entries(PROBLEMS).find(([, problem]) => problem.status === status) ?? [
    '',
    { title: '' },
  ];
  return { type: problemType(kind as ProblemKind), title, status, requestId: '6f1d2b7e-4c6c-4a57-9a5e-2f8f0c1f6a10' };
}

/** A path as OpenAPI writes it: `/api/admin/leads/{id}`. */
const toTemplate = (path: string) => path.replaceAll(/:(\w+)/g, '{$1}');

/** Lists every path of the document. */
export const listPaths = (contracts: readonly Contract[]) =>
  [...contracts, ...PROBES].map((contract) => toTemplate(splitCall(contract).path));

/** The API as OpenAPI 3.1. `publicUrl` is where it is reached. */
export function createOpenApiDocument(contracts: readonly Contract[], publicUrl: string): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {};
  for (const contract of [...contracts, ...PROBES]) {
    const { method, path } = splitCall(contract);
    (paths[toTemplate(path)] ??= {})[method] = toOperation(contract);
  }
  const schemas = toNamedSchemas();
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    addExamples(operation, schemas);
  }
  return {
    openapi: '3.1.1',
    info: {
      title: `${OFFER.productName} API`,
      version: '1',
      description:
        'Refusals are problem documents (RFC 9457). Every answer carries X-Request-Id, which is also in the log. A caller may send its own.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl }],
    tags: TAGS.map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      schemas,
      securitySchemes: {
        operator: {
          type: 'apiKey',
          in: 'cookie',
          name: operatorCookies(publicUrl).session,
          description: 'The session that signing in starts. Writes also need an Origin of this site, or none.',
        },
      },
    },
  };
}
