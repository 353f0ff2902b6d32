import { storeLead } from '@site/local-infra/testing/builders';
import { test } from '@site/local-infra/testing/fixtures';
import { waitUntil } from '@site/local-infra/wait-until';
import fc from 'fast-check';
import { randomInt, randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { Database } from './connect.ts';
import { up as addCounts } from './migrations/0002_lead_counts.ts';
import { up as addTallies } from './migrations/0010_lead_tallies.ts';
import { forgetEmptyTallies } from './retention.ts';
import type { LeadRow } from './tables.ts';

const ROWS = `(select (submitted_at at time zone 'Europe/London')::date as day, form_type, beehiiv_status,
  case when beehiiv_status = 'sent' then coalesce(left(subscriber_status, 64), '') else '' end as subscriber_status,
  utm_source as source, 1 as leads from leads) counted`;
const COUNTED = 'day::text as day, form_type, beehiiv_status';
const TALLIED = `${COUNTED}, subscriber_status, source`;

async function sum(db: Database, table: string, by: string, keys: string): Promise<unknown[]> {
  const { rows } = await db.raw(
    `select ${by}, sum(leads)::int as n from ${table} group by ${keys} having sum(leads) <> 0 order by ${keys}`,
  );
  return rows;
}

/** Both rollups say what a count of the rows says, and no row of them is there for nothing. */
async function expectExact(db: Database): Promise<void> {
  expect(await sum(db, 'lead_counts', COUNTED, '1, 2, 3')).toEqual(await sum(db, ROWS, COUNTED, '1, 2, 3'));
  expect(await sum(db, 'lead_tallies', TALLIED, '1, 2, 3, 4, 5')).toEqual(
    await sum(db, ROWS, TALLIED, '1, 2, 3, 4, 5'),
  );
  expect(await db('lead_tallies').where({ leads: 0 })).toEqual([]);
}

const DAYS = ['2026-03-28T23:30:00Z', '2026-03-29T23:30:00Z', '2026-10-25T00:30:00Z'];
const LONG = 'x'.repeat(2_047);
const SOURCES = [null, '', 'nav_sub', String.raw`\x00 %s '`, '🦊'.repeat(2_048), `${LONG}a`, `${LONG}b`];

describe('the rollups of leads', () => {
  test('agree with the rows, whatever is done to them, and by whom', async ({ db }) => {
    const day = fc.constantFrom(...DAYS).map((text) => new Date(text));
    const source = fc.constantFrom(...SOURCES);
    const form = fc.constantFrom('pre_buy' as const, 'pre_sample' as const);
    const status = fc.constantFrom(null, 'active', 'validating', 'word of theirs '.repeat(20));
    const unclaimed = { claim: null, claimedUntil: null };
    const do_ = <T extends string>(name: T) => fc.constant(name);
    const step = fc.oneof(
      fc.record({ do: do_('insert'), day, form, source }),
      fc.record({ do: do_('import'), source, many: fc.integer({ min: 0, max: 30 }) }),
      fc.record({ do: do_('copy'), many: fc.integer({ min: 0, max: 8 }) }),
      fc.record({ do: do_('fail') }),
      fc.record({ do: do_('send'), status }),
      fc.record({ do: do_('refresh'), status }),
      fc.record({ do: do_('fill'), source }),
      fc.record({ do: do_('move'), day, form }),
      fc.record({ do: do_('claim') }),
      fc.record({ do: do_('take back'), source }),
      fc.record({ do: do_('erase'), source }),
      fc.record({ do: do_('truncate') }),
    );
    const some = (by: object) => db('leads').whereIn('id', db('leads').where(by).orderBy('id').limit(2).select('id'));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
        await db.raw('truncate leads cascade');
        for (const it of steps) {
          if (it.do === 'insert') await storeLead(db, { submittedAt: it.day, formType: it.form, utmSource: it.source });
          if (it.do === 'import') await importLeads(db, it.many, it.source);
          if (it.do === 'copy') await copyLeads(db, it.many);
          if (it.do === 'fail')
            await some({ beehiivStatus: 'pending' }).update({ beehiivStatus: 'failed', ...unclaimed });
          if (it.do === 'send') await send(db, it.status);
          if (it.do === 'refresh') await some({ beehiivStatus: 'sent' }).update({ subscriberStatus: it.status });
          if (it.do === 'fill') await some({ utmSource: null }).update({ utmSource: it.source });
          if (it.do === 'move') await some({}).update({ submittedAt: it.day, formType: it.form });
          if (it.do === 'claim')
            await some({ beehiivStatus: 'pending' }).update({ claim: randomUUID(), claimedUntil: new Date() });
          if (it.do === 'take back') await takeBack(db, it.source);
          if (it.do === 'erase') await some({ utmSource: it.source }).delete();
          if (it.do === 'truncate') await db.raw('truncate leads cascade');
        }
        await expectExact(db);
      }),
      { numRuns: 15 },
    );
  });

  test('count a whole batch by London days', async ({ db }) => {
    await storeLead(db, { submittedAt: new Date('2026-06-30T23:30:00Z') });

    expect(await sum(db, 'lead_tallies', COUNTED, '1, 2, 3')).toEqual([
      { day: '2026-07-01', formType: 'pre_buy', beehiivStatus: 'pending', n: 1 },
    ]);
    await expectExact(db);
  });

  test('never refuse a lead, however long its source, and keep sources apart that begin alike', async ({ db }) => {
    const source = Array.from({ length: 2_047 }, () => String.fromCodePoint(randomInt(0x1_0000, 0x2_0000))).join('');
    for (const end of ['a', 'b', 'b']) await storeLead(db, { utmSource: source + end });

    expect(await db('lead_tallies').orderBy('leads').pluck('source')).toEqual([`${source}a`, `${source}b`]);
    await expectExact(db);
  });

  test('forget a source with the last lead that had it, also where another shard has it', async ({ db }) => {
    const source = 'sent-by-ada@reader.example';
    const lead = await inTransactions(db, 2, async ([one = db, other = db]) => {
      await storeLead(one, { utmSource: source });
      return storeLead(other, { utmSource: source });
    });
    expect(await db('lead_tallies').where({ source })).toHaveLength(2);

    await db('leads').whereNot({ id: lead.id }).delete();
    await expectExact(db);
    await db('leads').where({ id: lead.id }).delete();

    expect(await db('lead_tallies')).toEqual([]);
  });

  test('forget it later where somebody else was writing in its shard just then', async ({ db }) => {
    const lead = await storeLead(db, { utmSource: 'sent-by-ada@reader.example' });
    await inTransactions(db, 1, async ([other = db]) => {
      await storeLead(other, { utmSource: 'nav_sub' });
      await db('leads').where({ id: lead.id }).delete();
    });
    expect(await db('lead_tallies').where({ source: lead.utmSource })).toHaveLength(2);

    await forgetEmptyTallies(db);

    expect(await db('lead_tallies')).toMatchObject([{ source: 'nav_sub', leads: 1 }]);
    await expectExact(db);
  });

  test('are filled on a live table without losing what is written meanwhile', async ({ db }) => {
    await goBackToCounts(db);
    await importLeads(db, 500, 'nav_sub');
    const write = async (source: string) => {
      for (let n = 0; n < 40; n++) await storeLead(db, { utmSource: source });
    };
    const early = await db.transaction();
    await storeLead(early, { utmSource: 'nav_sub' });
    let isBuilt = false;
    const build = db.transaction((trx) => addTallies(trx)).finally(() => (isBuilt = true));
    await waitUntil(async () => isBuilt || (await isSomebodyWaiting(db)), 10_000);
    const late = [write('top_sub'), write('bottom_sub'), write('top_sub')];
    await early.commit();
    await Promise.all([build, ...late]);

    await expectExact(db);
  });
});

