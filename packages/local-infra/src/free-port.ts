import { createServer } from 'node:net';

/**
 * Below the range that systems use for outgoing connections, which could take a port before we
 * listen on it, and above 10,080, where `fetch` and browsers refuse to connect.
 */
const [LOWEST, HIGHEST] = [10_100, 15_999];

/**
 * Seconds may pass before we listen on a port, so no process chooses a port twice, and each begins
 * elsewhere.
 */
let next = LOWEST + ((process.pid * 97) % (HIGHEST - LOWEST));

/** Finds a TCP port on 127.0.0.1 that is currently free. */
export async function findFreePort(): Promise<number> {
  const port = next;
  next = port < HIGHEST ? port + 1 : LOWEST;
  return (await isPortFree(port)) ? port : findFreePort();
}

/** Returns true if this port of 127.0.0.1 is currently free. */
function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
