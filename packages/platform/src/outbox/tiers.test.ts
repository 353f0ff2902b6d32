import { storeLead, storePerson } from '@site/testing/builders';
import { test } from '@site/testing/fixtures';
import { expect, vi } from 'vitest';
import { queryOne } from '../database/query.ts';
import { wantTier } from './people.ts';

test('a payment waits for the outcome of its email’s lead', async ({ db }) => {
  const { id, email } = await storeLead(db, { urgency: 'new' });
  await storePerson(db, {
    emailNormalised: email,
    wanted: 'premium',
    confirmedVersion: 1,
  });
  const outcome = await db.transaction();
  await outcome('leads').where({ id }).forNoKeyUpdate();

  const payment = db.transaction((trx) => wantTier(trx, email, 'premium', { isPayment: true }));
  await vi.waitFor(async () => {
    const { waiting } = await queryOne<{ waiting: boolean }>(
      db,
      `select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as waiting`,
    );
    expect(waiting).toBe(true);
  }, 15_000);
  await outcome('people').where({ emailNormalised: email }).update({ version: 2 });
  await outcome.commit();
  await payment;

  expect(await db('leads').first('urgency')).toEqual({ urgency: 'first' });
});
