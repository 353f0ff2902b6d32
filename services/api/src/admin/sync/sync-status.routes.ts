import type { Database } from '@site/platform/database/connect';
import { OUTAGE_STREAK, readSyncHealth } from '@site/platform/outbox/health';
import { readBacklog } from '@site/platform/outbox/pending';
import type { SyncHealthAnswer } from '@site/schema/admin';
import { Router } from 'express';

/** `GET /api/admin/sync`: what the health strip shows. */
export function syncStatusRoutes({ db }: { db: Database }): Router {
  const router = Router();
  router.get('/', async (_req, res) => {
    const [health, backlog] = await Promise.all([readSyncHealth(db), readBacklog(db)]);
    const { pausedSince, pauseReason, pauseSetting, nextProbeAt } = health;
    const answer: SyncHealthAnswer = {
      pending: backlog.pending,
      oldestPendingAt: backlog.oldestPendingAt?.toISOString() ?? null,
      pause:
        pausedSince && nextProbeAt
          ? {
              reason: pauseReason ?? '',
              setting: pauseSetting ?? '',
              since: pausedSince.toISOString(),
              nextProbeAt: nextProbeAt.toISOString(),
            }
          : null,
      outage:
        health.transientSince && health.transientStreak >= OUTAGE_STREAK
          ? { since: health.transientSince.toISOString() }
          : null,
      lastAcceptedAt: health.lastAcceptedAt?.toISOString() ?? null,
    };
    res.json(answer);
  });
  return router;
}
