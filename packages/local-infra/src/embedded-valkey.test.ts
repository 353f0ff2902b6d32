// @module-tag long
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

import { Redis } from 'ioredis';
import { expect, test } from 'vitest';

import { startEmbeddedValkey } from './embedded-valkey.ts';

test('the embedded Valkey answers a blocking command as soon as there is work', async ({
  onTestFinished,
}) => {
  const valkey = await startEmbeddedValkey();
  onTestFinished(() => valkey.stop());
  const [waiting, pushing] = [new Redis(valkey.url), new Redis(valkey.url)];
  await Promise.all([waiting.ping(), pushing.ping()]);

  const popped = waiting.blpop('list', 0);
  await pushing.rpush('list', 'work');

  expect(await popped).toEqual(['list', 'work']);
  waiting.disconnect();
  pushing.disconnect();
});

test('the embedded Valkey fails if another program has its port', async ({ onTestFinished }) => {
  const stranger = createServer((socket) => socket.on('data', () => socket.write('+PONG\r\n')));
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void stranger.close());
  const { port } = stranger.address() as AddressInfo;

  await expect(startEmbeddedValkey({ port })).rejects.toThrow(
    /^Valkey did not start on port \d+: .*EADDRINUSE/s,
  );
});
