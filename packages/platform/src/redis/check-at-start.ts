import { once } from 'node:events';
import type { Logger } from '../process/logger.ts';
import { SettingsError } from '../settings/read-settings.ts';
import { withTimeout } from '../process/with-timeout.ts';
import type { RedisConnection } from './connect.ts';

/** A Redis that loads its file, or does not answer, delays a start no longer than this. */
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
      'REDIS_URL is not usable: it names one node of a Redis Cluster. Begin it with redis+cluster:// or rediss+cluster://, or list the nodes.',
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
