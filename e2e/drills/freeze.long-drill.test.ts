import { describe, expect } from 'vitest';

import type { Drill } from './drill.ts';
import { test } from './drill.fixture.ts';
import { newSubmission } from './ledger.ts';
import { within } from './within.ts';

const FROZEN_MS = 120_000;

describe('a worker frozen for two minutes', () => {
  test('while it records an outcome and holds a lock: the other worker goes on sending, and nothing is sent twice', async ({
    drill,
  }) => {
    const { ledger } = drill;
    await drill.startApi();
    const frozen = await drill.startWorker();
    await within(10_000, 'it has asked for the fields', () => drill.requests('GET').length > 0);
    drill.beehiiv('slow', { delayMs: 1_000, times: 1 });
    const { email } = newSubmission();
    await ledger.submit(newSubmission({ email }));
    await within(10_000, 'the request is there', async () => (await drill.count('claim is not null')) === 1);
    const releases = [
      await drill.lock('select from sync_health for update'),
      await drill.lock('lock table retry_runs in access exclusive mode'),
    ];
    await within(
      10_000,
      'the outcome is to be recorded, and a step of the bulk retries is under way',
      async () => (await drill.countLocked('worker')) === 2,
    );
    await drill.startWorker();
    const thaw = frozen.freeze();
    await Promise.all(releases.map((release) => release()));
    await within(4_000, 'its transaction is idle', async () => (await countIdleInTransaction(drill)) === 1);
    await within(10_000, 'Postgres has ended its transaction', async () => (await countIdleInTransaction(drill)) === 0);

    const until = Date.now() + FROZEN_MS;
    const waitsMs: number[] = [];
    do {
      const submitted = Date.now();
      await Promise.all(Array.from({ length: 5 }, () => ledger.submit()));
      await within(
        15_000,
        'the other worker has sent them',
        async () => (await drill.count(`beehiiv_status = 'pending' and email <> '${email}'`)) === 0,
      );
      waitsMs.push(Date.now() - submitted);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    } while (Date.now() < until);
    thaw();
    await drill.settle();

    console.log(`${ledger.accepted.length} leads accepted and sent; the longest waited ${Math.max(...waitsMs)} ms`);
    expect(Math.max(...waitsMs)).toBeLessThan(10_000);
    expect(await drill.audit()).toEqual([]);
  }, 300_000);
});

/** Counts the workers' transactions that are idle between two statements, and so hold their locks. */
async function countIdleInTransaction({ db }: Drill): Promise<number> {
  const { rows } = await db.raw(
    `select count(*)::int as n from pg_stat_activity
     where datname = current_database() and application_name = 'worker' and state like 'idle in transaction%'`,
  );
  return rows[0].n;
}
