import { storeLead } from '@site/local-infra/testing/builders';
import { test } from '@site/local-infra/testing/fixtures';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { Database } from './connect.ts';
import { findMissingMigrations, migrateDatabase } from './migrate.ts';

describe('migrations', () => {
  test('are safe to run again, and from two machines at once', async ({ db }) => {
    const runs = await Promise.all([migrateDatabase(db), migrateDatabase(db)]);

    expect(runs).toEqual([[], []]);
    expect(await findMissingMigrations(db)).toEqual([]);
  });
});

describe('an older release on a newer database', () => {
  test('finds nothing missing and changes nothing, so that going back works', async ({ db }) => {
    await db('knex_migrations').insert({ name: '9999_of_tomorrow', batch: 99, migration_time: new Date() });

    expect(await migrateDatabase(db)).toEqual([]);
    expect(await findMissingMigrations(db)).toEqual([]);
    await db('knex_migrations').where({ name: '0004_money' }).delete();
    expect(await findMissingMigrations(db)).toEqual(['0004_money']);
  });
});

describe('the status of a lead', () => {
  const claimed = () => ({ claim: randomUUID(), claimedUntil: new Date(Date.now() + 60_000) });

  test('is refused every change that is no transition', async ({ db }) => {
    const sent = await storeLead(db, { beehiivStatus: 'sent', nextAttemptAt: null });
    const failed = await storeLead(db, { beehiivStatus: 'failed', nextAttemptAt: null });
    const unclaimed = await storeLead(db);
    const set = (id: string, columns: object) => db('leads').where({ id }).update(columns);

    await expect(set(sent.id, { beehiivStatus: 'pending', nextAttemptAt: new Date(), syncRound: 2 })).rejects.toThrow(
      'cannot go from sent',
    );
    await expect(set(sent.id, { beehiivStatus: 'failed' })).rejects.toThrow('cannot go from sent');
    await expect(set(failed.id, { beehiivStatus: 'sent' })).rejects.toThrow('cannot go from failed');
    await expect(set(failed.id, { beehiivStatus: 'pending', nextAttemptAt: new Date() })).rejects.toThrow(
      'cannot go from failed',
    );
    await expect(set(unclaimed.id, { beehiivStatus: 'sent' })).rejects.toThrow('cannot go from pending');
  });

  test('goes from pending to sent under a claim, and to failed', async ({ db }) => {
    const [first, second] = [await storeLead(db, claimed()), await storeLead(db, claimed())];

    await db('leads').where({ id: first.id }).update({ beehiivStatus: 'sent', claim: null, claimedUntil: null });
    await db('leads').where({ id: second.id }).update({ beehiivStatus: 'failed', claim: null, claimedUntil: null });

    expect(await db('leads').select('beehiivStatus').orderBy('beehiivStatus')).toEqual([
      { beehiivStatus: 'failed' },
      { beehiivStatus: 'sent' },
    ]);
  });

  test('cannot be an unknown word, nor can the form', async ({ db }) => {
    await expect(storeLead(db, { beehiivStatus: 'lost' as 'sent' })).rejects.toThrow('leads_beehiiv_status_check');
    await expect(storeLead(db, { formType: 'pre_nothing' as 'pre_buy' })).rejects.toThrow('leads_form_type_check');
  });
});

describe('the rollup of counters', () => {
  const read = async (db: Database) => {
    const { rows } = await db.raw(
      `select day::text, form_type, beehiiv_status, sum(leads)::int as n from lead_counts group by 1, 2, 3 having sum(leads) <> 0 order by 1, 2, 3`,
    );
    return rows;
  };
  const recount = async (db: Database) => {
    const { rows } = await db.raw(
      `select (submitted_at at time zone 'Europe/London')::date::text as day, form_type, beehiiv_status, count(*)::int as n from leads group by 1, 2, 3 order by 1, 2, 3`,
    );
    return rows;
  };

  test('agrees with the rows, whatever is done to them', async ({ db }) => {
    const day = fc.constantFrom('2026-03-28T23:30:00Z', '2026-03-29T23:30:00Z', '2026-10-25T00:30:00Z');
    const step = fc.oneof(
      fc.record({ do: fc.constant('insert' as const), day, form: fc.constantFrom('pre_buy', 'pre_sample') }),
      fc.record({ do: fc.constant('fail' as const) }),
      fc.record({ do: fc.constant('move' as const), day }),
      fc.record({ do: fc.constant('delete' as const) }),
      fc.record({ do: fc.constant('truncate' as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        for (const action of steps) {
          if (action.do === 'insert')
            await storeLead(db, { submittedAt: new Date(action.day), formType: action.form as 'pre_buy' });
          if (action.do === 'fail')
            await db('leads').where({ beehiivStatus: 'pending' }).limit(2).update({ beehiivStatus: 'failed' });
          if (action.do === 'move') await db('leads').update({ submittedAt: new Date(action.day) });
          if (action.do === 'delete') await db('leads').where({ beehiivStatus: 'failed' }).delete();
          if (action.do === 'truncate') await db.raw('truncate leads cascade');
        }
        expect(await read(db)).toEqual(await recount(db));
      }),
      { numRuns: 15 },
    );
  });

  test('counts a whole batch by London days', async ({ db }) => {
    await storeLead(db, { submittedAt: new Date('2026-06-30T23:30:00Z') });

    expect(await read(db)).toEqual([{ day: '2026-07-01', formType: 'pre_buy', beehiivStatus: 'pending', n: 1 }]);
  });
});
