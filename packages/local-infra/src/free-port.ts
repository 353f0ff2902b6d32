import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ports of outgoing connections, one of which could take it before it is listened on. */
const [LOWEST, HIGHEST] = [16_384, 32_767];

/** Finds a TCP port on 127.0.0.1 that is currently free. */
export async function findFreePort(): Promise<number> {
  const port = randomInt(LOWEST, HIGHEST);
  return (await isPortFree(port)) ? port : findFreePort();
}

/** Returns true if this port of 127.0.0.1 is currently free. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
