import { storeLead } from '@site/testing/builders';
import { Registry } from 'prom-client';
import { expect } from 'vitest';
import { processLead } from './sync/sync.processor.ts';
import { connectTestNewsletter, test } from './testing/worker.fixture.ts';
import type { WorkerOptions } from './testing/worker.fixture.ts';
import { addWorkerMetrics } from './worker-metrics.ts';
import type { Database } from '@site/platform/database/connect';
import { buildSyncDeps } from './testing/sync-deps.ts';

const NEVER = new AbortController().signal;

/** Runs leads with metrics, and reads the metrics. */
function prepare(db: Database, options: Pick<WorkerOptions, 'sandbox' | 'apiKey'>) {
  const registry = new Registry();
  const metrics = addWorkerMetrics(registry);
  const deps = buildSyncDeps(db, {
    ...metrics.measure(connectTestNewsletter(options, db)),
    backoffBaseMs: 20,
  });
  return {
    run: async () => {
      const result = await processLead(deps, 'urgent', NEVER);
      if (result) metrics.countRun(result);
    },
    read: () => registry.metrics(),
  };
}

test('the worker’s metrics count leads, and runs by class of answer', async ({ db, sandbox }) => {
  const { run, read } = prepare(db, { sandbox });
  await storeLead(db);
  await storeLead(db, { email: 'priya+422@reader.example' });
  await storeLead(db, { email: 'priya+500@reader.example' });

  for (let n = 0; n < 3; n++) await run();

  const text = await read();
  expect(text).toContain('leads_sent_total 1');
  expect(text).toContain('leads_failed_total{class="permanent"} 1');
  expect(text).toContain('leads_failed_total{class="transient"} 0');
  expect(text).toContain('lead_attempts_total{class="accepted"} 1');
  expect(text).toContain('lead_attempts_total{class="permanent"} 1');
  expect(text).toContain('lead_attempts_total{class="transient"} 1');
  expect(text).not.toContain('reader.example');
});
