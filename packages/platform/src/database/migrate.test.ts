// @module-tag long
import { openTransaction, storeLead } from '@site/testing/builders';
import { createTestDatabase, dropTestDatabase } from '@site/testing/database';
import { test as base } from '@site/testing/fixtures';
import { randomUUID as newId } from 'node:crypto';
import { describe, expect, vi } from 'vitest';
import { claimLead } from '../outbox/claim.ts';
import { createDatabase } from './connect.ts';
import type { Database } from './connect.ts';
import { findMissingMigrations, hasSameViews, migrateDatabase, readSchema } from './migrate.ts';
import { query } from './query.ts';
import type { Schema } from './migrate.ts';

const test = base.extend('empty', async ({ infra, admin }, { onCleanup }): Promise<Database> => {
  const name = `t_${newId().replaceAll('-', '')}`;
  const url = await createTestDatabase(infra.adminUrl, name, undefined, admin);
  const empty = createDatabase({ url, maxConnections: 5 });
  onCleanup(async () => {
    await empty.destroy();
    await dropTestDatabase(infra.adminUrl, name, admin);
  });
  return empty;
});

/** The baseline, and the migrations after it. */
const MIGRATIONS = Object.keys(readSchema().migrations);

/** Returns this build's schema with one more migration. */
function schemaWith(name: string, sql: string): Schema {
  const schema = readSchema();
  return { ...schema, migrations: { ...schema.migrations, [name]: sql } };
}

const listTables = (db: Database) =>
  db('pg_tables').whereRaw('schemaname = current_schema()').pluck('tablename');

describe('the baseline', () => {
  test('an empty database lacks the baseline, and stores leads once it is applied', async ({
    empty,
  }) => {
    expect(await findMissingMigrations(empty)).toEqual(MIGRATIONS);

    expect(await migrateDatabase(empty)).toEqual(MIGRATIONS);

    expect(await findMissingMigrations(empty)).toEqual([]);
    await storeLead(empty);
    expect(await empty('lead_counts').pluck('leads')).toEqual([1]);
  });

  test('one of two simultaneous migrators applies the baseline', async ({ empty }) => {
    const runs = await Promise.all([migrateDatabase(empty), migrateDatabase(empty)]);

    expect(runs.flat()).toEqual(MIGRATIONS);
  });

  test('a database of an earlier build is refused and unchanged', async ({ empty }) => {
    await empty.raw('create table knex_migrations (name text)');

    await expect(migrateDatabase(empty)).rejects.toThrow('delete .data/postgres');

    expect(await listTables(empty)).toEqual(['knex_migrations']);
    expect(await findMissingMigrations(empty)).toEqual(MIGRATIONS);
  });
});

test('a migration that fails leaves nothing, and is applied once it is mended', async ({ db }) => {
  const half = 'create table half (id integer); comment on table half is $$why?$$;';
  const tables = await listTables(db);

  await expect(
    migrateDatabase(db, { schema: schemaWith('9998_half', `${half} select 1 / 0;`) }),
  ).rejects.toThrow('division by zero');

  expect(await listTables(db)).toEqual(tables);
  const mended = schemaWith('9998_half', half);
  expect(await findMissingMigrations(db, mended)).toEqual(['9998_half']);
  expect(await migrateDatabase(db, { schema: mended })).toEqual(['9998_half']);
  expect(await query(db, `select obj_description('half'::regclass) as comment`)).toEqual([
    { comment: 'why?' },
  ]);
});

describe('functions and views', () => {
  const hello = (word: string) =>
    `create or replace function hello() returns text language sql as $$ select '${word}' $$;`;
  const earlier: Schema = {
    ...readSchema(),
    functions: hello('good day'),
    views: `create view emails as select id, email from leads;
      create view greetings as select hello() as greeting, email from emails;`,
  };
  const later: Schema = {
    ...earlier,
    functions: hello('hello'),
    views: 'create view greetings as select email, hello() as word from leads;',
  };
  const migrate = (db: Database, schema: Schema) => migrateDatabase(db, { schema });

  test('functions and views are those of the build that migrated last', async ({ db }) => {
    await storeLead(db, { email: 'ada@reader.example' });

    await migrate(db, earlier);
    expect(await db('greetings')).toEqual([{ greeting: 'good day', email: 'ada@reader.example' }]);
    await migrate(db, later);
    expect(await db('greetings')).toEqual([{ email: 'ada@reader.example', word: 'hello' }]);
    expect(await db('pg_views').whereRaw('schemaname = current_schema()')).toHaveLength(1);
    await migrate(db, earlier);
    expect(await db('emails').pluck('email')).toEqual(['ada@reader.example']);
  });

  test('a build knows whether functions and views are its own', async ({ db }) => {
    expect(await hasSameViews(db)).toBe(true);

    await migrate(db, later);

    expect(await hasSameViews(db)).toBe(false);
    expect(await hasSameViews(db, later)).toBe(true);
  });
});

