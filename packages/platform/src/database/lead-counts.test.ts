// @module-tag long
import { correctLead, openTransaction, storeAttempts, storeLead } from '@site/testing/builders';
import { test } from '@site/testing/fixtures';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Database } from './connect.ts';
import { query } from './query.ts';
import type { LeadRow } from './tables.ts';

const ROWS = `(select (submitted_at at time zone 'Europe/London')::date as day, form_type, beehiiv_status,
  case beehiiv_status when 'sent' then coalesce(subscriber_status, '') else '' end as subscriber_status, 1 as leads from leads) counted`;

async function sumByKey(db: Database, table: string): Promise<unknown[]> {
  return query(
    db,
    `select day::text as day, form_type, beehiiv_status, subscriber_status, sum(leads)::int as n from ${table}
     group by 1, 2, 3, 4 having sum(leads) <> 0 order by 1, 2, 3, 4`,
  );
}

async function expectExact(db: Database): Promise<void> {
  expect(await sumByKey(db, 'lead_counts')).toEqual(await sumByKey(db, ROWS));
}

const DAYS = ['2026-03-28T23:30:00Z', '2026-03-29T23:30:00Z', '2026-10-25T00:30:00Z'];

test('the lead counters agree with the rows after any sequence of changes', async ({ db }) => {
  const day = fc.constantFrom(...DAYS).map((text) => new Date(text));
  const form = fc.constantFrom('pre_buy' as const, 'pre_sample' as const);
  const do_ = <T extends string>(name: T) => fc.constant(name);
  const step = fc.oneof(
    fc.record({ do: do_('insert'), day, form }),
    fc.record({ do: do_('import'), many: fc.integer({ min: 0, max: 30 }) }),
    fc.record({ do: do_('copy'), many: fc.integer({ min: 0, max: 8 }) }),
    fc.record({ do: do_('fail') }),
    fc.record({ do: do_('send') }),
    fc.record({ do: do_('move'), day, form }),
    fc.record({ do: do_('note') }),
    fc.record({ do: do_('learn'), state: fc.constantFrom('active', 'inactive', null) }),
    fc.record({ do: do_('correct'), which: fc.nat(3) }),
    fc.record({ do: do_('roll back') }),
    fc.record({ do: do_('delete') }),
    fc.record({ do: do_('truncate') }),
  );
  const some = (by: object) =>
    db('leads').whereIn('id', db('leads').where(by).orderBy('id').limit(2).select('id'));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      await query(db, 'truncate leads cascade');
      for (const it of steps) {
        if (it.do === 'insert') await storeLead(db, { submittedAt: it.day, formType: it.form });
        if (it.do === 'import') await importLeads(db, it.many);
        if (it.do === 'copy') await copyLeads(db, it.many);
        if (it.do === 'fail')
          await some({ beehiivStatus: 'pending' }).update({ beehiivStatus: 'failed' });
        if (it.do === 'send') await send(db);
        if (it.do === 'move') await some({}).update({ submittedAt: it.day, formType: it.form });
        if (it.do === 'note') await some({}).update({ outcomeUnknown: true });
        if (it.do === 'learn') await some({}).update({ subscriberStatus: it.state });
        if (it.do === 'correct') await correct(db, it.which);
        if (it.do === 'roll back') await rollBack(db);
        if (it.do === 'delete') await some({}).delete();
        if (it.do === 'truncate') await query(db, 'truncate leads cascade');
      }
      await expectExact(db);
    }),
    { numRuns: 15 },
  );
});

test('the lead counters never make writers wait for each other', async ({ db }) => {
  await importLeads(db, 4_000);
  const all: LeadRow[] = await db('leads').orderBy('email');
  await db('leads').update({ beehiivStatus: 'failed' });
  const part = (n: number) => all.slice(n * 1_000, (n + 1) * 1_000).map(({ id }) => id);
  const retried = { beehiivStatus: 'pending', nextAttemptAt: new Date(), syncRound: 2 };

  await inTransactions(
    db,
    5,
    async ([first = db, second = db, retry = db, another = db, erasure = db]) => {
      for (const day of DAYS) await storeLead(first, { submittedAt: new Date(day) });
      await retry('leads').whereIn('id', part(0)).update(retried);
      for (const day of DAYS.toReversed()) await storeLead(second, { submittedAt: new Date(day) });
      await another('leads').whereIn('id', part(1)).update(retried);
      await erasure('leads').whereIn('id', part(2)).delete();
      for (const day of DAYS) await storeLead(second, { submittedAt: new Date(day) });
      await retry('leads').whereIn('id', part(3)).update(retried);
      for (const day of DAYS.toReversed()) await storeLead(first, { submittedAt: new Date(day) });
    },
  );

  await expectExact(db);
});

/**
 * Runs `work` with transactions that stay open until it ends, so that a waiting statement fails.
 */
async function inTransactions<T>(
  db: Database,
  many: number,
  work: (writers: Database[]) => Promise<T>,
): Promise<T> {
  const writers = await Promise.all(Array.from({ length: many }, () => openTransaction(db)));
  try {
    for (const writer of writers) await query(writer, `set local lock_timeout = '5s'`);
    const result = await work(writers);
    for (const writer of writers) await writer.commit();
    return result;
  } finally {
    for (const writer of writers) if (!writer.isCompleted()) await writer.rollback();
  }
}

async function importLeads(db: Database, many: number): Promise<void> {
  await query(
    db,
    `insert into leads (id, email, form_type, submitted_at)
     select gen_random_uuid(), gen_random_uuid() || '@reader.example', case when n % 2 = 0 then 'pre_buy' else 'pre_sample' end,
       (:days::timestamptz[])[1 + n % 3]
     from generate_series(1, :many::int) n`,
    { many, days: DAYS },
  );
}

/** Writes leads like the restore of a backup. */
async function copyLeads(db: Database, many: number): Promise<void> {
  await query(
    db,
    `copy leads (id, email, form_type) from program
       'i=0; while [ $i -lt ${many} ]; do i=$((i+1)); echo "$(cat /proc/sys/kernel/random/uuid),$i@reader.example,pre_buy"; done' (format csv)`,
  );
}

/** Corrects a lead, as the operator does. */
async function correct(db: Database, which: number): Promise<void> {
  const lead = (await db<LeadRow>('leads').orderBy('id'))[which];
  if (lead) await correctLead(db, lead, `${lead.id}@right.example`);
}

async function send(db: Database): Promise<void> {
  const pending: { id: string }[] = await db('leads')
    .where({ beehiivStatus: 'pending' })
    .orderBy('id')
    .limit(2);
  const ids = pending.map(({ id }) => id);
  await storeAttempts(db, ids);
  await db('lead_sync_attempts').update({
    round: db.raw('(select sync_round from leads where id = lead_id)'),
  });
  await db('leads').whereIn('id', ids).update({ beehiivStatus: 'sent' });
}

/** Commits a transaction with a rolled-back savepoint, and rolls another back entirely. */
async function rollBack(db: Database): Promise<void> {
  const outer = await openTransaction(db);
  await storeLead(outer);
  const inner = await outer.transaction();
  await storeLead(inner);
  await inner('leads').delete();
  await inner.rollback();
  await storeLead(outer);
  await outer.commit();
  const whole = await openTransaction(db);
  await storeLead(whole);
  await whole.rollback();
}
