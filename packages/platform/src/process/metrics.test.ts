import express from 'express';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import { expect, onTestFinished, test } from 'vitest';
import {
  addGauge,
  createRegistry,
  measureRequests,
  metricsRoutes,
  shareReading,
} from './metrics.ts';

async function serve(registry: Registry, toRoute: (path: string) => string): Promise<string> {
  const app = express();
  app.use(measureRequests(registry, toRoute), metricsRoutes(registry));
  app.get('/people/:id', (_req, res) => void res.status(204).end());
  const server = createServer(app);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a registry has Node’s own metrics, such as event-loop delay', async () => {
  const url = await serve(createRegistry(), () => '/');

  const answer = await fetch(`${url}/metrics`);

  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=/);
  const text = await answer.text();
  expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
  expect(text).toContain('process_resident_memory_bytes');
});

test('a request is measured by route pattern and status class, never by its path', async () => {
  const registry = new Registry();
  const url = await serve(registry, (path) =>
    path.startsWith('/people/') ? '/people/{id}' : '/{path}',
  );

  await fetch(`${url}/people/ada@example.com`);
  await fetch(`${url}/nobody@example.com`);
  await fetch(`${url}/people/x`, { method: 'PROPFIND' }).catch(() => undefined);

  const text = await (await fetch(`${url}/metrics`)).text();
  expect(text).toContain(
    'http_request_duration_seconds_count{method="GET",route="/people/{id}",status_class="2xx"} 1',
  );
  expect(text).toContain(
    'http_request_duration_seconds_count{method="GET",route="/{path}",status_class="4xx"} 1',
  );
  expect(text).toContain('method="other"');
  expect(text).not.toContain('example.com');
});

test('a gauge that cannot be read is absent, and returns when it can', async () => {
  const registry = new Registry();
  const readings = [1, null, 3];
  addGauge(registry, 'figure', 'A figure', () => {
    const next = readings.shift();
    return next === null ? Promise.reject(new Error('away')) : Promise.resolve(next ?? null);
  });
  const samples = async () =>
    (await registry.metrics()).split('\n').filter((line) => line.startsWith('figure'));

  expect(await samples()).toEqual(['figure 1']);
  expect(await samples()).toEqual([]);
  expect(await samples()).toEqual(['figure 3']);
});

test('a reading that hangs times out, and is not started again meanwhile', async () => {
  let asked = 0;
  const read = shareReading(
    () => {
      asked += 1;
      return new Promise<number>(() => undefined);
    },
    { keptMs: 60_000, timeoutMs: 20 },
  );

  expect(await Promise.all([read(), read()])).toEqual([null, null]);
  expect(await read()).toBeNull();
  expect(asked).toBe(1);
});
