import type { Database } from '@site/platform/database/connect';
import type { ChangeKind } from '@site/platform/database/tables';
import {
  CHANGES_KEPT_MS,
  readChangePlace,
  readChanges,
  readRecentChanges,
} from '@site/platform/outbox/live-changes';
import type { LiveEvent } from '@site/schema/calls/sync';
import type { Request, Response } from 'express';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AppDeps } from '../../app-deps.ts';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { keepLive } from '../operators/operator-session.ts';

/*
 * Sends changes to the open consoles. Each process polls the change table once for all its
 * listeners, and only while there are any. A listener that was disconnected names its place and
 * gets what it missed.
 */

const READ_EVERY_MS = 300;
const CHECK_SESSIONS_EVERY_MS = 2_000;
/** A page loads its list and opens its stream at about the same time. Without a stream it reloads every 5 s. */
const RECENT_SECONDS = 15;
/** Less than the table keeps, so that nothing is missing at the end. */
const RESUMABLE_MS = CHANGES_KEPT_MS - 10 * 60_000;
/** Proxies and browsers drop connections that stay silent for a while. */
const HEARTBEAT_MS = 15_000;
/** A listener with more unread than this is disconnected. It reconnects and resumes. */
const MAX_UNREAD_BYTES = 1_000_000;

type LiveDeps = Pick<AppDeps, 'db' | 'clock' | 'log' | 'settings' | 'stopping'>;
/** Listening ends with the session. Null has no place yet: it starts now. */
type Listener = { sid: string; res: Response; place: string | null };

/**
 * Streams changes to the console as server-sent events. Resumes after `Last-Event-ID`, or after `?after=` for a page
 * that opens a new connection. Ends with the session, and when the process stops.
 */
export function liveRoutes(deps: LiveDeps): Route[] {
  const listen = createListening(deps);
  return [
    route('GET /api/admin/events', ({ query, req, res }) => {
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
      const stop = listen(req, res, req.get('Last-Event-ID') ?? query.after ?? '');
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
  const { db, clock, log } = deps;
  const listeners = new Set<Listener>();
  let isReading = false;

  async function read(): Promise<void> {
    isReading = true;
    let checkedAt = 0;
    while (listeners.size > 0) {
      try {
        await sendChanges();
        if (performance.now() - checkedAt > CHECK_SESSIONS_EVERY_MS) {
          await endStrangers();
          checkedAt = performance.now();
        }
      } catch (err) {
        // Readiness reports the database. Missed changes are read afterwards.
        log.debug({ err }, 'changes could not be read');
      }
      await sleep(READ_EVERY_MS);
    }
    isReading = false;
  }

  async function endStrangers(): Promise<void> {
    const known = await keepLive(deps, [...new Set([...listeners].map(({ sid }) => sid))]);
    for (const { sid, res } of listeners) if (!known.has(sid)) res.end();
  }

  /** Reads one snapshot for all listeners, so that they are at the same place afterwards. */
  async function sendChanges(): Promise<void> {
    const current = [...listeners];
    const readAt = clock.now().getTime();
    const { next, changes } = await db.transaction(
      async (trx) => {
        const changes = new Map<string | null, ChangeKind[]>();
        for (const place of new Set(current.map(({ place }) => place)))
          changes.set(place, await readSince(trx, place));
        return { next: await readChangePlace(trx), changes };
      },
      { isolationLevel: 'repeatable read', readOnly: true },
    );
    for (const listener of current) {
      const changed = changes.get(listener.place) ?? [];
      const id = toEventId(readAt, next);
      if (changed.length > 0) sendChange(listener.res, { changed }, id);
      else if (listener.place === null)
        write(listener.res, `id: ${id}\nevent: place\ndata: {}\n\n`);
      listener.place = next;
    }
  }

  /**
   * Sends the changes after an event, which may be another connection's. Returns a function that
   * stops.
   */
  return ({ sessionID: sid }: Request, res: Response, lastEventId: string) => {
    const from = parseEventId(lastEventId);
    const isTooOld = from === null || clock.now().getTime() - from.atMs > RESUMABLE_MS;
    const listener = { sid, res, place: isTooOld ? null : from.place };
    if (lastEventId !== '' && isTooOld) sendChange(res, { changed: null });
    listeners.add(listener);
    if (!isReading) void read();
    return () => listeners.delete(listener);
  };
}

function sendChange(res: Response, event: LiveEvent, id?: string): void {
  const line = id === undefined ? '' : `id: ${id}\n`;
  write(res, `${line}event: change\ndata: ${JSON.stringify(event)}\n\n`);
}

function write(res: Response, text: string): void {
  if (res.writableEnded) return;
  res.write(text);
  if (res.writableLength > MAX_UNREAD_BYTES) res.destroy();
}

/**
 * Reads the changes since a place. Without one, reads those that a list loaded just before its
 * stream opened may have missed.
 */
const readSince = (trx: Database, place: string | null) =>
  place === null ? readRecentChanges(trx, RECENT_SECONDS) : readChanges(trx, place);

/**
 * Joins the time of reading to the place, because a place that is too old cannot be resumed from.
 */
const toEventId = (atMs: number, place: string) => `${atMs}~${place}`;

function parseEventId(id: string): { atMs: number; place: string } | null {
  const [, at, place] = /^(\d{1,15})~(\d{1,20}:\d{1,20}:[\d,]{0,4000})$/.exec(id) ?? [];
  return at === undefined || place === undefined || !isSnapshot(place)
    ? null
    : { atMs: Number(at), place };
}

const MAX_TRANSACTIONS = 2n ** 63n;

/**
 * Returns true for text that Postgres accepts as a snapshot. All places are read in one
 * transaction, so one bad place would fail every listener.
 */
function isSnapshot(place: string): boolean {
  const [from = '', to = '', between = ''] = place.split(':');
  const under = between === '' ? [] : between.split(',');
  if (under.includes('')) return false;
  const [first, last, ids] = [BigInt(from), BigInt(to), under.map(BigInt)];
  return (
    first > 0n &&
    first <= last &&
    last < MAX_TRANSACTIONS &&
    ids.every((id, index) => id >= (ids[index - 1] ?? first) && id < last)
  );
}
