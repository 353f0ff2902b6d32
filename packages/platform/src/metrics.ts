import { Router } from 'express';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { RequestHandler } from 'express';
import { withTimeout } from './with-timeout.ts';

/** A process' own registry with what Node says of itself: memory, CPU, event-loop delay, garbage collection. */
export function createRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

/** `/metrics`, in Prometheus' text format. A proxy in front does not forward it. */
export function metricsRoutes(registry: Registry): Router {
  const router = Router();
  router.get('/metrics', async (_req, res) => {
    res.set('Content-Type', registry.contentType);
    res.set('Cache-Control', 'no-store');
    res.end(await registry.metrics());
  });
  return router;
}

const statusClass = (status: number) => `${Math.trunc(status / 100)}xx`;
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Measures every request by method, route and status class. `toRoute` answers the pattern of a path, one of
 * a fixed few: a raw path would make a series of every id, and may name a person.
 */
export function measureRequests(registry: Registry, toRoute: (path: string) => string): RequestHandler {
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request’s head to the end of its answer, or to its client’s leaving',
    labelNames: ['method', 'route', 'status_class'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  return (req, res, next) => {
    const end = duration.startTimer({
      method: METHODS.has(req.method) ? req.method : 'other',
      route: toRoute(req.path),
    });
    res.once('close', () => end({ status_class: res.writableFinished ? statusClass(res.statusCode) : 'aborted' }));
    next();
  };
}

/**
 * A gauge read at scrape time. While `read` has nothing to say (null, or it fails) the gauge is absent:
 * an old or invented figure would be worse than none.
 */
export function addGauge(registry: Registry, name: string, help: string, read: () => Promise<number | null>): void {
  const gauge: Gauge = new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      const value = await read().catch(() => null);
      if (value === null) gauge.remove();
      else gauge.set(value);
    },
  });
}

/**
 * One reading for all gauges of a scrape, and for scrapes that follow within `keptMs`: whoever scrapes, and
 * however often, the source is asked once. Null when it fails or takes longer than `timeoutMs`.
 */
export function shareReading<T>(
  read: () => Promise<T>,
  { keptMs = 2_000, timeoutMs = 2_000 }: { keptMs?: number; timeoutMs?: number } = {},
): () => Promise<T | null> {
  let reading: Promise<T | null> | undefined;
  let readAt = 0;
  return () => {
    const now = performance.now();
    if (reading && now - readAt < keptMs) return reading;
    readAt = now;
    reading = withTimeout(timeoutMs, read).catch(() => null);
    return reading;
  };
}
