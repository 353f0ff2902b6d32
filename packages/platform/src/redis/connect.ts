import { Redis } from 'ioredis';
import { readRedisTls } from '../connection-addresses.ts';
import type { Logger } from '../logger.ts';

/** Logs once when Redis becomes unavailable and once when it returns, not every attempt to reconnect. */
function logOutages(redis: Redis, log: Logger, role: string): Redis {
  let isDown = false;
  redis.on('error', (err) => {
    if (!isDown) log.warn({ err, role }, 'redis is unavailable');
    isDown = true;
  });
  redis.on('ready', () => {
    if (isDown) log.info({ role }, 'redis is available again');
    isDown = false;
  });
  return redis;
}

/** Connects for code that must answer quickly: commands fail at once if Redis is unavailable, and after 1.5 s if it hangs. */
export function connectFailFast(url: string, log: Logger): Redis {
  const redis = new Redis(url, {
    ...readRedisTls(url),
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: 1_000,
    commandTimeout: 1_500,
    retryStrategy: (attempt) => Math.min(100 * attempt, 2_000),
  });
  return logOutages(redis, log, 'fail-fast');
}

/** Connects for a worker, which waits until Redis is available. No command timeout, which would end the blocking read for jobs. */
export function connectPatient(url: string, log: Logger): Redis {
  const redis = new Redis(url, {
    ...readRedisTls(url),
    maxRetriesPerRequest: null,
    connectTimeout: 2_000,
    retryStrategy: (attempt) => Math.min(100 * attempt, 2_000),
  });
  return logOutages(redis, log, 'worker');
}
