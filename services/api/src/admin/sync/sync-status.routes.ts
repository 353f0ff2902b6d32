import type { Database } from '@site/platform/database/connect';
import { OUTAGE_STREAK, readSyncHealth } from '@site/platform/sync-health';
import type { SyncHealthRow } from '@site/platform/database/tables';
import { readBacklog } from '@site/platform/outbox/pending';
import type { SyncHealthAnswer } from '@site/schema/admin';
import { Router } from 'express';
import { countFailedInRefusalPause, findLastError, readRate } from './sync-status.repository.ts';

/** `GET /api/admin/sync`: what the health strip shows. */
export function syncStatusRoutes({ db }: { db: Database }): Router {
  const router = Router();
  router.get('/', async (_req, res) => {
    const [health, backlog, rate, lastError, refused] = await Promise.all([
      readSyncHealth(db),
      readBacklog(db),
      readRate(db),
      findLastError(db),
      countFailedInRefusalPause(db),
    ]);
    const answer: SyncHealthAnswer = {
      ...toVerdict(health),
      pending: backlog.pending,
      oldestPendingAt: backlog.oldestPendingAt?.toISOString() ?? null,
      rate,
      lastError: lastError ? { ...lastError, at: lastError.at.toISOString() } : null,
      failedInRefusalPause:
        refused > 0 && health.refusalsFrom ? { count: refused, since: health.refusalsFrom.toISOString() } : null,
    };
    res.json(answer);
  });
  return router;
}

/** What the one row of the sync's health says. */
function toVerdict(health: SyncHealthRow) {
  const { pausedSince, nextProbeAt, transientSince, lastOutageFrom, lastOutageTo } = health;
  return {
    pause:
      pausedSince && nextProbeAt
        ? {
            reason: health.pauseReason ?? '',
            setting: health.pauseSetting ?? '',
            since: pausedSince.toISOString(),
            nextProbeAt: nextProbeAt.toISOString(),
          }
        : null,
    outage: transientSince && health.transientStreak >= OUTAGE_STREAK ? { since: transientSince.toISOString() } : null,
    lastAcceptedAt: health.lastAcceptedAt?.toISOString() ?? null,
    lastOutage:
      lastOutageFrom && lastOutageTo ? { from: lastOutageFrom.toISOString(), to: lastOutageTo.toISOString() } : null,
    missingFields: health.missingFields,
  };
}
