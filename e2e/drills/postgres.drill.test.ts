import type { Database } from '@site/platform/database/connect';
import { fillDisk, refuseEveryRow } from '@site/testing/refused-rows';
import { expect } from 'vitest';

import type { Drill } from './drill.ts';
import { test } from './drill.fixture.ts';
import { watchLight } from './light.ts';
import { newSubmission } from './ledger.ts';
import { within } from './within.ts';

const LEASE_IS_OVER_S = 46;

test('a Postgres crash during inserts refuses submissions, which can be sent again', async ({
  drill,
}) => {
  const { ledger, servers } = drill;
  await Promise.all([drill.startApi(), drill.startWorker()]);
  await ledger.submit();
  // Otherwise the crash may interrupt its request to Beehiiv, and it waits for its lease.
  await drill.settle();
  const submissions = Array.from({ length: 8 }, () => newSubmission());

  const release = await drill.lock('lock table submission_keys in access exclusive mode');
  const sent = submissions.map((submission) => ledger.send(submission));
  await within(
    8_000,
    'two batches are under way',
    async () => (await drill.countLocked('api')) === 2,
  );
  await servers.postgres.crash();
  await release();

  expect(await Promise.all(sent)).toEqual(submissions.map(() => false));
  expect(await ledger.send(newSubmission({ email: submissions[0]!.email }))).toBe(false);
  expect(ledger.unanswered).toBe(0);
  expect(new Set(ledger.refused.map(({ status, problem }) => `${status} ${problem}`))).toEqual(
    new Set(['503 urn:problem:database-unavailable']),
  );

  await servers.postgres.start();
  await Promise.all(submissions.map((submission) => ledger.submit(submission)));
  await drill.settle();
  expect(await drill.count('true')).toBe(9);
  expect(await drill.audit()).toEqual([]);
});

test('a Postgres crash during requests adds no subscriber twice', async ({ drill }) => {
  const { ledger, servers } = drill;
  await Promise.all([drill.startApi(), drill.startWorker()]);
  // Until the API has reached Redis, a lead may wait for the next sweep, and then leaves after the
  // others.
  await ledger.submit();
  await drill.settle();
  // Long enough that even on a busy machine no request is answered before the crash.
  drill.beehiiv('slow', { delayMs: 4_000 });
  await Promise.all(Array.from({ length: 5 }, () => ledger.submit()));
  await within(10_000, 'all have left', () => drill.requests('POST').length === 6);

  await servers.postgres.crash();
  await within(10_000, 'all were answered', () =>
    drill.requests('POST').every(({ status }) => status === 201),
  );
  drill.beehiiv('ok');
  await servers.postgres.start();
  await drill.passTime(LEASE_IS_OVER_S);
  await drill.settle();

  expect(await drill.audit()).toEqual([]);
  expect((await readStories(drill.db)).toSorted()).toEqual([
    'accepted',
    ...Array.from({ length: 5 }, () => 'unknown, accepted'),
  ]);
});

test.for([
  ['with a full disk', (drill: Drill) => fillDisk(drill.db)],
  ['read-only after a failover', makeReadOnly],
] as const)(
  'for a Postgres %s, each refused lead is logged, and /readyz names the fault',
  { tags: ['long'] },
  async ([, strike], { drill }) => {
    const [api, worker] = await Promise.all([drill.startApi(), drill.startWorker()]);
    await drill.ledger.submit();
    await drill.settle();
    const seenByWorker = watchLight(() => worker.url);
    await within(20_000, 'all is well', () =>
      [drill.light, seenByWorker].every((light) => light.says() === 'ok'),
    );

    const end = await strike(drill);
    expect(await drill.ledger.send(newSubmission())).toBe(false);

    await within(
      5_000,
      'the API says that it can take no lead',
      () => drill.light.says() === 'unavailable',
    );
    const errors = api
      .log()
      .filter((line) => line.includes('"level":50') && line.includes('refused'));
    expect(errors).toHaveLength(drill.ledger.refused.length);
    await end();
    await within(5_000, 'all is well again', () => drill.light.says() === 'ok');
    await drill.ledger.submit();
    await drill.settle();
    await seenByWorker.end();
    expect(await drill.audit()).toEqual([]);
  },
);

test('while Postgres refuses every row, the API logs requests without the row', async ({
  drill,
}) => {
  const api = await drill.startApi({ LOG_LEVEL: 'trace' });
  await refuseEveryRow(drill.db);
  const email = 'ada.lovelace@marker.example';
  const post = async (path: string, body: object) => {
    const headers = { 'Content-Type': 'application/json', Origin: api.url, 'User-Agent': 'marker' };
    const answer = await fetch(api.url + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    await answer.body?.cancel();
    return answer.status;
  };

  const statuses = [
    await post('/api/lead/subscribe', {
      email,
      fullName: 'Ada Marker',
      company: 'Marker',
      formType: 'pre_buy',
    }),
    await post('/api/lead/subscribe', { email, fullName: 'Ada Marker', formType: 'pre_sample' }),
    await post('/api/admin/login', { username: email, password: 'marker' }),
    await post('/api/track', { event: 'cta-annual-25', page: 'sample-sent' }),
  ];

  expect(statuses).toEqual([500, 500, 500, 500]);
  await within(
    5_000,
    'every failure is logged',
    () => api.log().filter((line) => /23514/.test(line)).length >= 4,
  );
  expect(api.log().filter((line) => /marker|Failing row/i.test(line))).toHaveLength(0);
  // A stack names the source files, not the bundle.
  expect(
    api.log().filter((line) => line.includes('pg-protocol/dist/parser.js:')).length,
  ).toBeGreaterThan(0);
  expect(api.log().filter((line) => line.includes('services/api/dist/'))).toEqual([]);
});

/** Makes the database read-only for every connection. Returns a function that ends it. */
async function makeReadOnly({ db }: Drill): Promise<() => Promise<void>> {
  const set = async (value: 'on' | 'off') => {
    await db.raw(
      `set default_transaction_read_only = off;
       do $$ begin
         execute format('alter database %I set default_transaction_read_only = ${value}', current_database());
         perform pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid();
       end $$`,
    );
  };
  await set('on');
  return () => set('off');
}

/** Returns the outcomes of each lead's attempts, in order. */
async function readStories(db: Database): Promise<string[]> {
  const { rows } = await db.raw(
    `select string_agg(class, ', ' order by number) as story from lead_sync_attempts group by lead_id`,
  );
  return rows.map(({ story }: { story: string }) => story);
}
