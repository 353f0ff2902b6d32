import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { Logger } from '@site/platform/process/logger';
import type { SyncQueue } from '@site/platform/outbox/sync-queue';
import { findConditions, findStalledSince } from '@site/platform/health/sync-conditions';
import { readSyncFacts } from '@site/platform/health/read-sync-facts';

/*
 * The last resort: the process ends and its supervisor restarts it. It ends only if leads are due,
 * nothing explains why none is claimed, and a restart may help.
 */

export type WatchdogDeps = {
  db: Database;
  log: Logger;
  syncQueue: Pick<SyncQueue, 'prove'>;
  /** Ends the process with exit code 1. */
  restart: () => void;
  uptimeMs?: () => number;
};

const MAX_STILL_MS = 2 * 60_000;

/**
 * Ends the process if nothing has moved for two minutes, at most once in ten minutes over all
 * workers.
 */
export async function restartIfStalled(deps: WatchdogDeps): Promise<void> {
  const { db, log, syncQueue, restart, uptimeMs = () => process.uptime() * 1_000 } = deps;
  if (uptimeMs() < MAX_STILL_MS) return;
  const facts = await readSyncFacts(db);
  const isStalled = findConditions(facts, Infinity).some(({ kind }) => kind === 'stalled');
  const stillSince = findStalledSince(facts);
  if (!isStalled || !stillSince || facts.now.getTime() - stillSince.getTime() < MAX_STILL_MS)
    return;
  // Without Redis no job arrives, and a restart would not change that.
  await syncQueue.prove();
  const [due] = await query<{ started: number; leased: number }>(
    db,
    `with claimed as (
       update tasks set seen_at = sync_now()
       -- One worker restarts at a time. If that helps, the others need not.
       where name = 'watchdog'
         and (seen_at is null
         or seen_at not between sync_now() - interval '10 minutes' and sync_now())
       returning name
     )
     select (
       select count(*)::int
       from lead_sync_attempts
       where class is null and started_at > sync_now() - interval '1 hour'
     ) as started,
       (select count(*)::int from email_leases where leased_until > sync_now()) as leased
       from claimed`,
  );
  if (!due) return;
  const { pending, dueSince, lastRunAt, limiterOpensAt } = facts;
  const waitsFor = {
    runsWithoutOutcome: due.started,
    emailsLeased: due.leased,
    handles: countHandles(),
  };
  log.fatal(
    { pending, dueSince, lastRunAt, limiterOpensAt, ...waitsFor },
    'leads are due and nothing moves: restarting',
  );
  restart();
}

/** Counts the handles that keep the process waiting, by kind: sockets, timers, requests. */
function countHandles(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
