import type { Database } from '@site/platform/database/connect';
import { makeProbeDue, OUTAGE_STREAK, readSyncHealth } from '@site/platform/sync-health';
import type { SyncHealthRow } from '@site/platform/database/tables';
import { readBacklog } from '@site/platform/outbox/pending';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { recordAction } from '../audit/audit.repository.ts';
import { operatorOf } from '../operators/operator-session.ts';
import { countFailedInRefusalPause, findLastError, readComparedAt, readRate } from './sync-status.repository.ts';

/** What the health strip shows. */
export function syncStatusRoutes({ db }: { db: Database }): Route[] {
  return [
    route('GET /api/admin/sync', async ({ res }) => {
      const [health, backlog, rate, lastError, refused, comparedAt] = await Promise.all([
        readSyncHealth(db),
        readBacklog(db),
        readRate(db),
        findLastError(db),
        countFailedInRefusalPause(db),
        readComparedAt(db),
      ]);
      res.json({
        ...toVerdict(health),
        pending: backlog.pending,
        oldestPendingAt: backlog.oldestPendingAt?.toISOString() ?? null,
        rate,
        lastError: lastError ? { ...lastError, at: lastError.at.toISOString() } : null,
        statusesAsOf: comparedAt?.toISOString() ?? null,
        failedInRefusalPause:
          refused > 0 && health.refusalsFrom ? { count: refused, since: health.refusalsFrom.toISOString() } : null,
      });
    }),
    route('POST /api/admin/sync/probe', async ({ req, res }) => {
      await db.transaction(async (trx) => {
        if (await makeProbeDue(trx)) await recordAction(trx, { operator: operatorOf(req), action: 'probe' });
      });
      res.status(202).end();
    }),
  ];
}

/** Turns the row of `sync_health` into what the strip says. */
function toVerdict(health: SyncHealthRow) {
  const { pausedSince, nextProbeAt, transientSince } = health;
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
    outage:
      transientSince && health.transientStreak >= OUTAGE_STREAK
        ? { since: transientSince.toISOString(), nextAttemptAt: nextProbeAt?.toISOString() ?? null }
        : null,
    lastAcceptedAt: health.lastAcceptedAt?.toISOString() ?? null,
    missingFields: health.missingFields,
  };
}
