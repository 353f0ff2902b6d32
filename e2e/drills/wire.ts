import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/**
 * A network between a service and another server. It can lose requests or answers about additions
 * at Beehiiv, and let its open connections fall silent.
 */
export type Wire = {
  url: string;
  /** Returns a URL of the other server, over this wire. */
  over(address: string): string;
  /** Lets the open connections fall silent: they stay open and carry nothing. New ones work. */
  silence(): void;
  /** Sets the lost direction and resets the count. Reading requests (GET) always pass. */
  lose(what: 'nothing' | 'requests' | 'answers'): void;
  /** The number of lost chunks. */
  lost(): number;
  stop(): Promise<void>;
};

export async function startWire(targetPort: number): Promise<Wire> {
  const sockets = new Set<Socket>();
  let silenced = new Set<Socket>();
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
        if (silenced.has(from)) return;
        if (adds && losing === what) lost += 1;
        else to.write(chunk);
      });
      from.on('error', () => from.destroy());
      from.on('close', () => {
        sockets.delete(from);
        // A silent connection also hides its closing from the other end.
        if (!silenced.has(from)) to.destroy();
      });
    };
    carry(near, far, 'requests');
    carry(far, near, 'answers');
  };
  const server = createServer((near) => join(near, connect(targetPort, '127.0.0.1')));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    over: (address) =>
      Object.assign(new URL(address), { hostname: '127.0.0.1', port: String(port) }).href,
    silence() {
      silenced = new Set(sockets);
    },
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
