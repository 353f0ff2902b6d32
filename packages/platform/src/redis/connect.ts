import { once } from 'node:events';
import type { Logger } from '../process/logger.ts';
import { SettingsError } from '../settings/read-settings.ts';
import { withTimeout } from '../process/with-timeout.ts';
import { Cluster, Redis } from 'ioredis';
import type { RedisOptions } from 'ioredis';
import { readClusterNodes, readRedisTls } from '../settings/connection-urls.ts';

/**
 * A single Redis, or a Redis Cluster. All keys of the queue are in one slot, and every other
 * command has one key.
 */
export type RedisConnection = Redis | Cluster;

type Patience = Pick<
  RedisOptions,
  'maxRetriesPerRequest' | 'connectTimeout' | 'commandTimeout' | 'socketTimeout'
> & {
  enableOfflineQueue?: boolean;
  lazyConnect?: boolean;
  retryStrategy: (attempt: number) => number | null;
};

/** Opens the Redis or Redis Cluster that a URL names. */
export function openRedis(url: string, options: Patience): RedisConnection {
  const cluster = readClusterNodes(url);
  if (!cluster) return new Redis(url, { ...options, ...readRedisTls(url) });
  const { nodes, isTls, ...login } = cluster;
  const { enableOfflineQueue = true, lazyConnect = false, retryStrategy, ...patience } = options;
  return new Cluster(nodes, {
    redisOptions: { ...patience, ...login, ...(isTls ? { tls: {} } : {}), ...readRedisTls(url) },
    enableOfflineQueue,
    lazyConnect,
    clusterRetryStrategy: retryStrategy,
    // A certificate names hosts, and nodes announce IP addresses.
    dnsLookup: (host, done) => done(null, host),
  });
}

/** Logs once when Redis becomes unavailable and once when it returns, not each attempt. */
function logOutages(redis: RedisConnection, log: Logger, role: string): RedisConnection {
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

/**
 * A connection silent this long while a command waits is replaced: it may have failed without
 * closing. Longer than BullMQ's blocking read for jobs, repeated every 5 s.
 */
const SILENT_MS = 15_000;

/**
 * Connects for code that must answer quickly: commands fail at once if Redis is unavailable, and
 * after 1.5 s if it hangs.
 */
export function connectFailFast(url: string, log: Logger, silentMs = SILENT_MS): RedisConnection {
  const redis = openRedis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: 1_000,
    commandTimeout: 1_500,
    socketTimeout: silentMs,
    retryStrategy: (attempt) => Math.min(100 * attempt, 2_000),
  });
  return logOutages(redis, log, 'fail-fast');
}

/**
 * Connects for a worker, which waits until Redis is available. No command timeout, which would end
 * the blocking read for jobs.
 */
export function connectPatient(url: string, log: Logger, silentMs = SILENT_MS): RedisConnection {
  const redis = openRedis(url, {
    maxRetriesPerRequest: null,
    connectTimeout: 2_000,
    socketTimeout: silentMs,
    retryStrategy: (attempt) => Math.min(100 * attempt, 2_000),
  });
  return logOutages(redis, log, 'worker');
}

/** The longest that a silent or loading Redis delays a start. */
const PATIENCE_MS = 1_500;

export function readInfo(info: string, name: string): string | undefined {
  return new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
}

/**
 * Throws a `SettingsError` if a plain URL names a node of a cluster: the queue's keys may be on
 * another node, and every job would fail. Warns of a policy that evicts jobs. Passes if Redis is
 * unavailable, because leads are stored without it.
 */
export async function checkRedisAtStart(redis: RedisConnection, log: Logger): Promise<void> {
  const info = await askInfo(redis);
  if (readInfo(info, 'cluster_enabled') === '1' && !redis.isCluster) {
    throw new SettingsError(
      'REDIS_URL is not usable: it names one node of a Redis Cluster. Begin it with ' +
        'redis+cluster:// or rediss+cluster://, or list the nodes.',
    );
  }
  const policy = readInfo(info, 'maxmemory_policy') ?? 'noeviction';
  if (policy !== 'noeviction')
    log.warn({ policy }, 'redis evicts jobs when memory runs out: set noeviction');
}

async function askInfo(redis: RedisConnection): Promise<string> {
  try {
    if (redis.status !== 'ready')
      await withTimeout(PATIENCE_MS, ({ signal }) => once(redis, 'ready', { signal }));
    return await redis.info();
  } catch {
    return '';
  }
}
