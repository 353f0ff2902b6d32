import * as admin from '@site/schema/admin';
import * as operatorConsole from '@site/schema/console';
import * as checkout from '@site/schema/checkout';
import { lead } from '@site/schema/stored-lead';
import { leadIntakeAnswer } from '@site/schema/lead';
import { OFFER } from '@site/schema/offer';
import { problemDocument } from '@site/schema/problem';
import { z } from 'zod';
import { CONSOLE_OPERATIONS } from './console-operations.ts';
import type { JsonSchema, Operation } from './operation.ts';
import { MONEY_OPERATIONS } from './money-operations.ts';
import { SYSTEM_OPERATIONS } from './system-operations.ts';
import { toOperationObject } from './to-operation-object.ts';
import { VISITOR_OPERATIONS } from './visitor-operations.ts';

export type OpenApiDocument = {
  openapi: string;
  info: JsonSchema;
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, JsonSchema>>;
  components: { schemas: Record<string, JsonSchema>; securitySchemes: JsonSchema };
};

/** Every call of the API. A route without its entry here fails a test, and so does an entry without its route. */
export const OPERATIONS: readonly Operation[] = [
  ...VISITOR_OPERATIONS,
  ...CONSOLE_OPERATIONS,
  ...MONEY_OPERATIONS,
  ...SYSTEM_OPERATIONS,
];

/** Answers that have a name of their own in the document, under which others refer to them. */
const SHARED_SCHEMAS: Record<string, z.ZodType> = {
  Problem: problemDocument,
  Lead: lead,
  LeadIntakeAnswer: leadIntakeAnswer,
  LeadListAnswer: admin.leadListAnswer,
  LeadDetailAnswer: admin.leadDetailAnswer,
  SyncAttempt: admin.syncAttempt,
  LeadRetryAnswer: admin.leadRetryAnswer,
  LeadCountsAnswer: admin.leadCountsAnswer,
  LeadMention: admin.leadMention,
  RetryEstimate: operatorConsole.retryEstimate,
  RetryRun: operatorConsole.retryRun,
  LiveEvent: operatorConsole.liveEvent,
  ChartsAnswer: operatorConsole.chartsAnswer,
  OperatorAction: operatorConsole.operatorAction,
  PersonExportAnswer: operatorConsole.personExportAnswer,
  ErasureReceipt: operatorConsole.erasureReceipt,
  SyncHealthAnswer: admin.syncHealthAnswer,
  OperatorAnswer: admin.operatorAnswer,
  CheckoutUrlAnswer: checkout.checkoutUrlAnswer,
  CheckoutStateAnswer: checkout.checkoutStateAnswer,
  Receipt: checkout.receipt,
};

const referTo = (name: string) => `#/components/schemas/${name}`;

function toSharedSchemas(): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(SHARED_SCHEMAS)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { uri: referTo });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, made]) => {
      const schema: JsonSchema = { ...made };
      delete schema['$schema'];
      delete schema['$id'];
      return [name, schema];
    }),
  );
}

function toPaths(operations: readonly Operation[]): OpenApiDocument['paths'] {
  const names = new Map(Object.entries(SHARED_SCHEMAS).map(([name, schema]) => [schema, referTo(name)]));
  const paths: OpenApiDocument['paths'] = {};
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: toOperationObject(operation, names) };
  }
  return paths;
}

/** The API as OpenAPI 3.1, made from the contracts that both sides compile against. `publicUrl` is where it is reached. */
export function createOpenApiDocument(publicUrl: string): OpenApiDocument {
  return {
    openapi: '3.1.1',
    info: {
      title: `${OFFER.productName} API`,
      version: '1',
      description:
        'Refusals are problem documents (RFC 9457). Every answer carries X-Request-Id, which is also in the log; a caller may bring its own.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl }],
    tags: [
      { name: 'Visitors', description: 'What the site’s pages call' },
      { name: 'Console', description: 'What operators call, logged in' },
      { name: 'Stripe', description: 'What Stripe calls' },
      { name: 'Operations', description: 'What probes, Prometheus and subscribers call' },
    ],
    paths: toPaths(OPERATIONS),
    components: {
      schemas: toSharedSchemas(),
      securitySchemes: {
        operator: {
          type: 'apiKey',
          in: 'cookie',
          name: 'operator',
          description: 'The session that logging in begins. Writes also need an Origin of our own, or none.',
        },
      },
    },
  };
}
