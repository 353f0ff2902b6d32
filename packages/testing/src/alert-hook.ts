import type { AlertMessage } from '@site/platform/notices/webhook';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A webhook for alerts that stores its messages, and refuses them while `isDown`. */
export type AlertHook = {
  url: string;
  isDown: boolean;
  told: AlertMessage[];
  /** Runs before each answer. */
  whileAnswering: () => Promise<void>;
  close(): void;
};

export async function startHook(): Promise<AlertHook> {
  const server = createServer((req, res) => {
    let body = '';
    req.on('data', (chunk: Buffer) => (body += chunk.toString()));
    req.on('end', () => {
      if (!hook.isDown) hook.told.push(JSON.parse(body) as AlertMessage);
      void hook.whileAnswering().finally(() => res.writeHead(hook.isDown ? 500 : 200).end());
    });
  });
  const hook: AlertHook = {
    url: '',
    isDown: false,
    told: [],
    whileAnswering: () => Promise.resolve(),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  hook.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return hook;
}
