import { findFreePort } from '@site/local-infra/free-port';
import { makeTestFolder } from '@site/local-infra/test-folder';
import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { within } from './within.ts';

const PASSWORD = 'the password of a drill';
const run = promisify(execFile);

/**
 * A Redis Cluster of three masters that keeps nothing on disk, so that a master that returns is
 * empty.
 */
export type RedisCluster = {
  /** Its URL, for REDIS_URL. */
  url: string;
  masters: number[];
  tell(master: number, ...command: string[]): Promise<string>;
  /** Kills a master. The function returned starts it again. */
  kill(master: number): Promise<() => Promise<void>>;
  remove(): Promise<void>;
};

/**
 * Starts a cluster with the machine's own `redis-server`. Throws if the machine has no such
 * program.
 */
export async function startRedisCluster(): Promise<RedisCluster> {
  const folder = makeTestFolder();
  const masters = [await findFreePort(), await findFreePort(), await findFreePort()];
  const processes = new Map<number, ChildProcess>();
  const tell = async (master: number, ...command: string[]) => {
    const { stdout } = await run('redis-cli', [
      '--no-auth-warning',
      '-a',
      PASSWORD,
      '-p',
      String(master),
      ...command,
    ]);
    return stdout.trim();
  };
  const start = async (port: number) => {
    const cwd = join(folder.path, String(port));
    mkdirSync(cwd, { recursive: true });
    const options = {
      port: String(port),
      bind: '127.0.0.1',
      'cluster-enabled': 'yes',
      'cluster-port': String(port + 10_000 > 65_535 ? port - 10_000 : port + 10_000),
      'cluster-node-timeout': '2000',
      // One lost part of the queue's keys is fault enough, and the other masters stay up.
      'cluster-require-full-coverage': 'no',
      requirepass: PASSWORD,
      masterauth: PASSWORD,
      save: '',
    };
    const child = spawn(
      'redis-server',
      Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
      { cwd, stdio: 'ignore' },
    );
    const failed = once(child, 'error').then(([error]: unknown[]) => {
      throw new Error(
        'This drill needs redis-server and redis-cli (Debian: apt install redis-server).',
        {
          cause: error,
        },
      );
    });
    processes.set(port, child);
    const isUp = () =>
      tell(port, 'ping').then(
        (answer) => answer === 'PONG',
        () => false,
      );
    await Promise.race([failed, within(20_000, 'a master answers', isUp)]);
    failed.catch(() => undefined);
  };

  await Promise.all(masters.map(start));
  const addresses = masters.map((port) => `127.0.0.1:${port}`);
  await run('redis-cli', [
    '--no-auth-warning',
    '-a',
    PASSWORD,
    '--cluster',
    'create',
    ...addresses,
    '--cluster-yes',
  ]);
  const isWhole = async (port: number) =>
    (await tell(port, 'cluster', 'info')).includes('cluster_state:ok');
  await within(20_000, 'the cluster is whole', async () =>
    (await Promise.all(masters.map(isWhole))).every(Boolean),
  );
  return {
    url: `redis+cluster://:${encodeURIComponent(PASSWORD)}@${addresses.join(',')}`,
    masters,
    tell,
    async kill(master) {
      const child = processes.get(master);
      child?.kill('SIGKILL');
      if (child) await once(child, 'exit');
      return async () => {
        await start(master);
        await within(20_000, 'the cluster is whole', () => isWhole(master));
      };
    },
    async remove() {
      await Promise.all(
        [...processes.values()].map(async (child) => child.kill('SIGKILL') && once(child, 'exit')),
      );
      folder.remove();
    },
  };
}
