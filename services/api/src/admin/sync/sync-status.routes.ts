import { readLastEventAt } from '@site/platform/health/money-health';
import { makeProbeDue } from '@site/platform/outbox/sync-health';
import { queryOne } from '@site/platform/database/query';
import type { Row } from '@site/platform/database/tables';
import { MAX_OUTAGES } from '@site/schema/calls/sync';
import type { AppDeps } from '../../app-deps.ts';
import { problem } from '../../http/problem.ts';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { recordAction } from '../../audit/audit.repository.ts';
import { operatorOf } from '../operators/operator-session.ts';
import { countDays, countErrors, readLastTimes, readUsualWait } from './delivery.repository.ts';
import { countFailedInRefusalPause, readPace } from './sync-status.repository.ts';

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
      const [{ state, conditions, facts }, pace, refused] = await Promise.all([
        health.read(),
        readPace(db),
        countFailedInRefusalPause(db),
      ]);
      if (facts === null) throw problem('database-unavailable');
      const { pausedSince, pauseReason, pauseSetting, refusalsFrom } = facts.health;
      return {
        state,
        conditions: conditions.map(({ since, ...condition }) => ({
          ...condition,
          since: since.toISOString(),
        })),
        pending: facts.pending,
        oldestPendingAt: facts.oldestPendingAt,
        pause: pausedSince && {
          reason: pauseReason ?? '',
          setting: pauseSetting ?? '',
          since: pausedSince,
        },
        lastAcceptedAt: facts.health.lastAcceptedAt,
        missingFields: facts.health.missingFields,
        ...pace,
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
