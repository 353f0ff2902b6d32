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
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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
  .extend('hook', async ({ onTestFinished }) => {
    const hook = await startHook();
    onTestFinished(() => hook.close());
    return hook;
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

test('a second outage of Postgres is mailed once Redis has forgotten the first', async ({
  goneDb,
  redis,
  redisPrefix,
  newProcess,
  server,
}) => {
  const GONE_POSTGRES = found('cannot-write', 'Postgres cannot be read or written.');
  const processes = [newProcess(goneDb, redis), newProcess(goneDb, redis)];
  const read = (conditions: readonly Condition[]) =>
    Promise.all(processes.map((process) => process(conditions)));
  for (const conditions of [GONE_POSTGRES, [], GONE_POSTGRES]) await read(conditions);
  expect(server.mails).toHaveLength(1);
  const key = `${redisPrefix}mail:cannot-write`;
  expect(await redis.ttl(key)).toBeGreaterThan(500);

  await redis.del(key);
  await read(GONE_POSTGRES);

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

test('a claim that a dead process left ends with the next start', async ({
  db,
  goneRedis,
  newProcess,
  server,
  mail,
}) => {
  await newProcess(db, goneRedis)(REDIS);
  const next = newProcess(db, goneRedis);
  await next([]);
  await advanceSyncClock(db, 601);
  await mail.turn();
  await next(REDIS);

  expect(server.mails).toHaveLength(2);
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

test('a mail whose process ended before it was sent is sent by another', async ({
  db,
  redis,
  redisPrefix,
  newProcess,
  server,
}) => {
  const mailer = { send: () => Promise.reject(new Error('the mail server is away')) };
  const settings = { publicUrl: 'https://site.example' };
  const deps = { db, redis, mailer, log, settings, limitPrefix: redisPrefix };
  await createOwnMails(deps as never, () => after(25))(REDIS);
  const next = newProcess(db, redis);
  await next(REDIS);
  expect(server.mails).toEqual([]);

  await advanceSyncClock(db, 91);
  await next(REDIS);
  await newProcess(db, redis)(REDIS);

  expect(server.mails).toHaveLength(1);
});

test('a condition that Postgres knows is mailed by its row alone', async ({
  db,
  redis,
  newProcess,
  server,
}) => {
  await newProcess(db, redis)(found('paused', 'Sending is paused.'));

  expect(server.mails).toEqual([]);
});

test.for([
  ['a Postgres that cannot be written', 'cannot-write'],
  ['a Redis that does not answer', 'redis-unavailable'],
  ['a missing migration', 'not-set-up'],
  ['a Stripe that fails', 'stripe-unavailable'],
] as const)(
  '%s is reported without the database, once, after 20 s, and its end once',
  async ([, kind], { db, goneRedis, hook }) => {
    let now = new Date('2026-11-20T09:00:00Z');
    const report = createOwnAlerts({ db, redis: goneRedis, log, webhookUrl: hook.url }, () => now);
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

test.for([
  ['Redis', 'redis-unavailable', 'goneRedis'],
  ['Postgres', 'cannot-write', 'goneDb'],
] as const)(
  'an outage of %s is reported by one process, and its end by one, each time',
  async ([, kind, gone], { db, redis, redisPrefix, hook, goneDb, goneRedis }) => {
    const deps = { db, redis, log, webhookUrl: hook.url, limitPrefix: redisPrefix };
    const processes = [1, 2, 3].map(() => createOwnAlerts(deps));
    const readAll = async (since?: number) => {
      Object.assign(
        deps,
        { db, redis },
        since && (gone === 'goneDb' ? { db: goneDb } : { redis: goneRedis }),
      );
      const conditions = since ? [{ kind, since: new Date(since), text: 'Away.' }] : [];
      await Promise.all(processes.map((read) => read(conditions)));
    };
    await readAll();

    const first = Date.now() - 25_000;
    await readAll(first);
    // Another process starts during the outage, and the others end.
    processes.push(createOwnAlerts(deps));
    await readAll(first + 5_000);
    processes.splice(0, 3);
    await readAll();
    await readAll();
    expect(hook.told).toMatchObject([{ event: kind }, { event: 'recovered', of: kind }]);
    expect(hook.told[1]!.since).toBe(hook.told[0]!.since);

    const inAMinute = () => new Date(Date.now() + 60_000);
    processes.splice(0, 1, createOwnAlerts(deps, inAMinute), createOwnAlerts(deps, inAMinute));
    for (const since of [Date.now(), 0, 0]) await readAll(since);
    expect(hook.told.slice(2)).toMatchObject([{ event: kind }, { event: 'recovered', of: kind }]);
  },
);

test('an alert whose process ended before it was told is told by another', async ({
  db,
  redis,
  redisPrefix,
  hook,
}) => {
  const newProcess = (webhookUrl: string) =>
    createOwnAlerts({ db, redis, log, webhookUrl, limitPrefix: redisPrefix }, () => after(25));
  await newProcess('http://127.0.0.1:9')(REDIS);
  const next = newProcess(hook.url);
  await next(REDIS);
  expect(hook.told).toEqual([]);

  await advanceSyncClock(db, 91);
  await next(REDIS);
  await newProcess(hook.url)(REDIS);

  expect(hook.told).toHaveLength(1);
});

test('a second alert whose process ended before it was told is told by another', async ({
  db,
  redis,
  redisPrefix,
  hook,
  onTestFinished,
}) => {
  let now = after(25);
  const newProcess = (webhookUrl: string) =>
    createOwnAlerts({ db, redis, log, webhookUrl, limitPrefix: redisPrefix }, () => now);
  const next = newProcess(hook.url);
  await next(REDIS);
  await next([]);
  const since = new Date(Date.now() + 60_000);
  now = new Date(since.getTime() + 25_000);
  const again = REDIS.map((condition) => ({ ...condition, since }));
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  onTestFinished(() => void silent.close());
  await once(silent, 'listening');
  const silentUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;

  const dying = newProcess(silentUrl)(again);
  await expect.poll(() => db('notices').where({ since }).pluck('what')).toHaveLength(1);
  await advanceSyncClock(db, 91);
  await next(again);
  silent.closeAllConnections();
  await dying;

  expect(hook.told.map(({ event }) => event)).toEqual([
    'redis-unavailable',
    'recovered',
    'redis-unavailable',
  ]);
});

test('the end of an outage whose process has ended is reported', async ({
  db,
  redis,
  redisPrefix,
  hook,
}) => {
  const deps = { db, redis, log, webhookUrl: hook.url, limitPrefix: redisPrefix };
  await createOwnAlerts(deps, () => after(25))(REDIS);

  const next = createOwnAlerts(deps);
  await next([]);
  await next([]);

  expect(hook.told).toMatchObject([
    { event: 'redis-unavailable', since: NOW.toISOString() },
    { event: 'recovered', of: 'redis-unavailable', since: NOW.toISOString() },
  ]);
});
