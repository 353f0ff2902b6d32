import type { Request, Response } from 'express';
import type { AppDeps } from '../../app-deps.ts';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { createLeadEvents } from './lead-events.ts';

/** Proxies and browsers drop connections that stay silent for a while. */
const HEARTBEAT_MS = 15_000;
/** A listener with more unread than this is disconnected. It reconnects and resumes. */
const MAX_UNREAD_BYTES = 1_000_000;

/**
 * Streams changes to the console as server-sent events. Resumes after `Last-Event-ID`, or after `?after=` for a page
 * that opens a new connection. Ends with the session, and when the process stops.
 */
export function liveRoutes(
  deps: Pick<AppDeps, 'db' | 'clock' | 'log' | 'settings' | 'stopping'>,
): Route[] {
  const events = createLeadEvents(deps);
  return [route('GET /api/admin/events', ({ query, req, res }) => stream(req, res, query.after))];

  function stream(req: Request, res: Response, resumeAfter = ''): void {
    const after = req.get('Last-Event-ID') ?? resumeAfter;
    // No proxy on the way may buffer events.
    res.set({
      'Content-Type': 'text/event-stream; charset=utf-8',
      'X-Accel-Buffering': 'no',
      'Cache-Control': 'no-store, no-transform',
    });
    res.flushHeaders();
    write(res, 'retry: 2000\n\n');
    if (deps.stopping?.aborted) return void res.end();

    const end = () => void res.end();
    const stop = events.listen({
      sid: req.sessionID,
      lastEventId: after === '' ? null : after,
      send: (id, event) =>
        write(
          res,
          `${id === '' ? '' : `id: ${id}\n`}event: ${event ? 'change' : 'place'}\ndata: ${JSON.stringify(event ?? {})}\n\n`,
        ),
      end,
    });
    const heartbeat = setInterval(() => write(res, ':\n\n'), HEARTBEAT_MS);
    deps.stopping?.addEventListener('abort', end);
    res.once('close', () => {
      stop();
      clearInterval(heartbeat);
      deps.stopping?.removeEventListener('abort', end);
    });
  }
}

function write(res: Response, text: string): void {
  if (res.writableEnded) return;
  res.write(text);
  if (res.writableLength > MAX_UNREAD_BYTES) res.destroy();
}
