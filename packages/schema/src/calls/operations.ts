import { z } from 'zod';
import { beehiivEvent } from '../beehiiv-events.ts';
import { CONDITION_KINDS } from '../conditions.ts';
import type { Call, CallName } from './call.ts';

const readyzAnswer = z.object({
  status: z.enum(['ok', 'degraded', 'unavailable']),
  conditions: z.array(z.enum(CONDITION_KINDS)),
});

const file = (contentType: string) => ({ 200: { contentType } });
/** The calls of Stripe, of Beehiiv, of monitoring, and of readers of the API's document. */
export const operationsCalls = {
  'POST /api/stripe/webhook': {
    id: 'receiveStripeEvent',
    summary: 'Receive an event from Stripe',
    description:
      'Stripe signs the exact bytes. It delivers an event again after any answer but a 2xx.',
    isPublic: true,
    headers: z.object({
      'Stripe-Signature': z
        .string()
        .optional()
        .describe('Stripe’s signature, at most five minutes old'),
    }),
    body: 'raw',
    answers: {
      200: {
        schema: z.object({
          received: z.literal(true),
          outcome: z.enum(['applied', 'ignored', 'repeated', 'parked']),
        }),
      },
    },
    problems: ['signature-invalid', 'body-too-large', 'stripe-unavailable'],
  },
  'POST /api/beehiiv/events/:secret': {
    id: 'receiveBeehiivEvent',
    summary: 'Receive an event from Beehiiv',
    description:
      'An event is a hint: its email is looked up at Beehiiv within a minute, and nothing else ' +
      'of it is used. Without `BEEHIIV_WEBHOOK_SECRET` the URL does not exist.',
    isPublic: true,
    params: z.object({ secret: z.string().describe('`BEEHIIV_WEBHOOK_SECRET`') }),
    body: beehiivEvent,
    answers: { 204: { description: 'Received' } },
    problems: ['not-found'],
  },
  'GET /api/openapi.json': {
    id: 'readDocument',
    summary: 'This document',
    isPublic: true,
    answers: file('application/json'),
  },
  'GET /api/docs': {
    id: 'readDocs',
    summary: 'This document to read and try',
    isPublic: true,
    answers: file('text/html'),
  },
  'GET /api/docs/start.js': {
    id: 'readDocsStart',
    summary: 'The page’s own script',
    isPublic: true,
    answers: file('text/javascript'),
  },
  'GET /api/docs/swagger-ui-bundle.js': {
    id: 'readDocsScript',
    summary: 'Swagger UI',
    isPublic: true,
    answers: file('text/javascript'),
  },
  'GET /api/docs/swagger-ui.css': {
    id: 'readDocsStyles',
    summary: 'Swagger UI’s styles',
    isPublic: true,
    answers: file('text/css'),
  },
  // The platform mounts these in every process.
  'GET /livez': {
    id: 'readLiveness',
    summary: 'Liveness of the process',
    isPublic: true,
    answers: {
      200: { schema: z.object({ status: z.literal('ok') }) },
    },
  },
  'GET /readyz': {
    id: 'readReadiness',
    summary: 'Readiness of the process',
    isPublic: true,
    answers: {
      200: { description: 'Ready; "degraded" if something else is wrong', schema: readyzAnswer },
      503: {
        description: 'Not ready: Postgres cannot be read or written, or migrations are missing',
        schema: readyzAnswer,
      },
    },
  },
  'GET /metrics': {
    id: 'readMetrics',
    summary: 'Metrics for Prometheus; the proxy does not forward this call',
    isPublic: true,
    answers: { 200: { contentType: 'text/plain' } },
  },
} satisfies Record<CallName, Call>;
