import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ThirdPartyScripts = {
  origin: string;
  /** Paths that were asked for so far, with their queries. */
  asked(): string[];
  close(): Promise<void>;
};

/**
 * Scripts of an analytics and a chat company: they leave a mark, and set the cookie that Google's
 * tag sets.
 */
const SCRIPTS: Record<string, string> = {
  '/gtag/js': `window.tagRan = [...(window.dataLayer ?? [])].map((entry) => [...entry]);
    document.cookie = '_ga=GA1.1.123456789.1700000000;path=/';`,
  '/chat.js': `document.body.append(Object.assign(document.createElement('div'), { id: 'chat', textContent: 'Chat' }));`,
};

/** Serves both on a port of its own: another origin than the site's, as in life. */
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
