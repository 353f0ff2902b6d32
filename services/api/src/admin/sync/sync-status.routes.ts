import type { Condition } from '@site/platform/health/sync-conditions';
import { readLastEventAt } from '@site/platform/health/money-health';
import { readMsUntilNextDue } from '@site/platform/outbox/pending';
import { makeProbeDue, OUTAGE_STREAK } from '@site/platform/outbox/sync-health';
import { queryOne } from '@site/platform/database/query';
import type { Row, SyncHealthRow } from '@site/platform/database/tables';
import { MAX_OUTAGES } from '@site/schema/calls/sync';
import type { AppDeps } from '../../app-deps.ts';
import { problem } from '../../http/problem.ts';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { recordAction } from '../../audit/audit.repository.ts';
import { operatorOf } from '../operators/operator-session.ts';
import { countDays, countErrors, readLastTimes, readUsualWait } from './delivery.repository.ts';
import {
  countFailedInRefusalPause,
  countPayersWaiting,
  findLastError,
  readPace,
} from './sync-status.repository.ts';

/**
 * The state of the sync for the strip on every view, and the delivery of leads for the view Sync.
 */
export function syncStatusRoutes({
  db,
  health,
  settings,
}: Pick<AppDeps, 'db' | 'health' | 'settings'>): Route[] {
  return [
    route('GET /api/admin/sync', async () => {
      const [{ state, conditions, facts }, pace, lastError, refused] = await Promise.all([
        health.read(),
        readPace(db),
        findLastError(db),
        countFailedInRefusalPause(db),
      ]);
      if (facts === null) throw problem('database-unavailable');
      const { refusalsFrom } = facts.health;
      const isCalm =
        state === 'running' && conditions.every(({ kind }) => kind !== 'pending-too-long');
      const isWaiting = state === 'outage' || (state === 'running' && facts.pending > 0);
      const msUntilDue = isWaiting ? await readMsUntilNextDue(db) : null;
      return {
        state,
        conditions: conditions.map(({ since, ...condition }) => ({
          ...condition,
          since: since.toISOString(),
        })),
        ...toDetails(facts.health, conditions),
        nextDueAt: msUntilDue === null ? null : new Date(facts.now.getTime() + msUntilDue),
        pending: facts.pending,
        payersWaiting: isCalm ? 0 : await countPayersWaiting(db),
        oldestPendingAt: facts.oldestPendingAt,
        ...pace,
        lastError: lastError ?? null,
        failedInRefusalPause:
          refused > 0 && refusalsFrom ? { count: refused, since: refusalsFrom } : null,
      };
    }),
    route('GET /api/admin/sync/delivery', async () => {
      const [days, usualWait, errors, outages, { lastMailAt, ...times }, lastEventAt] =
        await Promise.all([
          countDays(db),
          readUsualWait(db),
          countErrors(db),
          db<Row<'outages'>>('outages').select().orderBy('since', 'desc').limit(MAX_OUTAGES),
          readLastTimes(db),
          readLastEventAt(db),
        ]);
      return {
        ...days,
        usualWait,
        errors,
        outages,
        ...times,
        lastEventAt,
        mail: settings.mail ? { lastSentAt: lastMailAt } : null,
      };
    }),
    route('POST /api/admin/sync/probe', async ({ req }) =>
      db.transaction(async (trx) => {
        if (await makeProbeDue(trx))
          await recordAction(trx, { operator: operatorOf(req), action: 'probe' });
        return queryOne<{ askedAt: Date }>(trx, 'select sync_now() as asked_at');
      }),
    ),
  ];
}

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
