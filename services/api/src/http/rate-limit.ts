import { withTimeout } from '@site/platform/with-timeout';
import type { RequestHandler } from 'express';
import type { Redis } from 'ioredis';
import { isIPv6 } from 'node:net';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { problem } from './problem.ts';

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

/** The longest a request waits for the shared count. */
const SHARED_COUNT_MS = 500;
/** How long Redis is not asked again after it did not answer in time. */
const LEFT_ALONE_MS = 5_000;

/**
 * A limit over all API processes, counted in Redis. While Redis is unreachable or hangs, each process counts for
 * itself: no request is refused, and few wait, because the count is unavailable.
 */
export function createLimiter(redis: Redis, limit: Limit, keyPrefix = 'limit'): Limiter {
  const options = { keyPrefix: `${keyPrefix}:${limit.name}`, points: limit.points, duration: limit.perSeconds };
  const shared = new RateLimiterRedis({ ...options, storeClient: redis, rejectIfRedisNotReady: true });
  const own = new RateLimiterMemory(options);
  let leftAloneUntil = 0;

  async function ask<T>(question: (limiter: RateLimiterAbstract) => Promise<T>): Promise<T> {
    if (performance.now() < leftAloneUntil) return question(own);
    try {
      return await withTimeout(SHARED_COUNT_MS, () => question(shared));
    } catch (fault) {
      if (fault instanceof RateLimiterRes) throw fault;
      leftAloneUntil = performance.now() + LEFT_ALONE_MS;
      return question(own);
    }
  }
  const refuse = (msBeforeNext: number): never => {
    throw problem('too-many-requests', {
      detail: `At most ${limit.points} in ${limit.perSeconds} seconds. Please wait a moment.`,
      retryAfterSeconds: msBeforeNext / 1_000,
    });
  };
  return {
    async spend(key) {
      try {
        await ask((limiter) => limiter.consume(key));
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) refuse(refusal.msBeforeNext);
        throw refusal;
      }
    },
  };
}

/** Limits a route's requests of one method by client address; HEAD counts as GET. `points` 0 turns it off. */
export function limitByClient(
  redis: Redis,
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