describe('writers of many leads at once', () => {
  test('wait for nobody over the rollups, so cannot deadlock: imports, retries and an erasure', async ({ db }) => {
    await importLeads(db, 4_000, 'nav_sub');
    const all: LeadRow[] = await db('leads').orderBy('email');
    await db('leads').update({ beehiivStatus: 'failed' });
    const part = (n: number) => all.slice(n * 1_000, (n + 1) * 1_000).map(({ id }) => id);
    const again = { beehiivStatus: 'pending', nextAttemptAt: new Date(), syncRound: 2 };

    await inTransactions(db, 5, async ([first = db, second = db, retry = db, another = db, erasure = db]) => {
      for (const day of DAYS) await storeLead(first, { submittedAt: new Date(day), utmSource: 'nav_sub' });
      await retry('leads').whereIn('id', part(0)).update(again);
      for (const day of DAYS.toReversed())
        await storeLead(second, { submittedAt: new Date(day), utmSource: 'nav_sub' });
      await another('leads').whereIn('id', part(1)).update(again);
      await erasure('leads').whereIn('id', part(2)).delete();
      for (const day of DAYS) await storeLead(second, { submittedAt: new Date(day) });
      await retry('leads').whereIn('id', part(3)).update(again);
      for (const day of DAYS.toReversed()) await storeLead(first, { submittedAt: new Date(day) });
    });

    await expectExact(db);
  });
});

