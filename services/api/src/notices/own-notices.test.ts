import { startHook } from '@site/testing/alert-hook';
import { createDatabase } from '@site/platform/database/connect';
import type { Database } from '@site/platform/database/connect';
import { createHealthReader } from '@site/platform/health/sync-facts';
import type { ConditionKind } from '@site/schema/conditions';
import { advanceSyncClock } from '@site/testing/builders';
import { connectFailFast } from '@site/platform/redis/connect';
import type { RedisConnection } from '@site/platform/redis/connect';
import type { Condition } from '@site/platform/health/sync-conditions';
import type { Logger } from '@site/platform/process/logger';
import { expect, vi } from 'vitest';
import { createMailer } from '../mail/mailer.ts';
import { NOW, test as base } from '../testing/mail.fixture.ts';
import { createOwnAlerts, createOwnMails } from './own-notices.ts';

const log = { error: vi.fn(), info: vi.fn(), warn: vi.fn() } as unknown as Logger;
const GONE = '127.0.0.1:1';
const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);

const test = base
  .extend('goneDb', ({ onTestFinished }) => {
    const db = createDatabase({ url: `postgres://x:x@${GONE}/x` });
    onTestFinished(() => db.destroy());
    return db;
  })
  .extend('goneRedis', ({ onTestFinished }) => {
    const redis = connectFailFast(`redis://${GONE}`, log);
    onTestFinished(() => redis.disconnect());
    return redis;
  })
  .extend('newProcess', ({ server, redisPrefix }) => {
    const mail = {
      url: server.url,
      to: ['owner@ledger.example'],
      from: 'c@ledger.example',
      mayBePlaintext: false,
    };
    const mailer = createMailer({ mail, isProduction: false }, 1_500)!;
    const settings = { publicUrl: 'https://site.example' };
    return (db: Database, redis: RedisConnection, now = () => after(25)) =>
      createOwnMails({ db, redis, mailer, log, settings, limitPrefix: redisPrefix }, now);
  });

const found = (kind: ConditionKind, text: string): Condition[] => [{ kind, since: NOW, text }];
const REDIS = found('redis-unavailable', 'Redis does not answer. Leads are stored.');

test('a Postgres that is away is mailed without it, by one of several processes', async ({
  goneDb,
  redis,
  newProcess,
  server,
}) => {
  const { conditions } = await createHealthReader({ db: goneDb, maxPendingMs: 1 }).read();
  const since = conditions[0]!.since.getTime();
  const now = () => new Date(since + 25_000);
  const processes = [newProcess(goneDb, redis, now), newProcess(goneDb, redis, now)];

  for (const read of [...processes, ...processes]) await read(conditions);

  expect(server.mails).toMatchObject([
    {
      to: ['owner@ledger.example'],
      subject: 'Needs attention: Postgres cannot be read or written',
      plain: expect.stringContaining('New leads are refused. Ask your engineer'),
    },
  ]);
});

test.for([
  ['Redis', REDIS],
  ['Stripe', found('stripe-unavailable', 'Nobody can subscribe: Stripe does not answer.')],
  ['Postgres', found('cannot-write', 'Postgres is read-only.')],
  ['migration', found('not-set-up', 'Migrations are missing: leads.')],
] as const)(
  'a %s that is away is mailed by one of several processes, after 20 s',
  async ([, conditions], { db, goneRedis, newProcess, server, mail }) => {
    let seconds = 15;
    const newOne = () => newProcess(db, goneRedis, () => after(seconds));
    const processes = [newOne(), newOne()];
    await Promise.all(processes.map((read) => read(conditions)));
    expect(server.mails).toEqual([]);

    seconds = 25;
    await Promise.all(processes.map((read) => read(conditions)));
    await mail.turn();
    await Promise.all(processes.map((read) => read(conditions)));

    expect(server.mails).toHaveLength(1);
  },
);

test('a second outage is mailed once, ten minutes after the first', async ({
  db,
  redis,
  newProcess,
  server,
  mail,
}) => {
  const processes = [newProcess(db, redis), newProcess(db, redis)];
  const read = async (each: readonly Condition[]) => {
    await mail.turn();
    await Promise.all(processes.map((process) => process(each)));
  };
  await read(REDIS);
  await read([]);
  await advanceSyncClock(db, 300);
  await read(REDIS);
  expect(server.mails).toHaveLength(1);

  await advanceSyncClock(db, 601);
  await read(REDIS);
  await read(REDIS);

  expect(server.mails).toHaveLength(2);
});

test('an outage of hours is mailed once, though a process starts meanwhile', async ({
  db,
  goneRedis,
  newProcess,
  server,
  mail,
}) => {
  await newProcess(db, goneRedis)(REDIS);
  for (const hours of [1, 2]) {
    await advanceSyncClock(db, hours * 3_600);
    await mail.turn();
  }
  await newProcess(db, goneRedis)(REDIS);

  expect(server.mails).toHaveLength(1);
});

test('with both stores away it is mailed, again only after its end', async ({
  goneDb,
  goneRedis,
  newProcess,
  server,
}) => {
  const read = newProcess(goneDb, goneRedis);

  for (const conditions of [REDIS, REDIS, [], REDIS]) await read(conditions);

  expect(server.mails).toHaveLength(2);
});

test('a mail that was refused is sent with the next reading', async ({
  db,
  redis,
  newProcess,
  server,
}) => {
  const read = newProcess(db, redis);
  server.behaviour.refuses = true;
  await read(REDIS);
  server.behaviour.refuses = false;
  await read(REDIS);
  await read(REDIS);

  expect(server.mails).toHaveLength(1);
});

test.for([
  ['a Postgres that cannot be written', 'cannot-write'],
  ['a Redis that does not answer', 'redis-unavailable'],
  ['a missing migration', 'not-set-up'],
  ['a Stripe that fails', 'stripe-unavailable'],
] as const)(
  '%s is reported without the database, once, after 20 s, and its end once',
  async ([, kind], { db, onTestFinished }) => {
    const hook = await startHook();
    onTestFinished(() => hook.close());
    let now = new Date('2026-11-20T09:00:00Z');
    const report = createOwnAlerts({ db, log, webhookUrl: hook.url }, () => now);
    const refusal = { kind, since: now, text: 'What is wrong.' };
    const after = (seconds: number) => (now = new Date(refusal.since.getTime() + seconds * 1_000));

    after(15);
    await report([refusal]);
    expect(hook.told).toEqual([]);

    after(25);
    hook.isDown = true;
    await report([refusal]);
    hook.isDown = false;
    await report([refusal]);
    await report([refusal]);
    await report([]);
    await report([]);

    expect(hook.told).toMatchObject([
      {
        event: kind,
        since: refusal.since.toISOString(),
        text: refusal.text,
        runbook: `docs/alerts/${kind}.md`,
      },
      { event: 'recovered', of: kind, runbook: `docs/alerts/${kind}.md` },
    ]);
    expect(await db('outages').select('kind', 'since')).toEqual(
      kind === 'stripe-unavailable' ? [{ kind, since: refusal.since }] : [],
    );
  },
);
