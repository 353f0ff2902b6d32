import { createLogger } from '@site/platform/process/logger';
import { test } from '@site/testing/fixtures';
import express from 'express';
import { Redis } from 'ioredis';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { answerProblems } from './problem.ts';
import { createLimiter, limitByClient } from './rate-limit.ts';

const TWO = { name: 'leads', points: 2, perSeconds: 60 };
const tooMany = expect.objectContaining({
  kind: 'too-many-requests',
  message: expect.stringMatching(/^Try again at \d\d:\d\d UK time\.$/) as string,
});

test('a rate limit is shared by all processes', async ({ redis, redisPrefix }) => {
  await redis.ping();
  const limit = { ...TWO, points: 20 };
  const [one, other] = [
    createLimiter(redis, limit, redisPrefix),
    createLimiter(redis, limit, redisPrefix),
  ];
  const isShared = async (count: number) =>
    expect.poll(() => redis.get(`${redisPrefix}:leads:visitor`)).toBe(String(count));

  for (let n = 0; n < 15; n++) await Promise.all([one.spend('visitor'), other.spend('visitor')]);
  await isShared(30);
  let passed = 0;
  for (const limiter of [one, other]) {
    while (
      await limiter.spend('visitor').then(
        () => true,
        () => false,
      )
    )
      await isShared(30 + ++passed);
  }

  // Each process learns of the refusal with its next count at the latest.
  expect(passed).toBeLessThanOrEqual(4);
  await other.spend('somebody else');
});

test('a rate limit applies within each process while Redis hangs', async ({
  ownValkey,
  onTestFinished,
}) => {
  // This connection has no time-out of its own.
  const redis = new Redis(ownValkey.url, { maxRetriesPerRequest: null });
  onTestFinished(() => redis.disconnect());
  await redis.call('CLIENT', 'PAUSE', '600000', 'ALL');
  const limiter = createLimiter(redis, TWO);

  await limiter.spend('visitor');
  await limiter.spend('visitor');

  await expect(limiter.spend('visitor')).rejects.toEqual(tooMany);
});

test('a rate limit applies within each process while Redis is unreachable', async ({
  redisPrefix,
  onTestFinished,
}) => {
  const redis = new Redis(1, '127.0.0.1', { lazyConnect: true, enableOfflineQueue: false });
  onTestFinished(() => redis.disconnect());
  const limiter = createLimiter(redis, TWO, redisPrefix);

  await limiter.spend('visitor');
  await limiter.spend('visitor');

  await expect(limiter.spend('visitor')).rejects.toEqual(tooMany);
});

const limitedTest = test.extend('ask', async ({ redis, redisPrefix }, { onCleanup }) => {
  await redis.ping();
  const app = express().set('trust proxy', true);
  app
    .use(limitByClient(redis, { ...TWO, method: 'GET' }, redisPrefix), (_req, res) => res.end())
    .use(answerProblems(createLogger({ service: 'api', level: 'silent' })));
  const server = app.listen(0, '127.0.0.1');
  onCleanup(() => void server.close());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return async (ip: string, method = 'GET') =>
    (await fetch(url, { method, headers: { 'X-Forwarded-For': ip } })).status;
});

limitedTest('HEAD counts as GET', async ({ ask }) => {
  const statuses = [];
  for (const method of ['HEAD', 'GET', 'HEAD', 'GET'])
    statuses.push(await ask('203.0.113.7', method));

  expect(statuses).toEqual([200, 200, 429, 429]);
});

limitedTest('a /48 of IPv6 clients has ten times the limit of one client', async ({ ask }) => {
  const statuses = [];
  for (let client = 1; client <= 21; client++) statuses.push(await ask(`2001:db8:1:${client}::9`));

  expect(statuses).toEqual([...Array<number>(20).fill(200), 429]);
  expect(await ask('2001:db8:2:1::9')).toBe(200);
});
