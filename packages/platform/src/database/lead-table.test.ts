// @module-tag long
import { openTransaction, storeAttempts, storeLead } from '@site/testing/builders';
import { test } from '@site/testing/fixtures';
import { randomUUID as newId } from 'node:crypto';
import { describe, expect, vi } from 'vitest';
import { claimLead } from '../outbox/claim.ts';
import { createDatabase } from './connect.ts';
import type { Database } from './connect.ts';
import { addColumn, createIndexMigration } from './migration.ts';
import { findMissingMigrations, migrateDatabase } from './migrate.ts';

test('migrations are safe to run again, and from two machines at once', async ({ db }) => {
  const runs = await Promise.all([migrateDatabase(db), migrateDatabase(db)]);

  expect(runs).toEqual([[], []]);
  expect(await findMissingMigrations(db)).toEqual([]);
});

describe('an index that is added later', () => {
  const migration = createIndexMigration('9998_leads_by_city', 'on leads (city)');

  test('an index that is added later is built while leads arrive', async ({ db }) => {
    const before = await openTransaction(db);
    await storeLead(before);
    const migrated = migrateDatabase(db, [migration]);
    // The build waits for the transaction before it. What comes later waits for neither.
    const waiting = db('pg_stat_activity')
      .where({ waitEventType: 'Lock' })
      .whereRaw('datname = current_database()')
      .whereLike('query', 'create index concurrently%');
    await vi.waitFor(async () => expect(await waiting.clone()).toHaveLength(1), 5_000);

    const during = await storeLead(db);
    await before.commit();

    expect(await migrated).toEqual(['9998_leads_by_city']);
    expect(await db('leads').where({ id: during.id })).toHaveLength(1);
  });

  test('an index that is added later is built again after a build that was cancelled', async ({
    db,
  }) => {
    await storeLead(db, { city: 'Leeds' });
    await storeLead(db, { city: 'Leeds' });
    await expect(
      db.raw('create unique index concurrently leads_by_city on leads (city)'),
    ).rejects.toThrow('unique');
    const isValid = () =>
      db('pg_index').whereRaw(`indexrelid = 'leads_by_city'::regclass`).pluck('indisvalid');
    expect(await isValid()).toEqual([false]);

    await migrateDatabase(db, [migration]);

    expect(await isValid()).toEqual([true]);
  });
});

describe('a column that is added later', () => {
  const migration = {
    name: '9998_mood',
    up: (db: Database) =>
      addColumn(db, 'leads', 'mood', `text default 'calm'`, `mood in ('calm', 'cross')`),
  };

  test('adding a column waits for a reader, names it, and lets leads arrive until the reader ends', async ({
    db,
  }) => {
    const reader = await openTransaction(db);
    await reader('leads').first('id');
    const readers: string[] = [];
    const migrated = migrateDatabase(db, [migration], {
      onBlocked: (by) => readers.push(by),
      retryAfterMs: 50,
    });
    const stored: string[] = [];
    const loaded = new AbortController();
    const load = (async () => {
      while (!loaded.signal.aborted) stored.push((await storeLead(db)).id);
    })();

    await vi.waitFor(() => expect(readers).toHaveLength(2), 10_000);
    const storedBeforeItEnded = stored.length;
    await reader.commit();
    expect(await migrated).toEqual(['9998_mood']);
    loaded.abort();
    await load;

    expect(readers[0]).toMatch(/^process \d+ \("site", \d+ s\)$/);
    expect(storedBeforeItEnded).toBeGreaterThan(2);
    expect(await db('leads').whereIn('id', stored).where({ mood: 'calm' })).toHaveLength(
      stored.length,
    );
    const lead = db('leads').where({ id: stored[0] });
    await expect(lead.update({ mood: 'sad' })).rejects.toThrow('leads_mood_check');
  });

  test('adding a column does not end the claims of a worker that runs', async ({
    databaseUrl,
    db,
  }) => {
    const worker = createDatabase({ url: databaseUrl, maxConnections: 1 });
    const claim = async () => {
      await storeLead(db);
      return claimLead(worker, { attemptId: newId(), worker: 'test' });
    };

    expect(await claim()).not.toBeNull();
    await migrateDatabase(db, [migration]);

    expect(await claim()).not.toBeNull();
    await worker.destroy();
  });
});

test('an older release on a newer database finds nothing missing and changes nothing, so that a rollback works', async ({
  db,
}) => {
  await db('knex_migrations').insert({
    name: '9999_of_tomorrow',
    batch: 99,
    migration_time: new Date(),
  });

  expect(await migrateDatabase(db)).toEqual([]);
  expect(await findMissingMigrations(db)).toEqual([]);
  await db('knex_migrations').where({ name: '0004_console' }).delete();
  expect(await findMissingMigrations(db)).toEqual(['0004_console']);
});

test('a lead’s status rejects every change that is not a legal transition', async ({ db }) => {
  const sent = await storeLead(db, { beehiivStatus: 'sent', nextAttemptAt: null });
  const failed = await storeLead(db, { beehiivStatus: 'failed', nextAttemptAt: null });
  const untried = await storeLead(db);
  const set = (id: string, columns: object) => db('leads').where({ id }).update(columns);

  await expect(
    set(sent.id, { beehiivStatus: 'pending', nextAttemptAt: new Date(), syncRound: 2 }),
  ).rejects.toThrow('cannot go from sent');
  await expect(set(sent.id, { beehiivStatus: 'failed' })).rejects.toThrow('cannot go from sent');
  await expect(set(failed.id, { beehiivStatus: 'sent' })).rejects.toThrow('cannot go from failed');
  await expect(
    set(failed.id, { beehiivStatus: 'pending', nextAttemptAt: new Date() }),
  ).rejects.toThrow('cannot go from failed');
  await expect(set(untried.id, { beehiivStatus: 'sent' })).rejects.toThrow(
    'cannot go from pending',
  );
});

test('a lead’s status goes from pending to sent with an attempt on record, and to failed', async ({
  db,
}) => {
  const [first, second] = [await storeLead(db), await storeLead(db)];
  await storeAttempts(db, [first.id]);

  await db('leads').where({ id: first.id }).update({ beehiivStatus: 'sent' });
  await db('leads').where({ id: second.id }).update({ beehiivStatus: 'failed' });

  expect(await db('leads').select('beehiivStatus').orderBy('beehiivStatus')).toEqual([
    { beehiivStatus: 'failed' },
    { beehiivStatus: 'sent' },
  ]);
});

test('an unknown status or form type is rejected', async ({ db }) => {
  await expect(storeLead(db, { beehiivStatus: 'lost' as 'sent' })).rejects.toThrow(
    'leads_beehiiv_status_check',
  );
  await expect(storeLead(db, { formType: 'pre_nothing' as 'pre_buy' })).rejects.toThrow(
    'leads_form_type_check',
  );
});
