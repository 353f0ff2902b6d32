import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ThirdPartyScripts = {
  origin: string;
  /** Returns the requested paths so far, with their queries. */
  asked(): string[];
  close(): Promise<void>;
};

/**
 * Scripts of an analytics and a chat company. They leave a mark, and set the cookie of Google's
 * tag.
 */
const SCRIPTS: Record<string, string> = {
  '/gtag/js': `window.tagRan = [...(window.dataLayer ?? [])].map((entry) => [...entry]);
    document.cookie = '_ga=GA1.1.123456789.1700000000;path=/';`,
  '/chat.js': `document.body.append(Object.assign(document.createElement('div'), { id: 'chat', textContent: 'Chat' }));`,
};

/** Serves both from another port, and so another origin, as in production. */
export async function serveThirdPartyScripts(): Promise<ThirdPartyScripts> {
  const asked: string[] = [];
  const server = createServer((req, res) => {
    asked.push(req.url ?? '');
    const script = SCRIPTS[new URL(req.url ?? '/', 'http://local').pathname];
    res.writeHead(script === undefined ? 404 : 200, {
      'Content-Type': 'text/javascript',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
    res.end(script);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => [...asked],
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
