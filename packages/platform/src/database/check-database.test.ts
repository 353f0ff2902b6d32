import { test as base } from '@site/testing/fixtures';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import {
  checkDatabase,
  checkDatabaseAtStart,
  findDatabaseFailure,
  readDatabaseFacts,
} from './check-database.ts';
import { createDatabase } from './connect.ts';

const WITHOUT_LETTERS = `encoding 'UTF8' locale_provider libc locale 'C'`;

const test = base.extend('newDatabase', ({ infra, admin }, { onCleanup }) => {
  const closers: (() => Promise<unknown>)[] = [];
  onCleanup(async () => {
    for (const close of closers) await close();
  });
  return async (options: string) => {
    const name = `t_${randomUUID().replaceAll('-', '')}`;
    await admin.query(`create database ${name} template template0 ${options}`);
    const url = new URL(infra.adminUrl);
    url.pathname = `/${name}`;
    const db = createDatabase({ url: url.href, maxConnections: 1 });
    closers.push(async () => {
      await db.destroy();
      await admin.query(`drop database ${name} with (force)`);
    });
    return { db, url: url.href };
  };
});

test('a migrated database passes', async ({ db }) => {
  await checkDatabase(db);
});

test('a Postgres before 16 is refused', async ({ db }) => {
  const facts = await readDatabaseFacts(db);

  expect(findDatabaseFailure({ ...facts, version: '16.0', number: 160_000 })).toBeNull();
  expect(findDatabaseFailure({ ...facts, version: '15.9', number: 150_009 })).toEqual({
    message: 'version 15.9 is too old',
    remedy: 'Move to Postgres 16 or later.',
  });
});

test.for([
  [
    'a locale that cannot compare letters',
    WITHOUT_LETTERS,
    'the locale "C" cannot compare letters: MÜLLER does not find müller',
  ],
  [
    'an encoding other than UTF-8',
    `encoding 'LATIN1' locale_provider libc locale 'C'`,
    'the encoding LATIN1 is not UTF8',
  ],
] as const)('%s is refused, with the remedy', async ([, options, message], { newDatabase }) => {
  const { db } = await newDatabase(options);

  await expect(checkDatabase(db)).rejects.toThrow(
    `Postgres is not usable: ${message}. Create the database anew, as `,
  );
});

test('a Postgres that is away does not stop a start', async ({ onTestFinished }) => {
  const db = createDatabase({ url: 'postgres://nobody@127.0.0.1:1/none', maxConnections: 1 });
  onTestFinished(() => db.destroy());

  await checkDatabaseAtStart(db);
});

test.for(['api/dist/main.js', 'worker/dist/main.js', 'api/dist/commands/migrate.js'])(
  '%s ends with a sentence on a database that cannot compare letters',
  async (program, { newDatabase, redisUrl }) => {
    const { url } = await newDatabase(WITHOUT_LETTERS);
    const path = fileURLToPath(new URL(`../../../../services/${program}`, import.meta.url));
    const child = spawn(process.execPath, [path], {
      env: { DATABASE_URL: url, REDIS_URL: redisUrl, PORT: '0', WORKER_PORT: '0' },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => (output += String(chunk)));
    const [code] = await once(child, 'close');

    expect(output.trim()).toMatch(/^Postgres is not usable: the locale "C" .+ says\.$/);
    expect(code).toBe(1);
  },
);
