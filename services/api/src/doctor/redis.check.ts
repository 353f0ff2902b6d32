import { error, ok, warning } from '@site/platform/doctor/findings';
import type { Finding } from '@site/platform/doctor/findings';
import { errorMessage } from '@site/platform/process/logged-error';
import { createLogger } from '@site/platform/process/logger';
import { createSyncQueue } from '@site/platform/outbox/sync-queue';
import { isClusterNode, readInfo } from '@site/platform/redis/check-at-start';
import { openRedis } from '@site/platform/redis/connect';
import type { RedisConnection } from '@site/platform/redis/connect';
import type { ApiSettings } from '../settings.ts';

type RedisSettings = Pick<ApiSettings, 'redisUrl' | 'isProduction'>;

/** Checks that Redis is reachable, takes the queue's commands, never evicts jobs, and keeps them over a restart. */
export async function examineRedis({
  redisUrl: url,
  isProduction,
}: RedisSettings): Promise<Finding[]> {
  const redis = openRedis(url, {
    lazyConnect: true,
    connectTimeout: 3_000,
    commandTimeout: 3_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  // The error of `connect` only says that there is no connection. This one says why.
  let reason: Error | undefined;
  redis.on('error', (err: Error) => (reason ??= err));
  try {
    await redis.connect();
    const info = await redis.info();
    return [...examineInfo(info, isProduction), await examineQueue(redis, info)];
  } catch (fault) {
    const why = errorMessage(reason ?? fault);
    return [
      error(
        'Redis',
        `does not answer: ${why}`,
        'Start it, and check REDIS_URL. Leads are stored meanwhile, and nothing is sent until it returns.',
      ),
    ];
  } finally {
    redis.disconnect();
  }
}

/** Reads `INFO`, which managed services answer although they refuse `CONFIG`. */
export function examineInfo(info: string, isProduction: boolean): Finding[] {
  const read = (name: string) => readInfo(info, name);
  const version = read('valkey_version') ?? read('redis_version') ?? 'unknown';
  return [
    ok('Redis', `version ${version}`),
    examinePolicy(read('maxmemory_policy')),
    // Elsewhere it is the embedded one, whose settings nobody can change.
    ...(isProduction ? [examinePersistence(read('aof_enabled'))] : []),
  ];
}

async function examineQueue(redis: RedisConnection, info: string): Promise<Finding> {
  if (isClusterNode(info) && !redis.isCluster) {
    return error(
      'Redis queue',
      'REDIS_URL names one node of a cluster, which refuses jobs whose keys are on another',
      'Begin REDIS_URL with redis+cluster:// or rediss+cluster://.',
    );
  }
  try {
    await createSyncQueue({
      redis,
      log: createLogger({ service: 'doctor', level: 'silent' }),
    }).prove();
    return ok('Redis queue', 'takes jobs');
  } catch (fault) {
    return error(
      'Redis queue',
      `refuses what the queue needs: ${errorMessage(fault)}`,
      'Name the primary, not a replica, and allow scripts and writes on all keys that begin with {bull}.',
    );
  }
}

function examinePolicy(policy: string | undefined): Finding {
  if (policy === 'noeviction') return ok('Redis policy', 'noeviction');
  const remedy = 'Set maxmemory-policy noeviction.';
  return policy === undefined
    ? warning('Redis policy', 'Redis does not report its eviction policy', remedy)
    : error('Redis policy', `${policy} evicts jobs when memory runs out`, remedy);
}

function examinePersistence(isAofOn: string | undefined): Finding {
  if (isAofOn === '1') return ok('Redis persistence', 'append-only file');
  const message =
    isAofOn === undefined
      ? 'Redis does not say whether it keeps a file'
      : 'none: a restart of Redis empties the queue';
  // Only a warning: the rows in Postgres are the truth, and the sweep queues them again.
  return warning(
    'Redis persistence',
    message,
    'Set appendonly yes. Without it no lead is lost, but some are sent late.',
  );
}
