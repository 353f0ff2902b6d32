import { Router } from 'express';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { RequestHandler } from 'express';
import { withTimeout } from './with-timeout.ts';

/** Creates a process's registry, with Node's own metrics. */
export function createRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

/** Serves `/metrics` in Prometheus's text format. The public proxy must not forward it. */
export function metricsRoutes(registry: Registry): Router {
  const router = Router({ caseSensitive: true });
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
 * Measures every request by method, route and status class. `toRoute` returns a path's route
 * pattern: a raw path would create a series for every id, and may hold personal data. The server
 * errors of `alerted` start at 0, so that the first one is an increase.
 */
export function measureRequests(
  registry: Registry,
  toRoute: (path: string) => string,
  alerted: { method: string; route: string }[] = [],
): RequestHandler {
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request’s head to its response’s end, or until the client disconnects',
    labelNames: ['method', 'route', 'status_class'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  for (const labels of alerted) duration.zero({ ...labels, status_class: '5xx' });
  return (req, res, next) => {
    const end = duration.startTimer({
      method: METHODS.has(req.method) ? req.method : 'other',
      route: toRoute(req.path),
    });
    res.once('close', () =>
      end({ status_class: res.writableFinished ? statusClass(res.statusCode) : 'aborted' }),
    );
    next();
  };
}

export function addCounter<Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  ...labelNames: Label[]
): Counter<Label> {
  return new Counter({ name, help, labelNames, registers: [registry] });
}

/**
 * Adds a gauge that is read at each scrape. It is absent if `read` fails or returns null, because
 * no value is better than an old value.
 */
export function addGauge(
  registry: Registry,
  name: string,
  help: string,
  read: () => Promise<number | null>,
): void {
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

/** Adds a gauge with a series for each label, and no series if `read` fails or returns null. */
export function addGauges(
  registry: Registry,
  name: string,
  help: string,
  label: string,
  read: () => Promise<Iterable<readonly [string, number]> | null>,
): void {
  const gauge: Gauge = new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    async collect() {
      const values = await read().catch(() => null);
      gauge.reset();
      for (const [value, count] of values ?? []) gauge.set({ [label]: value }, count);
    },
  });
}

/**
 * Shares one reading among all gauges of a scrape, and among scrapes within `keptMs`. The reading
 * is null if it fails or takes longer than `timeoutMs`.
 */
export function shareReading<T>(
  read: () => Promise<T>,
  { keptMs = 2_000, timeoutMs = 2_000 }: { keptMs?: number | undefined; timeoutMs?: number } = {},
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
