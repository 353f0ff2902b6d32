import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Starts a newsletter platform that accepts everything at once, so that only the worker is
 * measured. A flaky one fails every seventh request, closes the connection of every 23rd, and
 * leaves every 101st unanswered for 20 seconds.
 */
export async function startNewsletter({ isFlaky = false } = {}): Promise<{
  url: string;
  close(): void;
}> {
  let requests = 0;
  const server = createServer((req, res) => {
    requests += 1;
    if (isFlaky && requests % 23 === 0) return void req.socket.destroy();
    if (isFlaky && requests % 101 === 0) return void setTimeout(() => req.socket.destroy(), 20_000);
    req.resume().once('end', () => {
      if (isFlaky && requests % 7 === 0) return void res.writeHead(503).end();
      res.writeHead(req.method === 'POST' ? 201 : 200, { 'Content-Type': 'application/json' });
      // A list ends at once.
      if (/subscriptions\?|custom_fields/.test(req.url ?? ''))
        return void res.end(JSON.stringify({ data: [] }));
      const record = { id: 'sub_00000000-0000-4000-8000-000000000001', status: 'active' };
      res.end(JSON.stringify({ data: record }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
  };
}
