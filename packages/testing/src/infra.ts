import { join } from 'node:path';

import { startEmbeddedPostgres } from '@site/local-infra/embedded-postgres';
import { startEmbeddedValkey } from '@site/local-infra/embedded-valkey';

export type Infra = { databaseUrl: string; redisUrl: string; stop(): Promise<void> };

/** Servers provided from outside. Missing servers are started here. */
export type GivenInfra = { databaseUrl?: string | undefined; redisUrl?: string | undefined };

/** Starts the missing servers as embedded ones, with their files under `dataDir`. */
export async function startInfra(
  given: GivenInfra,
  options: { dataDir: string; forTests?: boolean; signal?: AbortSignal },
): Promise<Infra> {
  const { signal, forTests = false } = options;
  const started = await Promise.allSettled([
    given.databaseUrl === undefined
      ? startEmbeddedPostgres({
          dataDir: join(options.dataDir, 'postgres'),
          logFile: join(options.dataDir, 'logs', 'postgres.log'),
          forTests,
          ...(signal && { signal }),
        })
      : { url: given.databaseUrl, stop: () => Promise.resolve() },
    given.redisUrl === undefined
      ? startEmbeddedValkey(signal ? { signal } : {})
      : { url: given.redisUrl, stop: () => Promise.resolve() },
  ]);
  const [postgres, redis] = started;
  if (postgres.status === 'rejected' || redis.status === 'rejected') {
    for (const part of started) if (part.status === 'fulfilled') await part.value.stop();
    throw postgres.status === 'rejected'
      ? postgres.reason
      : (redis as PromiseRejectedResult).reason;
  }
  return {
    databaseUrl: postgres.value.url,
    redisUrl: redis.value.url,
    stop: async () => {
      await Promise.all([postgres.value.stop(), redis.value.stop()]);
    },
  };
}
