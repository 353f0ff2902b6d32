// @module-tag long
import { test as base } from '@site/testing/fixtures';
import { storeLead } from '@site/testing/builders';
import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { createDatabase } from './connect.ts';
import type { Database } from './connect.ts';
import {
  grantRoles,
  READ_ONLY_ROLE,
  findMissingMigrations,
  migrateDatabase,
  readSchema,
} from './migrate.ts';
import { query, queryOne } from './query.ts';

/** A database connection with the role of API and worker. */
const test = base
  .extend('appUrl', ({ databaseUrl }) => {
    const url = new URL(databaseUrl);
    url.username = `app_${randomUUID().replaceAll('-', '')}`;
    url.password = 'long enough to test';
    return url.href;
  })
  .extend('app', async ({ db, appUrl }, { onCleanup }): Promise<Database> => {
    await migrateDatabase(db, { appUrl });
    const app = createDatabase({ url: appUrl, maxConnections: 2 });
    onCleanup(() => app.destroy());
    return app;
  });

const denied = /permission denied|must be owner/;

describe('the role of API and worker', () => {
  test('the role of API and worker reads and writes rows', async ({ app }) => {
    const lead = await storeLead(app);

    await app('leads').where({ id: lead.id }).update({ company: 'Northgate' });
    await app('operator_actions').insert({ operator: null, action: 'login-failed' });

    expect(await findMissingMigrations(app)).toEqual([]);
    expect(await app('lead_counts')).not.toEqual([]);
    await app('leads').delete();
  });

  test.for([
    'truncate leads',
    'drop table leads',
    'create table mine (id integer)',
    'alter table leads disable trigger all',
    `update operator_actions set operator = 'nobody'`,
    'delete from operator_actions',
    `delete from migrations`,
  ])('the role of API and worker may not %s', async (statement, { app }) => {
    await expect(app.raw(statement)).rejects.toThrow(denied);
  });
});

test('a view that a later build changes can still be read', async ({ db, app, appUrl }) => {
  for (const column of ['email', 'company']) {
    const schema = { ...readSchema(), views: `create view listed as select ${column} from leads;` };
    await migrateDatabase(db, { appUrl, schema });

    expect(await query(app, `select ${column} from listed`)).toEqual([]);
  }
});

test('the read-only role reads leads, and no operators or sessions', async ({ db, app }) => {
  await storeLead(app);
  const asReader = async (statement: string): Promise<object[]> =>
    db.transaction(async (trx) => {
      await trx.raw(`set local role ${READ_ONLY_ROLE}`);
      return query(trx, statement);
    });

  expect(await asReader('select email from leads')).toHaveLength(1);
  await expect(asReader('delete from leads')).rejects.toThrow(denied);
  await expect(asReader('select password from users')).rejects.toThrow(denied);
  await expect(asReader('select sess from operator_sessions')).rejects.toThrow(denied);
});

test('the owner is refused as the role of API and worker', async ({ db, databaseUrl }) => {
  await expect(migrateDatabase(db, { appUrl: databaseUrl })).rejects.toThrow('have the same role');
});

test('a role gets the password in its URL when that changes', async ({ db, app, appUrl }) => {
  const { username } = new URL(appUrl);
  const verifierOf = async () => {
    const sql = 'select rolpassword as verifier from pg_authid where rolname = ?';
    return (await queryOne<{ verifier: string }>(db, sql, [username])).verifier;
  };
  await query(app, 'select 1');
  const before = await verifierOf();
  await migrateDatabase(db, { appUrl });
  expect(await verifierOf()).toBe(before);

  const changed = new URL(appUrl);
  changed.password = 'another that is long enough';
  await migrateDatabase(db, { appUrl: changed.href });

  const fresh = createDatabase({ url: changed.href, maxConnections: 1 });
  expect(await query(fresh, 'select 1 as one')).toEqual([{ one: 1 }]);
  // An open connection stays usable.
  expect(await query(app, 'select 1 as one')).toEqual([{ one: 1 }]);
  await fresh.destroy();
});

test('an owner who may not create roles gets an error with the missing right', async ({
  db,
  app,
  appUrl,
  databaseUrl,
}) => {
  await query(app, 'select 1');
  const absent = new URL(databaseUrl);
  absent.username = 'nobody_of_this_name';

  await expect(
    db.transaction(async (trx) => {
      await trx.raw('set local role pg_read_all_data');
      await grantRoles(trx, absent.href, '');
    }),
  ).rejects.toThrow('"nobody_of_this_name" of DATABASE_URL cannot sign in');
  expect(appUrl).not.toContain('nobody');
});
