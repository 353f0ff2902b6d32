import { PROBLEMS, problemType } from '@site/schema/problem';
import type { ProblemKind } from '@site/schema/problem';
import { z } from 'zod';
import type { AnswerContent, Input, JsonSchema, Operation } from './operation.ts';

/** What any call may be refused for. */
const COMMON_PROBLEMS: ProblemKind[] = ['bad-request', 'internal-error', 'database-unavailable'];

const REQUEST_ID = { 'X-Request-Id': header('Names this request in the log') };
const RETRY_AFTER = { 'Retry-After': header('Seconds to wait', { type: 'integer', minimum: 1 }) };

function header(description: string, schema: JsonSchema = { type: 'string' }): JsonSchema {
  return { description, schema };
}

function toSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io });
  return rest;
}

/** A contract as its callers meet it: before tidying, with words where a schema has none. */
function toInputSchema({
  schema,
  fields = {},
  required,
}: Input): JsonSchema & { properties: Record<string, JsonSchema> } {
  const made = toSchema(schema, 'input');
  const properties = { ...(made['properties'] as Record<string, JsonSchema> | undefined), ...fields };
  return { ...made, properties, ...(required && { required }) };
}

function toQueryParameters(query: Input): JsonSchema[] {
  const { properties, required = [] } = toInputSchema(query);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: (required as string[]).includes(name),
    allowEmptyValue: true,
    schema,
  }));
}

function toContent({ schema, contentType = 'application/json' }: AnswerContent, names: Map<z.ZodType, string>) {
  if (schema === undefined) return {};
  const isContract = schema instanceof z.ZodType;
  const reference = isContract ? names.get(schema) : undefined;
  const described = reference ? { $ref: reference } : isContract ? toSchema(schema, 'output') : schema;
  return { [contentType]: { schema: described } };
}

/** Answers and refusals together, by status: a status may be either. */
function toResponses(operation: Operation, names: Map<z.ZodType, string>): JsonSchema {
  const kinds = [
    ...COMMON_PROBLEMS,
    ...(operation.isForOperators ? (['login-required'] as const) : []),
    ...(operation.problems ?? []),
  ];
  const statuses = new Set([
    ...Object.keys(operation.answers).map(Number),
    ...kinds.map((kind) => PROBLEMS[kind].status),
  ]);
  return Object.fromEntries(
    [...statuses]
      .sort((a, b) => a - b)
      .map((status) => {
        const answer = operation.answers[status];
        const refusals = kinds.filter((kind) => PROBLEMS[kind].status === status);
        const answerHeaders = Object.entries(answer?.headers ?? {}).map(([name, text]) => [name, header(text)]);
        const content = {
          ...(answer && toContent(answer, names)),
          ...(refusals.length > 0 && {
            'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
          }),
        };
        const words = [
          ...(answer ? [answer.description] : []),
          ...refusals.map((kind) => `\`${problemType(kind)}\` ${PROBLEMS[kind].title}`),
        ];
        const response = {
          description: words.join('. '),
          headers: {
            ...REQUEST_ID,
            ...(refusals.length > 0 && (status === 429 || status === 503) && RETRY_AFTER),
            ...Object.fromEntries(answerHeaders),
          },
          ...(Object.keys(content).length > 0 && { content }),
        };
        return [String(status), response];
      }),
  );
}

/** One operation as the document has it. `names` are the shared schemas and where they stand. */
export function toOperationObject(operation: Operation, names: Map<z.ZodType, string>): JsonSchema {
  const { id, tag, summary, description, parameters = [], query, body } = operation;
  const given = parameters.map((parameter) => ({ ...parameter, required: parameter.in === 'path' }));
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description && { description }),
    ...(operation.isForOperators && { security: [{ operator: [] }] }),
    parameters: [...given, ...(query ? toQueryParameters(query) : [])],
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: toInputSchema(body) } } } }),
    responses: toResponses(operation, names),
  };
}
