import type { Database } from '@site/platform/database/connect';
import type { Logger } from '@site/platform/process/logger';
import {
  CHANGES_KEPT_MS,
  readChangePlace,
  readChanges,
  readRecentChanges,
} from '@site/platform/outbox/live-changes';
import type { LiveEvent } from '@site/schema/calls/sync';
import { setTimeout as sleep } from 'node:timers/promises';
import { keepLive } from '../operators/operator-session.ts';
import type { SessionDeps } from '../operators/operator-session.ts';

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

export type Listener = {
  /** Listening ends with this session. */
  sid: string;
  /** The last event received. Null starts now. */
  lastEventId: string | null;
  /** A null event moves the place only. */
  send(id: string, event: LiveEvent | null): void;
  end(): void;
};

type Listening = Listener & { place: string | null };

export type LeadEvents = {
  listen(listener: Listener): () => void;
};

const NOTHING: LiveEvent = {
  isReload: false,
  haveLeadsChanged: false,
  hasSyncChanged: false,
  haveRunsChanged: false,
  hasMoneyChanged: false,
};

export function createLeadEvents(deps: SessionDeps & { log: Logger }): LeadEvents {
  const { db, clock, log } = deps;
  const listeners = new Set<Listening>();
  let isReading = false;

  async function read(): Promise<void> {
    isReading = true;
    let checkedAt = 0;
    while (listeners.size > 0) {
      try {
        await tellAll();
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
    for (const listener of listeners) if (!known.has(listener.sid)) listener.end();
  }

  /** Reads one snapshot for all listeners, so that they are at the same place afterwards. */
  async function tellAll(): Promise<void> {
    const told = [...listeners];
    const places = [...new Set(told.map(({ place }) => place))];
    const readAt = clock.now().getTime();
    const { next, events } = await db.transaction(
      async (trx) => {
        const events = new Map<string | null, LiveEvent>();
        for (const place of places) {
          events.set(place, await readEvent(trx, place));
        }
        return { next: await readChangePlace(trx), events };
      },
      { isolationLevel: 'repeatable read', readOnly: true },
    );
    for (const listener of told) {
      const event = events.get(listener.place) ?? null;
      const isNews = event !== null && event !== NOTHING;
      if (isNews || listener.place === null)
        listener.send(toEventId(readAt, next), isNews ? event : null);
      listener.place = next;
    }
  }

  return {
    listen(listener) {
      const from = listener.lastEventId === null ? null : parseEventId(listener.lastEventId);
      const isTooOld = from === null || clock.now().getTime() - from.atMs > RESUMABLE_MS;
      const listening = { ...listener, place: isTooOld ? null : from.place };
      if (listener.lastEventId !== null && isTooOld)
        listener.send('', { ...NOTHING, isReload: true });
      listeners.add(listening);
      if (!isReading) void read();
      return () => listeners.delete(listening);
    },
  };
}

/**
 * Reads the changes since a place. Without one, reads those that a list loaded just before its
 * stream opened may have missed.
 */
async function readEvent(trx: Database, place: string | null): Promise<LiveEvent> {
  const changes =
    place === null ? await readRecentChanges(trx, RECENT_SECONDS) : await readChanges(trx, place);
  if (changes.length === 0) return NOTHING;
  return {
    isReload: false,
    haveLeadsChanged: changes.includes('leads'),
    hasSyncChanged: changes.includes('sync'),
    haveRunsChanged: changes.includes('run'),
    hasMoneyChanged: changes.includes('money'),
  };
}

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
