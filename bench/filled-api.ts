import { createTestDatabase, dropTestDatabase } from '@site/testing/database';
import { createDatabase } from '@site/platform/database/connect';
import type { Database } from '@site/platform/database/connect';
import { migrateDatabase } from '@site/platform/database/migrate';
import { fillLeads } from './fill-leads.ts';
import { startApi } from './running-api.ts';
import type { RunningApi } from './running-api.ts';

export type Infra = { databaseUrl: string; redisUrl: string };

/** Runs `work` with an API on its own database with this many leads, then removes both. */
export async function onFilledApi<T>(
  infra: Infra,
  total: number,
  work: (api: RunningApi, db: Database, databaseUrl: string) => Promise<T>,
): Promise<T> {
  const name = `bench_${total}_${process.pid}`;
  const databaseUrl = await createTestDatabase(infra.databaseUrl, name);
  const db = createDatabase({ url: databaseUrl, maxConnections: 3, statementTimeoutMs: 3_600_000 });
  try {
    await migrateDatabase(db);
    const startedAt = performance.now();
    await fillLeads(db, total);
    const seconds = (performance.now() - startedAt) / 1_000;
    console.log(`${total.toLocaleString('en-GB')} leads written in ${seconds.toFixed(0)} s`);
    const api = await startApi({ databaseUrl, redisUrl: infra.redisUrl });
    try {
      return await work(api, db, databaseUrl);
    } finally {
      await api.close();
    }
  } finally {
    await db.destroy();
    await dropTestDatabase(infra.databaseUrl, name);
  }
}
