import { randomBytes } from 'node:crypto';

import { createDatabase } from '@site/platform/database/connect';
import { migrateDatabase } from '@site/platform/database/migrate';
import type { TestProject } from 'vitest/node';

import { createTestDatabase, dropTestDatabase } from './database.ts';
import type { ProvidedInfra } from './provided-infra.ts';
import { startTestInfra } from './test-infra.ts';

/**
 * Starts Redis and Postgres once per run. Every test's database is cloned from a migrated template.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { TEST_INFRA, DATABASE_URL, REDIS_URL } = process.env;
  const infra = await startTestInfra(TEST_INFRA, {
    databaseUrl: DATABASE_URL || undefined,
    redisUrl: REDIS_URL || undefined,
  });
  const adminUrl = infra.databaseUrl;
  const templateDatabase = `template_${randomBytes(6).toString('hex')}`;
  try {
    await migrateTemplate(await createTestDatabase(adminUrl, templateDatabase));
  } catch (error) {
    await infra.stop();
    throw error;
  }
  const provided: ProvidedInfra = { adminUrl, templateDatabase, redisUrl: infra.redisUrl };
  project.provide('infra', provided);
  return async () => {
    await dropTestDatabase(adminUrl, templateDatabase);
    await infra.stop();
  };
}

async function migrateTemplate(url: string): Promise<void> {
  const db = createDatabase({ url, maxConnections: 2 });
  try {
    await migrateDatabase(db);
  } finally {
    // A database with open connections cannot be cloned.
    await db.destroy();
  }
}
