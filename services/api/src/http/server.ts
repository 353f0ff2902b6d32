import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';

export type TimeLimits = { headersMs: number; requestMs: number; checkEveryMs: number };

/** The longest a slow or silent client holds a connection. */
const TIME_LIMITS: TimeLimits = { headersMs: 10_000, requestMs: 20_000, checkEveryMs: 5_000 };
const MAX_HEADER_BYTES = 16_384;

/** Creates the HTTP server with its limits on time, header size and requests per connection. */
export function createHttpServer(listener: RequestListener, limits = TIME_LIMITS): Server {
  const server = createServer(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: limits.checkEveryMs,
      maxHeaderSize: MAX_HEADER_BYTES,
    },
    listener,
  );
  server.maxRequestsPerSocket = 1_000;
  return server;
}
