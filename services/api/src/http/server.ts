import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server } from 'node:http';

export type TimeLimits = { headersMs: number; requestMs: number; checkEveryMs: number };

/** The longest a slow or silent client holds a connection. */
const TIME_LIMITS: TimeLimits = { headersMs: 10_000, requestMs: 20_000, checkEveryMs: 5_000 };
const MAX_HEADER_BYTES = 16_384;

/** Longer than load balancers keep an idle connection (60 s), so that none sends a request on one that we are closing. */
const IDLE_CONNECTION_MS = 65_000;

/** Creates the HTTP server with its limits on time, idleness, header size and requests per connection. The listener
 * gets no target but a path. */
export function createHttpServer(listener: RequestListener, limits = TIME_LIMITS): Server {
  const server = createServer(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: limits.checkEveryMs,
      maxHeaderSize: MAX_HEADER_BYTES,
    },
    (req, res) => {
      if (toOriginForm(req)) listener(req, res);
      else res.writeHead(400, { Connection: 'close' }).end();
    },
  );
  server.keepAliveTimeout = IDLE_CONNECTION_MS;
  server.maxRequestsPerSocket = 1_000;
  return server;
}

/**
 * Rewrites an absolute request target (`GET http://host/path`), which every server must accept, to its path. Returns
 * false for an invalid target. Before the app, because its router remembers the target's host.
 */
function toOriginForm(req: IncomingMessage): boolean {
  const target = req.url ?? '';
  if (target.startsWith('/')) return true;
  const { pathname, search } = URL.canParse(target)
    ? new URL(target)
    : { pathname: '', search: '' };
  req.url = pathname + search;
  return pathname.startsWith('/');
}
