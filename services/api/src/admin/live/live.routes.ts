import { readChangePlace, readChanges, readRecentChanges } from '@site/platform/live/live-changes';
import type { LiveEvent } from '@site/schema/calls/sync';
import type { Request, Response } from 'express';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AppDeps } from '../../app-deps.ts';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { keepLive } from '../operators/operator-session.ts';

/*
 * Sends changes to the open consoles. Each process polls the change table once for all its
 * listeners, and only while it has any. A reconnected console loads everything again.
 */

const READ_EVERY_MS = 300;
const CHECK_SESSIONS_EVERY_MS = 2_000;
/**
 * A page loads its list and opens its stream at about the same time. Without a stream it reloads
 * every 5 s.
 */
const RECENT_SECONDS = 15;
/** Proxies and browsers drop connections that stay silent for a while. */
const HEARTBEAT_MS = 15_000;
/** A listener with more unread than this is disconnected. It reconnects and reads again. */
const MAX_UNREAD_BYTES = 1_000_000;

type LiveDeps = Pick<AppDeps, 'db' | 'clock' | 'log' | 'settings' | 'stopping'>;
/** Listening ends with the session. */
type Listener = { sid: string; res: Response; isNew: boolean };

/** Streams changes to the console as server-sent events, until the session or the process ends. */
export function liveRoutes(deps: LiveDeps): Route[] {
  const listen = createListening(deps);
  return [
    route('GET /api/admin/events', ({ req, res }) => {
      // No proxy may buffer the events.
      res.set({
        'Content-Type': 'text/event-stream; charset=utf-8',
        'X-Accel-Buffering': 'no',
        'Cache-Control': 'no-store, no-transform',
      });
      res.flushHeaders();
      write(res, 'retry: 2000\n\n');
      if (deps.stopping?.aborted) return void res.end();
      const end = () => void res.end();
      const stop = listen(req, res);
      const heartbeat = setInterval(() => write(res, ':\n\n'), HEARTBEAT_MS);
      deps.stopping?.addEventListener('abort', end);
      res.once('close', () => {
        stop();
        clearInterval(heartbeat);
        deps.stopping?.removeEventListener('abort', end);
      });
    }),
  ];
}

function createListening(deps: LiveDeps) {
  const { db, log } = deps;
  const listeners = new Set<Listener>();
  let isReading = false;
  /** Changes before this place were sent. Null before the first reading. */
  let place: string | null = null;

  async function read(): Promise<void> {
    isReading = true;
    place = null;
    let checkedAt = 0;
    while (listeners.size > 0) {
      try {
        await sendChanges();
        if (performance.now() - checkedAt > CHECK_SESSIONS_EVERY_MS) {
          await endStrangers();
          checkedAt = performance.now();
        }
      } catch (err) {
        // `/readyz` reports the database. Missed changes are read afterwards.
        log.debug({ err }, 'changes could not be read');
      }
      await sleep(READ_EVERY_MS);
    }
    isReading = false;
  }

  async function endStrangers(): Promise<void> {
    const live = await keepLive(deps, [...new Set([...listeners].map(({ sid }) => sid))]);
    for (const { sid, res } of listeners) if (!live.has(sid)) res.end();
  }

  /**
   * Reads one snapshot for all listeners. A new listener also gets changes that its page may have
   * loaded too early to see.
   */
  async function sendChanges(): Promise<void> {
    const current = [...listeners];
    const isAnyNew = current.some(({ isNew }) => isNew);
    const { next, changes, recent } = await db.transaction(
      async (trx) => ({
        changes: place === null ? [] : await readChanges(trx, place),
        recent: isAnyNew ? await readRecentChanges(trx, RECENT_SECONDS) : [],
        next: await readChangePlace(trx),
      }),
      { isolationLevel: 'repeatable read', readOnly: true },
    );
    for (const listener of current) {
      const changed = [...new Set(listener.isNew ? [...changes, ...recent] : changes)];
      const data = JSON.stringify({ changed } satisfies LiveEvent);
      if (changed.length > 0) write(listener.res, `event: change\ndata: ${data}\n\n`);
      listener.isNew = false;
    }
    place = next;
  }

  /** Sends the changes from now on. Returns a function that stops sending. */
  return ({ sessionID: sid }: Request, res: Response) => {
    const listener = { sid, res, isNew: true };
    listeners.add(listener);
    if (!isReading) void read();
    return () => listeners.delete(listener);
  };
}

function write(res: Response, text: string): void {
  if (res.writableEnded) return;
  res.write(text);
  if (res.writableLength > MAX_UNREAD_BYTES) res.destroy();
}
