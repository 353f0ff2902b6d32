import type { RequestHandler } from 'express';
import type { RedisConnection } from '@site/platform/redis/connect';
import { isIPv6 } from 'node:net';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { problem } from './problem.ts';
import { setTimeout as sleep } from 'node:timers/promises';

export type Limit = { name: string; points: number; perSeconds: number };

/** Returns the key to limit a client by. An IPv6 client has a whole /64 of addresses, so the network is the key. */
export function clientKey(ip: string | undefined): string {
  if (ip === undefined) return 'unknown';
  if (!isIPv6(ip) || ip.startsWith('::ffff:')) return ip;
  const [head = '', tail] = ip.split('::');
  const groups = head.split(':').filter(Boolean);
  const zeros = tail === undefined ? 0 : 8 - groups.length - tail.split(':').filter(Boolean).length;
  return [...groups, ...Array<string>(Math.max(0, zeros)).fill('0')].slice(0, 4).join(':');
}

export type Limiter = {
  /** Counts one. Throws 429 with the time to wait if the limit is used up. */
  spend(key: string): Promise<void>;
};

/** How often a process adds what it has counted to the shared count. */
const SHARED_EVERY_MS = 100;

/**
 * A limit over all API processes. Each process counts for itself, adds that to the count in Redis a moment later, and
 * refuses a key whose shared count is used up. So no request waits for Redis, and without Redis the limit holds in each
 * process. A burst that reaches several processes at once may get through each of them.
 */
export function createLimiter(redis: RedisConnection, limit: Limit, keyPrefix = 'limit'): Limiter {
  const options = { keyPrefix: `${keyPrefix}:${limit.name}`, points: limit.points, duration: limit.perSeconds };
  const shared = new RateLimiterRedis({ ...options, storeClient: redis, rejectIfRedisNotReady: true });
  const own = new RateLimiterMemory(options);
  const unshared = new Map<string, number>();
  let isSharing = false;

  async function share(): Promise<void> {
    isSharing = true;
    while (unshared.size > 0) {
      await sleep(SHARED_EVERY_MS, undefined, { ref: false });
      const counted = [...unshared];
      unshared.clear();
      await Promise.all(counted.map(([key, points]) => addToShared(key, points)));
    }
    isSharing = false;
  }

  async function addToShared(key: string, points: number): Promise<void> {
    // A count that Redis does not take is lost: the process's own limit still holds.
    const count = await shared.consume(key, points).catch((refusal: unknown) => refusal);
    if (count instanceof RateLimiterRes && count.remainingPoints <= 0) await own.block(key, count.msBeforeNext / 1_000);
  }

  return {
    async spend(key) {
      try {
        await own.consume(key);
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        throw problem('too-many-requests', {
          detail: `At most ${limit.points} in ${limit.perSeconds} seconds. Please wait a moment.`,
          retryAfterSeconds: refusal.msBeforeNext / 1_000,
        });
      }
      unshared.set(key, (unshared.get(key) ?? 0) + 1);
      if (!isSharing) void share();
    },
  };
}

/** Limits a route's requests of one method by client address; HEAD counts as GET. `points` 0 turns it off. */
export function limitByClient(
  redis: RedisConnection,
  { method = 'POST', ...limit }: Limit & { method?: 'GET' | 'POST' },
  keyPrefix?: string,
): RequestHandler {
  if (limit.points === 0) return (_req, _res, next) => next();
  const limiter = createLimiter(redis, limit, keyPrefix);
  return async (req, _res, next) => {
    if ((req.method === 'HEAD' ? 'GET' : req.method) === method) await limiter.spend(clientKey(req.ip));
    next();
  };
}
