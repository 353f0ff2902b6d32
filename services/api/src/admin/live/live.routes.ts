import { Router } from 'express';
import type { Response } from 'express';
import type { AppDeps } from '../../app-deps.ts';
import { createLeadEvents } from './lead-events.ts';

/** Proxies and browsers drop connections on which nothing is said for a while. */
const HEARTBEAT_MS = 15_000;
/** A subscriber who takes so little of it is cut off, and resumes where it was. */
const MOST_UNREAD_BYTES = 1_000_000;

/**
 * `GET /api/admin/events`: changes as they happen, as server-sent events. Resumes after `Last-Event-ID`, or after
 * `?after=` for a page that opens a connection anew. Ends with the session, and when the process stops.
 */
export function liveRoutes(deps: Pick<AppDeps, 'db' | 'clock' | 'log' | 'stopping'>): Router {
  const events = createLeadEvents(deps);
  const router = Router();
  router.get('/', (req, res) => {
    const after = req.get('Last-Event-ID') ?? (typeof req.query['after'] === 'string' ? req.query['after'] : '');
    // Nothing between us and the subscriber may wait for more before it passes on what it has.
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
  });
  return router;
}

function write(res: Response, text: string): void {
  if (res.writableEnded) return;
  res.write(text);
  if (res.writableLength > MOST_UNREAD_BYTES) res.destroy();
}
