import type { Infra } from './infra.ts';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { PostgreSqlContainer } from '@testcontainers/postgresql';
import { GenericContainer, Wait } from 'testcontainers';

const DOCKER_ANSWER_MS = 5_000;
const REDIS_PORT = 6379;

/** Returns true if a Docker engine answers. */
export async function isDockerAvailable(): Promise<boolean> {
  return promisify(execFile)('docker', ['info'], { timeout: DOCKER_ANSWER_MS }).then(
    () => true,
    () => false,
  );
}

/**
 * Starts `postgres:17` and `redis:8` in containers for tests. They are removed when the process
 * ends.
 */
export async function startContainers({ isDisposable }: { isDisposable: boolean }): Promise<Infra> {
  const unsafe = isDisposable ? ['fsync=off', 'full_page_writes=off'] : [];
  const [postgres, redis] = await Promise.all([
    new PostgreSqlContainer('postgres:17')
      .withEnvironment({
        POSTGRES_INITDB_ARGS:
          '--encoding=UTF8 --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8',
      })
      .withCommand(['postgres', ...[...unsafe, 'max_connections=200'].flatMap((s) => ['-c', s])])
      .start(),
    new GenericContainer('redis:8')
      .withExposedPorts(REDIS_PORT)
      .withWaitStrategy(Wait.forLogMessage('Ready to accept connections'))
      .start(),
  ]);
  return {
    databaseUrl: postgres.getConnectionUri(),
    redisUrl: `redis://${redis.getHost()}:${redis.getMappedPort(REDIS_PORT)}`,
    stop: async () => {
      await Promise.all([postgres.stop(), redis.stop()]);
    },
  };
}
