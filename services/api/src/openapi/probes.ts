import { z } from 'zod';
import type { Contract } from '../http/route.ts';

const readyzAnswer = z.object({
  status: z.enum(['ok', 'degraded', 'unavailable']),
  checks: z.record(z.string(), z.enum(['ok', 'unreachable'])),
});

/** The calls that the platform mounts in every process. */
export const PROBES: readonly Contract[] = [
  {
    call: 'GET /livez',
    id: 'readLiveness',
    summary: 'Whether the process runs',
    isPublic: true,
    answers: {
      200: { description: 'It runs', schema: z.object({ status: z.literal('ok'), version: z.string() }) },
    },
  },
  {
    call: 'GET /readyz',
    id: 'readReadiness',
    summary: 'Whether the process can take work',
    isPublic: true,
    answers: {
      200: { description: 'It can; "degraded" while something optional is unreachable', schema: readyzAnswer },
      503: { description: 'Something required is unreachable', schema: readyzAnswer },
    },
  },
  {
    call: 'GET /metrics',
    id: 'readMetrics',
    summary: 'Metrics for Prometheus; the proxy does not forward this call',
    isPublic: true,
    answers: { 200: { description: 'Text exposition format', contentType: 'text/plain' } },
  },
];
