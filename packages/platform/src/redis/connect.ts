import { Redis } from 'ioredis';
import type { Logger } from '../logger.ts';

/** Says once that Redis is away and once that it is back, instead of a line for every attempt to reconnect. */
function logOutages(redis: Redis, log: Logger, role: string): Redis {
  let isAway = false;
  redis.on('error', (err) => {
    if (!isAway) log.warn({ err, role }, 'redis is away');
    isAway = true;
  });
  redis.on('ready', () => {
    if (isAway) log.info({ role }, 'redis is back');
    isAway = false;
  });
  return redis;
}

/**
 * A connection for code that answers somebody: every command fails at once while Redis is away, and after
 * 1.5 s when it hangs. Reconnects by itself.
 */
export function connectFailFast(url: string, log: Logger): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: 1_000,
    commandTimeout: 1_500,
    retryStrategy: (attempt) => Math.min(100 * attempt, 2_000),
  });
  return logOutages(redis, log, 'fail-fast');
}

/** A connection for a worker, which waits for as long as Redis is away. No command time-out: it would end the blocking read for jobs. */
export function connectPatient(url: string, log: Logger): Redis {
  const redis = new Redis(url, {
    maxRetriesPerRequest: null,
    connectTimeout: 2_000,
    retryStrategy: (attempt) => Math.min(100 * attempt, 2_000),
  });
  return logOutages(redis, log, 'worker');
}
