import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';

export type TimeLimits = { headersMs: number; requestMs: number; checkEveryMs: number };

/** A client that sends slowly, or not at all, holds a connection no longer than this. */
const TIME_LIMITS: TimeLimits = { headersMs: 10_000, requestMs: 20_000, checkEveryMs: 5_000 };
const MAX_HEADER_BYTES = 16_384;

/** The HTTP server with its limits: of time, of header size, and of requests that one connection may carry. */
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
