import { error, ok } from '@site/platform/doctor/findings';
import type { Finding } from '@site/platform/doctor/findings';
import { createSyncQueue } from '@site/platform/outbox/sync-queue';
import { errorMessage } from '@site/platform/process/logged-error';
import { createLogger } from '@site/platform/process/logger';
import { readInfo } from '@site/platform/redis/check-at-start';
import { openRedis } from '@site/platform/redis/connect';
import type { ApiSettings } from '../settings.ts';

/** Checks that Redis is reachable, takes the queue's commands, and never evicts jobs. */
export async function examineRedis({
  redisUrl: url,
}: Pick<ApiSettings, 'redisUrl'>): Promise<Finding[]> {
  const redis = openRedis(url, {
    lazyConnect: true,
    connectTimeout: 3_000,
    commandTimeout: 3_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  // `connect` only reports that there is no connection. This error has the reason.
  let reason: Error | undefined;
  redis.on('error', (err: Error) => (reason ??= err));
  try {
    await redis.connect();
    const info = await redis.info();
    const log = createLogger({ service: 'doctor', level: 'silent' });
    await createSyncQueue({ redis, log }).prove();
    // Managed services answer `INFO` even if they refuse `CONFIG`.
    const policy = readInfo(info, 'maxmemory_policy');
    if (policy === undefined || policy === 'noeviction') return [ok('Redis', 'takes jobs')];
    const remedy = 'Set maxmemory-policy noeviction.';
    return [error('Redis', `${policy} evicts jobs when memory runs out`, remedy)];
  } catch (fault) {
    const remedy =
      'Start it, and check REDIS_URL: the primary, with scripts and writes on {bull}*.';
    return [error('Redis', `takes no jobs: ${errorMessage(reason ?? fault)}`, remedy)];
  } finally {
    redis.disconnect();
  }
}
