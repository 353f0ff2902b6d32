import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A network between a worker and Beehiiv that can lose, in one direction, what adds a subscriber. */
export type Wire = {
  url: string;
  /** Sets what is lost from now on and resets the count. Reading requests (GET) always pass. */
  lose(what: 'nothing' | 'requests' | 'answers'): void;
  /** The number of lost chunks. */
  lost(): number;
  stop(): Promise<void>;
};

export async function startWire(targetPort: number): Promise<Wire> {
  const sockets = new Set<Socket>();
  let losing: 'nothing' | 'requests' | 'answers' = 'nothing';
  let lost = 0;

  const join = (near: Socket, far: Socket) => {
    let adds = false;
    near.on('data', (chunk) => {
      if (chunk.includes('POST /')) adds = true;
      if (chunk.includes('GET /')) adds = false;
    });
    const carry = (from: Socket, to: Socket, what: 'requests' | 'answers') => {
      sockets.add(from);
      from.on('data', (chunk) => {
        if (adds && losing === what) lost += 1;
        else to.write(chunk);
      });
      from.on('error', () => from.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    };
    carry(near, far, 'requests');
    carry(far, near, 'answers');
  };
  const server = createServer((near) => join(near, connect(targetPort, '127.0.0.1')));
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
