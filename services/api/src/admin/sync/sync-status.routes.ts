import type { Database } from '@site/platform/database/connect';
import type { Condition } from '@site/platform/health/sync-conditions';
import type { HealthReader } from '@site/platform/health/sync-facts';
import { makeProbeDue, OUTAGE_STREAK } from '@site/platform/outbox/sync-health';
import type { SyncHealthRow } from '@site/platform/database/tables';
import { problem } from '../../http/problem.ts';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { recordAction } from '../../audit/audit.repository.ts';
import { operatorOf } from '../operators/operator-session.ts';
import { countFailedInRefusalPause, findLastError, readComparedAt, readRate } from './sync-status.repository.ts';

/** What the health strip shows. */
export function syncStatusRoutes({ db, health }: { db: Database; health: HealthReader }): Route[] {
  return [
    route('GET /api/admin/sync', async () => {
      const [{ state, conditions, facts }, rate, lastError, refused, comparedAt] = await Promise.all([
        health.read(),
        readRate(db),
        findLastError(db),
        countFailedInRefusalPause(db),
        readComparedAt(db),
      ]);
      if (facts === null) throw problem('database-unavailable');
      const { refusalsFrom } = facts.health;
      return {
        state,
        conditions: conditions.map(({ since, ...condition }) => ({ ...condition, since: since.toISOString() })),
        ...toDetails(facts.health, conditions),
        pending: facts.pending,
        oldestPendingAt: facts.oldestPendingAt,
        rate,
        lastError: lastError ?? null,
        statusesAsOf: comparedAt,
        failedInRefusalPause: refused > 0 && refusalsFrom ? { count: refused, since: refusalsFrom } : null,
      };
    }),
    route('POST /api/admin/sync/probe', async ({ req }) => {
      await db.transaction(async (trx) => {
        if (await makeProbeDue(trx)) await recordAction(trx, { operator: operatorOf(req), action: 'probe' });
      });
    }),
  ];
}

/** Turns the row of `sync_health` into what the strip shows beside its state. */
function toDetails(health: SyncHealthRow, conditions: Condition[]) {
  const { pausedSince, nextProbeAt } = health;
  const outage = conditions.find(({ kind }) => kind === 'outage');
  const isProbed = health.transientStreak >= OUTAGE_STREAK;
  return {
    pause:
      pausedSince && nextProbeAt
        ? {
            reason: health.pauseReason ?? '',
            setting: health.pauseSetting ?? '',
            since: pausedSince,
            nextProbeAt,
          }
        : null,
    outage: outage ? { since: outage.since, nextAttemptAt: isProbed ? nextProbeAt : null } : null,
    lastAcceptedAt: health.lastAcceptedAt,
    missingFields: health.missingFields,
  };
}
