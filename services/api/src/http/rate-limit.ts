import type { RequestHandler } from 'express';
import { formatLondonTime } from '@site/schema/calendar';
import type { RedisConnection } from '@site/platform/redis/connect';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { clientKey, networkKey } from './client.ts';
import { problem } from './problem.ts';
import { setTimeout as sleep } from 'node:timers/promises';

export type Limit = { name: string; points: number; perSeconds: number };

/** A point that was taken from a limit. It is kept, or given back. */
export type Point = { keep(): void; giveBack(): Promise<void> };

export type Limiter = {
  /** Counts a request. Throws 429 with the time to wait if the limit is used up. */
  spend(key: string): Promise<void>;
  /**
   * Takes a point before it is known whether the request counts, so that requests at once share
   * the limit. Throws the same 429.
   */
  take(key: string): Promise<Point>;
};

/** The interval at which a process adds its counts to the shared count. */
const SHARED_EVERY_MS = 100;

/**
 * Limits a key over all API processes. Each process counts for itself, adds its counts to Redis a
 * moment later, and refuses a key whose shared count is used up. So no request waits for Redis, and
 * without Redis the limit holds in each process. A burst that reaches several processes at once may
 * pass each of them.
 */
export function createLimiter(redis: RedisConnection, limit: Limit, keyPrefix = 'limit'): Limiter {
  const options = {
    keyPrefix: `${keyPrefix}:${limit.name}`,
    points: limit.points,
    duration: limit.perSeconds,
  };
  const shared = new RateLimiterRedis({
    ...options,
    storeClient: redis,
    rejectIfRedisNotReady: true,
  });
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
    // If Redis does not take the count, the process's own limit still holds.
    const count = await shared.consume(key, points).catch((refusal: unknown) => refusal);
    if (count instanceof RateLimiterRes && count.remainingPoints <= 0)
      await own.block(key, count.msBeforeNext / 1_000);
  }

  const tooMany = ({ msBeforeNext }: RateLimiterRes) => {
    // A clock time stays true while it is on screen. The next full minute is not too early.
    const next = formatLondonTime(new Date(Date.now() + msBeforeNext + 60_000));
    return problem('too-many-requests', {
      detail: `Try again at ${next} UK time.`,
      retryAfterSeconds: msBeforeNext / 1_000,
    });
  };

  async function take(key: string): Promise<Point> {
    const giveBack = async () => void (await own.reward(key));
    try {
      await own.consume(key);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      // Otherwise a refused request would use up a point that another gives back.
      await giveBack();
      throw tooMany(refusal);
    }
    const keep = () => {
      unshared.set(key, (unshared.get(key) ?? 0) + 1);
      if (!isSharing) void share();
    };
    return { keep, giveBack };
  }

  return { take, spend: async (key) => (await take(key)).keep() };
}

/** Takes a point of each limit, or of none. */
export async function takeEach(limits: readonly (() => Promise<Point>)[]): Promise<Point> {
  const points: Point[] = [];
  const giveBack = async () => {
    for (const point of points) await point.giveBack();
  };
  try {
    for (const take of limits) points.push(await take());
  } catch (refusal) {
    await giveBack();
    throw refusal;
  }
  return { keep: () => points.forEach((point) => point.keep()), giveBack };
}

/** A /48 has 65,536 client networks. Few of them visit this site at once. */
const NETWORK_SHARE = 10;

/**
 * Limits a route's requests of one method by client, and by network with ten times the limit. HEAD
 * counts as GET. `points` 0 turns the limit off.
 */
export function limitByClient(
  redis: RedisConnection,
  { method = 'POST', ...limit }: Limit & { method?: 'GET' | 'POST' },
  keyPrefix?: string,
): RequestHandler {
  if (limit.points === 0) return (_req, _res, next) => next();
  const limiter = createClientLimiter(redis, limit, keyPrefix);
  return async (req, _res, next) => {
    if ((req.method === 'HEAD' ? 'GET' : req.method) === method) (await limiter(req.ip)).keep();
    next();
  };
}

/** Limits clients by IP address, and the surrounding network with ten times the limit. */
export function createClientLimiter(redis: RedisConnection, limit: Limit, keyPrefix?: string) {
  const ofNetwork = {
    ...limit,
    name: `${limit.name}-network`,
    points: limit.points * NETWORK_SHARE,
  };
  const [client, network] = [
    createLimiter(redis, limit, keyPrefix),
    createLimiter(redis, ofNetwork, keyPrefix),
  ];
  return (ip: string | undefined): Promise<Point> => {
    const around = networkKey(ip);
    return takeEach([
      ...(around === null ? [] : [() => network.take(around)]),
      () => client.take(clientKey(ip)),
    ]);
  };
}
