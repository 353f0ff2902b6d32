// @module-tag long
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Client } from 'pg';
import { describe, expect, test as base } from 'vitest';

import { startEmbeddedPostgres } from './embedded-postgres.ts';
import type { EmbeddedPostgres } from './embedded-postgres.ts';
import { findPostgresBinaries } from './postgres/binaries.ts';
import { makeTestFolder } from './test-folder.ts';

const test = base
  .extend('dataDir', async ({ onTestFinished }) => {
    const folder = makeTestFolder();
    onTestFinished(folder.remove);
    return join(folder.path, 'postgres');
  })
  .extend('start', async ({ dataDir, onTestFinished }) => {
    const logFile = join(dataDir, '../postgres.log');
    return async (): Promise<EmbeddedPostgres> => {
      const server = await startEmbeddedPostgres({ dataDir, logFile, forTests: true });
      onTestFinished(() => server.stop());
      return server;
    };
  });

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe.concurrent('startEmbeddedPostgres', () => {
  test('the embedded Postgres starts again after a first start was killed halfway', async ({
    start,
    dataDir,
  }) => {
    mkdirSync(join(`${dataDir}.new`, 'cluster/base'), { recursive: true });
    writeFileSync(join(`${dataDir}.new`, 'cluster/PG_VERSION'), '17');

    const server = await start();

    expect(await ask(server.url, 'select 1 as n')).toEqual([{ n: 1 }]);
    expect(existsSync(`${dataDir}.new`)).toBe(false);
  });

  test('the data of another Postgres version is refused, with the remedy', async ({
    start,
    dataDir,
  }) => {
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'PG_VERSION'), '18\n');
    writeFileSync(join(dataDir, 'superuser-password'), 'secret');

    await expect(start()).rejects.toThrow(
      `${dataDir} was made by Postgres 18 and this is Postgres 17: move the folder away to start empty. ` +
        'To keep its data, run it with Postgres 18 and copy it with pg_dump.',
    );
  });

  test('a folder with other contents is refused with a clear message', async ({
    start,
    dataDir,
  }) => {
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'holiday.jpg'), '');

    await expect(start()).rejects.toThrow(
      'exists but is not a database of this program: move it away.',
    );
    expect(readFileSync(join(dataDir, 'holiday.jpg'), 'utf8')).toBe('');
  });
});

test('the binaries have the same major version as the production image', async () => {
  const { postgres } = await findPostgresBinaries();
  const compose = readFileSync(join(import.meta.dirname, '../../../docker-compose.yml'), 'utf8');
  const major = /site}\/postgres:(\d+)-/.exec(compose)?.[1];

  expect(execFileSync(postgres, ['--version'], { encoding: 'utf8' })).toContain(
    `(PostgreSQL) ${major}.`,
  );
});
