import { test as base } from '@site/testing/fixtures';
import { storeLead } from '@site/testing/builders';
import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { createDatabase } from './connect.ts';
import type { Database } from './connect.ts';
import { grantRoles, READ_ONLY_ROLE } from './grants.ts';
import { findMissingMigrations } from './migrate.ts';
import { query } from './query.ts';

/** A database as the role of API and worker sees it. */
const test = base.extend('app', async ({ db, databaseUrl }, { onCleanup }): Promise<Database> => {
  const role = `app_${randomUUID().replaceAll('-', '')}`;
  await db.raw(`create role ${role} login password 'long enough to test'`);
  await grantRoles(db, role);
  const url = new URL(databaseUrl);
  url.username = role;
  url.password = 'long enough to test';
  const app = createDatabase({ url: url.href, maxConnections: 2 });
  onCleanup(() => app.destroy());
  return app;
});

const denied = /permission denied|must be owner/;

describe('the role of API and worker', () => {
  test('reads and writes rows, and sees that no migration is missing', async ({ app }) => {
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
    `delete from knex_migrations`,
  ])('may not %s', async (statement, { app }) => {
    await expect(app.raw(statement)).rejects.toThrow(denied);
  });
});

test('the read-only role reads leads, and neither writes nor sees what opens the console', async ({ db, app }) => {
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

test('the owner is refused as the role of API and worker', async ({ db }) => {
  const { rows } = await db.raw('select current_user as name');

  await expect(grantRoles(db, rows[0].name)).rejects.toThrow('have the same role');
});