describe('an index that is added later', () => {
  const schema = schemaWith(
    '9998_leads_by_city',
    `drop index concurrently if exists leads_by_city;
create index concurrently leads_by_city on leads (city);`,
  );

  test('an index added later is built while leads arrive', async ({ db }) => {
    const before = await openTransaction(db);
    await storeLead(before);
    const migrated = migrateDatabase(db, { schema });
    // The build waits for the transaction before it. Later statements do not wait.
    const waiting = db('pg_stat_activity')
      .where({ waitEventType: 'Lock' })
      .whereRaw('datname = current_database()')
      .whereLike('query', '%create index concurrently%');
    await vi.waitFor(async () => expect(await waiting.clone()).toHaveLength(1), 5_000);

    const during = await storeLead(db);
    await before.commit();

    expect(await migrated).toEqual(['9998_leads_by_city']);
    expect(await db('leads').where({ id: during.id })).toHaveLength(1);
  });

  test('an index added later is built again after a cancelled build', async ({ db }) => {
    await storeLead(db, { city: 'Leeds' });
    await storeLead(db, { city: 'Leeds' });
    await expect(
      db.raw('create unique index concurrently leads_by_city on leads (city)'),
    ).rejects.toThrow('unique');
    const isValid = () =>
      db('pg_index').whereRaw(`indexrelid = 'leads_by_city'::regclass`).pluck('indisvalid');
    expect(await isValid()).toEqual([false]);

    await migrateDatabase(db, { schema });

    expect(await isValid()).toEqual([true]);
  });
});

describe('a column that is added later', () => {
  const schema = schemaWith(
    '9998_mood',
    `alter table leads add mood text default 'calm',
       add constraint leads_mood_check check (mood in ('calm', 'cross')) not valid;`,
  );

  test('adding a column waits for a reader, names it, and lets leads arrive', async ({ db }) => {
    const reader = await openTransaction(db);
    await reader('leads').first('id');
    const readers: string[] = [];
    const migrated = migrateDatabase(db, {
      schema,
      onBlocked: (by) => readers.push(by),
      retryAfterMs: 50,
    });
    const stored: string[] = [];
    const loaded = new AbortController();
    const load = (async () => {
      while (!loaded.signal.aborted) stored.push((await storeLead(db)).id);
    })();

    await vi.waitFor(() => {
      expect(readers.length).toBeGreaterThan(1);
      expect(stored.length).toBeGreaterThan(2);
    }, 10_000);
    await reader.commit();
    expect(await migrated).toEqual(['9998_mood']);
    loaded.abort();
    await load;

    expect(readers[0]).toMatch(/^process \d+ \("site", \d+ s\)$/);
    expect(await db('leads').whereIn('id', stored).where({ mood: 'calm' })).toHaveLength(
      stored.length,
    );
    const lead = db('leads').where({ id: stored[0] });
    await expect(lead.update({ mood: 'sad' })).rejects.toThrow('leads_mood_check');
  });

  test('adding a column keeps the claims of a running worker', async ({ databaseUrl, db }) => {
    const worker = createDatabase({ url: databaseUrl, maxConnections: 1 });
    const claim = async () => {
      await storeLead(db);
      return claimLead(worker, { attemptId: newId(), worker: 'test' });
    };

    expect(await claim()).not.toBeNull();
    await migrateDatabase(db, { schema });

    expect(await claim()).not.toBeNull();
    await worker.destroy();
  });
});

test('an older release on a newer database applies nothing', async ({ db }) => {
  await db('migrations').insert({ name: '9999_of_tomorrow' });

  expect(await migrateDatabase(db)).toEqual([]);
  expect(await findMissingMigrations(db)).toEqual([]);
});
