import { readLastEventAt } from '@site/platform/health/money-health';
import { makeProbeDue } from '@site/platform/health/sync-health';
import { CONDITIONS } from '@site/schema/conditions';
import type { AppDeps } from '../../app-deps.ts';
import { problem } from '../../http/problem.ts';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { recordAction } from '../../audit/audit.repository.ts';
import { operatorOf } from '../operators/operator-session.ts';
import {
  countDays,
  findLastError,
  listOutages,
  readLastTimes,
  readPace,
} from './delivery.repository.ts';

/**
 * Serves the sync's state for the strip on every view, and the delivery of leads for the view Sync.
 */
export function syncStatusRoutes({
  db,
  health,
  settings,
}: Pick<AppDeps, 'db' | 'health' | 'settings'>): Route[] {
  return [
    route('GET /api/admin/sync', async () => {
      const [
        { state, conditions, facts },
        { refused, isFirstRun, statusesAsOf, ...rate },
        lastError,
      ] = await Promise.all([health.read(), readPace(db), findLastError(db)]);
      if (facts === null) throw problem('database-unavailable');
      const { pausedSince, pauseSetting } = facts.health;
      return {
        state,
        conditions: conditions.map((each) => ({ ...each, strip: CONDITIONS[each.kind].strip })),
        pending: facts.pending,
        oldestPendingAt: facts.oldestPendingAt,
        pause: pausedSince && { setting: pauseSetting ?? '' },
        lastAcceptedAt: facts.health.lastAcceptedAt,
        missingFields: facts.health.missingFields,
        rate,
        lastError,
        statusesAsOf,
        isFirstRun,
        failedInRefusalPause: refused > 0 ? { count: refused } : null,
      };
    }),
    route('GET /api/admin/sync/delivery', async () => {
      const [days, outages, { lastMailAt, beehiivNews, ...times }, lastEventAt] = await Promise.all(
        [countDays(db), listOutages(db), readLastTimes(db), readLastEventAt(db)],
      );
      return {
        ...days,
        outages,
        ...times,
        lastEventAt,
        beehiivNews: settings.beehiivWebhookSecret === null ? null : beehiivNews,
        mail: settings.mail ? { lastSentAt: lastMailAt } : null,
      };
    }),
    route('POST /api/admin/sync/probe', async ({ req }) =>
      db.transaction(async (trx) => {
        if (await makeProbeDue(trx))
          await recordAction(trx, { operator: operatorOf(req), action: 'probe' });
      }),
    ),
  ];
}
