import { test } from '@site/testing/fixtures';
import fc from 'fast-check';
import { expect } from 'vitest';
import { query } from './query.ts';

const DAYS = ['2026-03-28T23:30:00Z', '2026-03-29T23:30:00Z', '2026-10-25T00:30:00Z'];
const ROWS = `(select (status_since at time zone 'Europe/London')::date as day, status, 1 as subscribers from subscribers) counted`;

test('the counts of subscribers agree with the rows after any sequence of changes', async ({
  db,
}) => {
  const sums = (table: string) =>
    query(
      db,
      `select day::text as day, status, sum(subscribers)::int as n from ${table}
       group by 1, 2 having sum(subscribers) <> 0 order by 1, 2`,
    );
  const step = fc.record({
    how: fc.constantFrom('learn', 'learn', 'learn', 'correct', 'forget', 'truncate'),
    email: fc.constantFrom('ada@one.example', 'bob@two.example', 'cyd@two.example'),
    status: fc.constantFrom('active', 'inactive'),
    at: fc.constantFrom(...DAYS),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      await query(db, 'truncate subscribers');
      for (const { how, email, status, at } of steps) {
        const row = { emailNormalised: email, status, statusSince: at, learnedAt: at };
        const theirs = db('subscribers').where({ emailNormalised: email });
        if (how === 'learn')
          await db('subscribers').insert(row).onConflict('emailNormalised').merge();
        if (how === 'correct') await db('subscribers').update({ status, statusSince: at });
        if (how === 'forget') await theirs.delete();
        if (how === 'truncate') await query(db, 'truncate subscribers');
      }
      expect(await sums('subscriber_counts')).toEqual(await sums(ROWS));
    }),
    { numRuns: 15 },
  );
});
