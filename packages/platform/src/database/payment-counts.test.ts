import { test } from '@site/testing/fixtures';
import fc from 'fast-check';
import { expect } from 'vitest';
import { query } from './query.ts';

const DAYS = ['2026-03-28T23:30:00Z', '2026-03-29T23:30:00Z', '2026-10-25T00:30:00Z', null];
const ROWS = `(select (paid_at at time zone 'Europe/London')::date as day, 1 as payments, paid_pence from stripe_invoices
  where paid_pence > 0 and paid_at is not null and currency = 'gbp') counted`;

test('the sums of payments agree with the rows after any sequence of changes', async ({ db }) => {
  const sums = (table: string) =>
    query(
      db,
      `select day::text as day, sum(payments)::int as n, sum(paid_pence)::int as pence from ${table}
       group by 1 having sum(payments) <> 0 order by 1`,
    );
  await db('subscriptions').insert({
    id: '00000000-0000-4000-8000-000000000001',
    stripeSubscriptionId: 'sub_1',
    stripeCustomerId: 'cus_1',
    plan: 'monthly',
    amountPence: 23_900,
    status: 'active',
    createdAt: new Date(0),
    snapshotAt: new Date(0),
  });
  const step = fc.record({
    how: fc.constantFrom('store', 'store', 'store', 'correct', 'forget', 'truncate'),
    id: fc.constantFrom('in_1', 'in_2', 'in_3'),
    paidPence: fc.constantFrom(0, 20_315, 23_900),
    currency: fc.constantFrom('gbp', 'eur'),
    at: fc.constantFrom(...DAYS),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      await query(db, 'truncate stripe_invoices cascade');
      for (const { how, id, paidPence, currency, at } of steps) {
        const paid = { paidPence, currency, paidAt: at };
        const row = {
          id,
          ...paid,
          stripeSubscriptionId: 'sub_1',
          status: 'paid',
          totalPence: 23_900,
          attempts: 1,
        };
        const times = { issuedAt: new Date(0), snapshotAt: new Date(0) };
        if (how === 'store')
          await db('stripe_invoices')
            .insert({ ...row, ...times })
            .onConflict('id')
            .merge();
        if (how === 'correct') await db('stripe_invoices').update(paid);
        if (how === 'forget') await db('stripe_invoices').where({ id }).delete();
        if (how === 'truncate') await query(db, 'truncate stripe_invoices cascade');
      }
      expect(await sums('payment_counts')).toEqual(await sums(ROWS));
    }),
    { numRuns: 15 },
  );
});
