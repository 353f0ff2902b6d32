import { once } from 'node:events';
import { Agent, request } from 'node:http';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { createHttpServer } from './server.ts';

async function listen(listener: RequestListener) {
  const server = createHttpServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => {
    agent.destroy();
    server.closeAllConnections();
    server.close();
  });
  return {
    server,
    port,
    /** Sends a request on a connection that is kept. */
    ask: async (): Promise<IncomingMessage> => {
      const sent = request({ port, agent }).end();
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      return answer;
    },
  };
}

test('a server stops at once although a client keeps asking on its connection', async () => {
  const { server, ask } = await listen((_req, res) => setTimeout(() => res.end('answer'), 20));
  const answers: string[] = [];
  const asking = (async () => {
    for (;;) answers.push(await text(await ask()));
  })();
  await expect.poll(() => answers.length).toBeGreaterThan(2);
  await once(server, 'request');

  await server.stop();

  // The answer closed the connection, so the next request needs another one.
  await expect(asking).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('a request in flight is answered during a stop, the last of its connection', async () => {
  const { server, ask } = await listen(() => undefined);
  const answering = ask();
  const [, res] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];

  const stopping = server.stop();
  res.end('answer');
  const answer = await answering;

  expect(await text(answer)).toBe('answer');
  expect(answer.headers.connection).toBe('close');
  await stopping;
});

test('a stream that had begun ends in full, and its connection with it', async () => {
  const { server, ask } = await listen((_req, res) => res.write('begin '));
  const answering = ask();
  const [, res] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  const answer = await answering;

  const stopping = server.stop();
  res.end('end');

  expect(await text(answer)).toBe('begin end');
  await stopping;
});

test('a connection on which nothing was sent does not delay a stop', async () => {
  const { server, port } = await listen((_req, res) => res.end());
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(server, 'connection');

  await expect(server.stop()).resolves.toBeUndefined();
});
