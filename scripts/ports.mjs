import { createServer } from 'node:net';

import { Failure } from './failure.mjs';

const PORTS = [
  { setting: 'PORT', fallback: 8080 },
  { setting: 'WORKER_PORT', fallback: 8081 },
  { setting: 'SANDBOX_PORT', fallback: 8090 },
];

/** Throws a Failure if a needed port is in use, before any long step begins. */
export async function checkPorts(env) {
  const host = env.HOST || '127.0.0.1';
  const taken = new Map();
  for (const { setting, fallback } of PORTS) {
    const port = readPort(setting, env[setting] || fallback);
    if (taken.has(port))
      throw new Failure(
        `${taken.get(port)} and ${setting} are both ${port}: give each its own port.`,
      );
    taken.set(port, setting);
    await checkFree(setting, port, setting === 'SANDBOX_PORT' ? '127.0.0.1' : host);
  }
}

function readPort(setting, text) {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new Failure(`${setting} is "${text}": it must be a whole number from 1 to 65535.`);
}

function checkFree(setting, port, host) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (cause) =>
      reject(new Failure(toSentence(cause.code, setting, port, host), { cause })),
    );
    server.listen({ port, host, exclusive: true }, () => server.close(resolve));
  });
}

function toSentence(code, setting, port, host) {
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use by another program: stop that one, or set ${setting} to a free port.`;
  if (code === 'EACCES')
    return `Port ${port} is not open to this user: set ${setting} to one above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `HOST is "${host}", which is not an IP address of this machine.`;
  return `Port ${port} cannot be used (${code}): set ${setting} to another one.`;
}
