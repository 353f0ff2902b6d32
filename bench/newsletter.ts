import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts a newsletter platform that accepts everything at once, so that only the worker is measured. */
export async function startNewsletter(): Promise<{ url: string; close(): void }> {
  const server = createServer((req, res) => {
    req.resume().once('end', () => {
      res.writeHead(req.method === 'POST' ? 201 : 200, { 'Content-Type': 'application/json' });
      const record = { id: 'sub_00000000-0000-4000-8000-000000000001', status: 'active' };
      res.end(JSON.stringify({ data: req.url?.includes('custom_fields') ? [] : record }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}
