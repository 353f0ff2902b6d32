import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Socket } from 'node:net';

const COMMAND = /\*\d+\r\n/g;
const ANSWER = '-LOADING Redis is loading the dataset in memory\r\n';

export type LoadingRedis = {
  /** The number of refused commands. */
  refused(): number;
  stop(): Promise<void>;
};

/**
 * Starts a fake Redis that is still loading its data: it accepts connections but refuses every
 * command.
 */
export async function startLoadingRedis(port: number): Promise<LoadingRedis> {
  const sockets = new Set<Socket>();
  let refused = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      const commands = chunk.toString('latin1').match(COMMAND)?.length ?? 0;
      refused += commands;
      if (commands > 0) socket.write(ANSWER.repeat(commands));
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    refused: () => refused,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
