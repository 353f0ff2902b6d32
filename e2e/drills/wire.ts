import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A network between a worker and Beehiiv that can lose data in one direction. */
export type Wire = {
  url: string;
  /** Sets what is lost from now on and resets the count. */
  lose(what: 'nothing' | 'requests' | 'answers'): void;
  /** The number of lost chunks. */
  lost(): number;
  stop(): Promise<void>;
};

export async function startWire(targetPort: number): Promise<Wire> {
  const sockets = new Set<Socket>();
  let losing: 'nothing' | 'requests' | 'answers' = 'nothing';
  let lost = 0;

  const carry = (from: Socket, to: Socket, what: 'requests' | 'answers') => {
    sockets.add(from);
    from.on('data', (chunk) => {
      if (losing === what) lost += 1;
      else to.write(chunk);
    });
    from.on('error', () => from.destroy());
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  };
  const server = createServer((near) => {
    const far = connect(targetPort, '127.0.0.1');
    carry(near, far, 'requests');
    carry(far, near, 'answers');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lose(what) {
      losing = what;
      lost = 0;
    },
    lost: () => lost,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
