import {
  countLockWaits,
  listClaims,
  openTransaction,
  storeAttempts,
  storeLead,
  wantTier,
} from '@site/testing/builders';
import { test } from '@site/testing/fixtures';
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Database } from '../database/connect.ts';
import { allowLongStatements } from '../database/silent-connections.ts';
import { claimLead } from './claim.ts';
import { passOnUnknown } from './correction.ts';
import { retryLeads, stepBulkRetry } from './retry.ts';

const tomorrow = () => new Date(Date.now() + 86_400_000);

test('a retry makes a pending lead due, in the same round', async ({ db }) => {
  const lead = await storeLead(db, { nextAttemptAt: tomorrow() });

  expect(await retryLeads(db, [lead.id])).toEqual([lead.id]);

  expect(await listClaims(db)).toContain(lead.id);
  expect(await db('leads').first()).toMatchObject({ syncRound: 1 });
});

test.for(['is sent', 'may be sent', 'is being sent'])(
  'a lead that %s and is erased leaves its email to be looked up',
  async (state, { db }) => {
    const email = 'ada@reader.example';
    const gone = await storeLead(db, {
      email,
      outcomeUnknown: state === 'may be sent',
      ...(state === 'is sent' && { beehiivStatus: 'sent', nextAttemptAt: null }),
    });
    if (state === 'is being sent') await storeAttempts(db, [gone.id]);
    const { id } = await storeLead(db, { email });

    await passOnUnknown(db, [gone.id]);

    expect(await db('leads').where({ id })).toMatchObject([{ outcomeUnknown: true }]);
  },
);

/** Starts a bulk retry of so many failed leads. */
async function startBulkRetry(db: Database, leads: number): Promise<void> {
  await db.transaction(async (trx) => {
    await allowLongStatements(trx, 120_000);
    await trx.raw(
      `with failed as (
       insert into leads (id, email, form_type, beehiiv_status, next_attempt_at, submitted_at)
       select gen_random_uuid(), 'reader' || n || '@many.example', 'pre_buy', 'failed', null,
         now() - interval '1 day'
       from generate_series(1, :leads::int) n
       returning id, email
     ), seen as (
       insert into people (email_normalised, email, seen_at) select email, email, now() from failed
     ), run as (
       insert into bulk_retries (id, operator, filter, total, waiting)
       values (gen_random_uuid(), 'ana', '{}', :leads, :leads)
       returning id
     )
     insert into bulk_retry_leads (bulk_retry_id, lead_id)
     select run.id, failed.id from run, failed`,
      { leads },
    );
  });
}

async function stepToEnd(db: Database): Promise<number[]> {
  const batches: number[] = [];
  for (let moved = 1; moved > 0;) batches.push((moved = await stepBulkRetry(db)));
  return batches;
}

const stop = (db: Database) => db('bulk_retries').update({ stoppedAt: new Date() });
const countFailed = async (db: Database) =>
  Number((await db('leads').where({ beehiivStatus: 'failed' }).count())[0]?.['count']);

test('a bulk retry moves at most 500 leads in a transaction, and Stop gives them back', async ({
  db,
}) => {
  await startBulkRetry(db, 1_100);

  expect(await stepBulkRetry(db)).toBe(500);
  expect(await countFailed(db)).toBe(600);
  expect(await stepBulkRetry(db)).toBe(500);
  await stop(db);
  expect(await stepBulkRetry(db)).toBe(500);
  expect(await db('bulk_retries').first()).toMatchObject({ notRetried: 500, finishedAt: null });
  expect(await stepToEnd(db)).toEqual([500, 100, 0]);

  expect(await countFailed(db)).toBe(1_100);
  expect(await db('bulk_retries').first()).toMatchObject({
    waiting: 0,
    notRetried: 1_100,
    finishedAt: expect.any(Date),
  });
});

test('Stop does not give back a lead that is being claimed', async ({ db }) => {
  await startBulkRetry(db, 1);
  await stepBulkRetry(db);
  const claim = await openTransaction(db);
  await claimLead(claim, { attemptId: randomUUID(), worker: 'test' });
  await stop(db);

  const step = stepBulkRetry(db);
  await expect.poll(() => countLockWaits(db)).toBe(1);
  await claim.commit();
  await step;

  expect(await db('leads').first()).toMatchObject({ beehiivStatus: 'pending' });
  expect(await db('bulk_retries').first()).toMatchObject({ waiting: 1, notRetried: 0 });
});

test('a payer’s lead in a bulk retry comes first', async ({ db }) => {
  await startBulkRetry(db, 2);
  await wantTier(db, 'reader2@many.example', 'premium');

  await stepBulkRetry(db);

  expect(await db('leads').orderBy('email').pluck('urgency')).toEqual(['bulk', 'priority']);
});
