import { test } from '@site/testing/fixtures';
import { Redis } from 'ioredis';
import { describe, expect } from 'vitest';
import { clientKey, createLimiter } from './rate-limit.ts';

const TWO = { name: 'leads', points: 2, perSeconds: 60 };
const tooMany = expect.objectContaining({ kind: 'too-many-requests' });

describe('a limit', () => {
  test('is one over all processes', async ({ redis, redisPrefix }) => {
    await redis.ping();
    const [one, other] = [createLimiter(redis, TWO, redisPrefix), createLimiter(redis, TWO, redisPrefix)];

    await one.spend('visitor');
    await other.spend('visitor');

    await expect(one.spend('visitor')).rejects.toEqual(tooMany);
    await expect(other.check('visitor')).rejects.toEqual(tooMany);
    await other.spend('somebody else');
  });

  test('holds within each process while Redis hangs, and nobody waits for its answer', async ({
    ownValkey,
    onTestFinished,
  }) => {
    // Nothing else would end the waiting: this connection knows no time-out.
    const redis = new Redis(ownValkey.url, { maxRetriesPerRequest: null });
    onTestFinished(() => redis.disconnect());
    await redis.call('CLIENT', 'PAUSE', '600000', 'ALL');
    const limiter = createLimiter(redis, TWO);

    await limiter.spend('visitor');
    await limiter.check('visitor');
    await limiter.spend('visitor');

    await expect(limiter.spend('visitor')).rejects.toEqual(tooMany);
    await expect(limiter.check('visitor')).rejects.toEqual(tooMany);
  });

  test('holds within each process while Redis is away', async ({ redisPrefix, onTestFinished }) => {
    const redis = new Redis(1, '127.0.0.1', { lazyConnect: true, enableOfflineQueue: false });
    onTestFinished(() => redis.disconnect());
    const limiter = createLimiter(redis, TWO, redisPrefix);

    await limiter.spend('visitor');
    await limiter.spend('visitor');

    await expect(limiter.spend('visitor')).rejects.toEqual(tooMany);
  });
});

test.for([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '::ffff:203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::9', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
] as const)('a client at %s counts as %s', ([ip, key]) => {
  expect(clientKey(ip)).toBe(key);
});
