import { z } from 'zod';
import type { JsonSchema, Operation } from './operation.ts';

const livezAnswer = z.object({ status: z.literal('ok') });
const readyzAnswer = z.object({
  status: z.enum(['ok', 'degraded', 'unavailable']),
  checks: z.record(z.string(), z.enum(['ok', 'unreachable'])),
});
const webhookAnswer = z.object({
  received: z.literal(true),
  outcome: z.enum(['applied', 'ignored', 'repeated', 'parked']),
});
const file: JsonSchema = { type: 'string' };

/** What machines call: Stripe, probes, and subscribers of this document. */
export const SYSTEM_OPERATIONS: Operation[] = [
  {
    method: 'post',
    path: '/api/stripe/webhook',
    id: 'receiveStripeEvent',
    tag: 'Stripe',
    summary: 'An event from Stripe',
    description: 'Signed by Stripe over the exact bytes. Anything but a 2xx makes Stripe deliver it again.',
    parameters: [
      {
        name: 'Stripe-Signature',
        in: 'header',
        description: 'Stripe’s signature, at most five minutes old',
        schema: { type: 'string' },
      },
    ],
    body: { schema: z.looseObject({}) },
    answers: { 200: { description: 'Taken', schema: webhookAnswer } },
    problems: ['signature-invalid', 'body-too-large', 'stripe-unavailable'],
  },
  {
    method: 'get',
    path: '/livez',
    id: 'readLiveness',
    tag: 'Operations',
    summary: 'The process turns',
    answers: { 200: { description: 'It does', schema: livezAnswer } },
  },
  {
    method: 'get',
    path: '/readyz',
    id: 'readReadiness',
    tag: 'Operations',
    summary: 'The process can take work',
    answers: {
      200: { description: 'It can; "degraded" when something it can do without is away', schema: readyzAnswer },
      503: { description: 'Something that it needs is away', schema: readyzAnswer },
    },
  },
  {
    method: 'get',
    path: '/metrics',
    id: 'readMetrics',
    tag: 'Operations',
    summary: 'Figures for Prometheus; not forwarded by a proxy',
    answers: { 200: { description: 'Text exposition format', contentType: 'text/plain', schema: file } },
  },
  {
    method: 'get',
    path: '/api/openapi.json',
    id: 'readDocument',
    tag: 'Operations',
    summary: 'This document',
    answers: { 200: { description: 'OpenAPI 3.1', contentType: 'application/json', schema: { type: 'object' } } },
  },
  ...(
    [
      ['', 'readDocs', 'This document to read and try', 'text/html'],
      ['/start.js', 'readDocsStart', 'The page’s own script', 'text/javascript'],
      ['/swagger-ui-bundle.js', 'readDocsScript', 'Swagger UI', 'text/javascript'],
      ['/swagger-ui.css', 'readDocsStyles', 'Swagger UI’s styles', 'text/css'],
    ] as const
  ).map(([name, id, summary, contentType]): Operation => ({
    method: 'get',
    path: `/api/docs${name}`,
    id,
    tag: 'Operations',
    summary,
    answers: { 200: { description: 'The file', contentType, schema: file } },
  })),
];
