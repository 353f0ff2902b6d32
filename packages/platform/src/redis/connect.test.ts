import { test as base } from '@site/testing/fixtures';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, vi } from 'vitest';
import { createLogger } from '../process/logger.ts';
import { createSyncQueue } from '../outbox/sync-queue.ts';
import { connectFailFast, checkRedisAtStart } from './connect.ts';

const log = createLogger({ service: 'test', level: 'silent' });

/**
 * The URL of a real Valkey that claims to be a cluster's node, because the embedded Valkey cannot
 * be one.
 */
const test = base.extend('nodeUrl', async ({ redisUrl, onTestFinished }) => {
  const { hostname, port } = new URL(redisUrl);
  const entrance = createServer((socket) => {
    const inside = connect(Number(port), hostname);
    socket.pipe(inside);
    inside.on('data', (data) => {
      socket.write(
        data.toString('latin1').replace('cluster_enabled:0', 'cluster_enabled:1'),
        'latin1',
      );
    });
    for (const end of [socket, inside])
      end.on('error', () => [socket, inside].forEach((each) => each.destroy()));
    socket.on('close', () => inside.destroy());
  });
  entrance.listen(0, '127.0.0.1');
  await once(entrance, 'listening');
  onTestFinished(() => void entrance.close());
  return `redis://127.0.0.1:${(entrance.address() as AddressInfo).port}`;
});

test('a node of a cluster is refused, with the URL to use instead', async ({
  nodeUrl,
  onTestFinished,
}) => {
  const redis = connectFailFast(nodeUrl, log);
  onTestFinished(() => redis.disconnect());

  await expect(checkRedisAtStart(redis, log)).rejects.toThrow('Begin it with redis+cluster://');
});

test.for([
  ['a plain Redis', undefined],
  ['one that cannot be reached', 'redis://127.0.0.1:1'],
])('%s does not stop the start', async ([, url], { redisUrl, onTestFinished }) => {
  const redis = connectFailFast(url ?? redisUrl, log);
  onTestFinished(() => redis.disconnect());

  await checkRedisAtStart(redis, log);
});

test('a policy that evicts jobs is warned about, once', async ({ ownValkey, onTestFinished }) => {
  const redis = connectFailFast(ownValkey.url, log);
  onTestFinished(() => redis.disconnect());
  await once(redis, 'ready');
  await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
  const warn = vi.spyOn(log, 'warn');
  const printed = vi.spyOn(console, 'warn');
  onTestFinished(() => void vi.restoreAllMocks());

  await checkRedisAtStart(redis, log);
  const queue = createSyncQueue({ redis, log });
  await queue.prove();

  expect(warn).toHaveBeenCalledExactlyOnceWith(
    { policy: 'allkeys-lru' },
    expect.stringContaining('noeviction'),
  );
  expect(printed).not.toHaveBeenCalled();
});