async function isSomebodyWaiting(db: Database): Promise<boolean> {
  const { rows } = await db.raw(
    `select from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`,
  );
  return rows.length > 0;
}

/** The database as it was before there were tallies. */
async function goBackToCounts(db: Database): Promise<void> {
  await db.raw(
    `drop table lead_counts, lead_tallies;
     drop function count_inserted_leads, count_deleted_leads, count_updated_leads, count_no_leads, take_count_shard cascade`,
  );
  await addCounts(db);
}

/** Runs `work` with so many transactions, all open until it ends: one that has to wait for another is refused. */
async function inTransactions<T>(db: Database, many: number, work: (writers: Database[]) => Promise<T>): Promise<T> {
  const writers = await Promise.all(Array.from({ length: many }, () => db.transaction()));
  try {
    for (const writer of writers) await writer.raw(`set local lock_timeout = '5s'`);
    const result = await work(writers);
    for (const writer of writers) await writer.commit();
    return result;
  } finally {
    for (const writer of writers) if (!writer.isCompleted()) await writer.rollback();
  }
}

async function importLeads(db: Database, many: number, source: string | null): Promise<void> {
  await db.raw(
    `insert into leads (id, email, form_type, submitted_at, utm_source)
     select gen_random_uuid(), gen_random_uuid() || '@reader.example', case when n % 2 = 0 then 'pre_buy' else 'pre_sample' end,
       (:days::timestamptz[])[1 + n % 3], case when n % 5 = 0 then null else :source end
     from generate_series(1, :many::int) n`,
    { many, source, days: DAYS },
  );
}

/** As a restore of a backup does. */
async function copyLeads(db: Database, many: number): Promise<void> {
  await db.raw(
    `copy leads (id, email, form_type, utm_source) from program
       'i=0; while [ $i -lt ${many} ]; do i=$((i+1)); echo "$(cat /proc/sys/kernel/random/uuid),$i@reader.example,pre_buy,copied"; done' (format csv)`,
  );
}

async function send(db: Database, status: string | null): Promise<void> {
  const waiting = () => db('leads').where({ beehiivStatus: 'pending' }).orderBy('id').limit(2).select('id');
  const ids: string[] = (await waiting()).map(({ id }) => id);
  await db('leads').whereIn('id', ids).update({ claim: randomUUID(), claimedUntil: new Date() });
  await db('leads')
    .whereIn('id', ids)
    .update({ beehiivStatus: 'sent', claim: null, claimedUntil: null, subscriberStatus: status });
}

/** A transaction half of which is taken back, and one that is taken back whole. */
async function takeBack(db: Database, source: string | null): Promise<void> {
  const outer = await db.transaction();
  await storeLead(outer, { utmSource: source });
  const inner = await outer.transaction();
  await storeLead(inner, { utmSource: source });
  await inner('leads').delete();
  await inner.rollback();
  await storeLead(outer, { utmSource: source });
  await outer.commit();
  const whole = await db.transaction();
  await storeLead(whole, { utmSource: source });
  await whole.rollback();
}
