import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export type TimeLimits = { headersMs: number; requestMs: number; checkEveryMs: number };

/** The longest a slow or silent client holds a connection. */
const TIME_LIMITS: TimeLimits = { headersMs: 10_000, requestMs: 20_000, checkEveryMs: 5_000 };
const MAX_HEADER_BYTES = 16_384;

/**
 * Longer than load balancers keep an idle connection (60 s), so that they never send a request on a
 * closing connection.
 */
const IDLE_CONNECTION_MS = 65_000;
/**
 * During a stop, a connection without a request stays open this long, because a request may be on
 * its way.
 */
const STOP_GRACE_MS = 1_000;

export type HttpServer = Server & {
  /**
   * Accepts no new connection, and resolves once the requests in flight are answered. Each answer
   * closes its connection, because a client with further requests would keep the server running.
   */
  stop: () => Promise<void>;
};

/**
 * Creates the HTTP server with its limits on time, idleness, header size and requests per
 * connection. The listener
 * gets no target but a path. */
export function createHttpServer(listener: RequestListener, limits = TIME_LIMITS): HttpServer {
  const connections = new Set<Socket>();
  const inFlight = new Set<ServerResponse>();
  let isStopping = false;
  const server = createServer(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: limits.checkEveryMs,
      maxHeaderSize: MAX_HEADER_BYTES,
    },
    (req, res) => {
      inFlight.add(res);
      if (isStopping) res.shouldKeepAlive = false;
      res.once('close', () => {
        inFlight.delete(res);
        // The headers of a stream may have been sent before the stop.
        if (isStopping) server.closeIdleConnections();
      });
      if (toOriginForm(req)) listener(req, res);
      else res.writeHead(400, { Connection: 'close' }).end();
    },
  );
  server.keepAliveTimeout = IDLE_CONNECTION_MS;
  server.maxRequestsPerSocket = 1_000;
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  const closeUnused = () => {
    const used = new Set([...inFlight].map(({ req }) => req.socket));
    for (const socket of connections) if (!used.has(socket)) socket.destroy();
  };
  const stop = () =>
    new Promise<void>((resolve) => {
      isStopping = true;
      for (const res of inFlight) res.shouldKeepAlive = false;
      const closing = setTimeout(closeUnused, STOP_GRACE_MS);
      server.close(() => {
        clearTimeout(closing);
        resolve();
      });
    });
  return Object.assign(server, { stop });
}

/**
 * Rewrites an absolute request target (`GET http://host/path`), which every server must accept, to
 * its path. Returns false for an invalid target. Runs before the app, because its router remembers
 * the target's host.
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
