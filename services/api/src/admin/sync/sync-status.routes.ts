import { readLastEventAt } from '@site/platform/health/money-health';
import { makeProbeDue } from '@site/platform/outbox/sync-health';
import { queryOne } from '@site/platform/database/query';
import type { Row } from '@site/platform/database/tables';
import { MAX_FIRST_LEADS } from '@site/schema/calls/set-up';
import { MAX_OUTAGES } from '@site/schema/calls/sync';
import type { AppDeps } from '../../app-deps.ts';
import { problem } from '../../http/problem.ts';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { recordAction } from '../../audit/audit.repository.ts';
import { operatorOf } from '../operators/operator-session.ts';
import { countDays, countErrors, readLastTimes, readUsualWait } from './delivery.repository.ts';

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
      const [{ state, conditions, facts }, { refused, isFirstRun, statusesAsOf, ...rate }] =
        await Promise.all([health.read(), readPace(db)]);
      if (facts === null) throw problem('database-unavailable');
      const { pausedSince, pauseSetting } = facts.health;
      return {
        state,
        conditions,
        pending: facts.pending,
        oldestPendingAt: facts.oldestPendingAt,
        pause: pausedSince && { setting: pauseSetting ?? '' },
        lastAcceptedAt: facts.health.lastAcceptedAt,
        missingFields: facts.health.missingFields,
        rate,
        statusesAsOf,
        isFirstRun,
        failedInRefusalPause: refused > 0 ? { count: refused } : null,
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

type Pace = {
  lastMinute: number;
  allowed: number | null;
  statusesAsOf: Date | null;
  isFirstRun: boolean;
  refused: number;
};

/**
 * Reads the attempts of the last minute, the workers' rate, the end of the last comparison, whether
 * hardly a lead has come, and how many of the refusals that last paused the sync are still failed.
 */
const readPace = (db: AppDeps['db']) =>
  queryOne<Pace>(
    db,
    `select (select count(*) from lead_sync_attempts where started_at > sync_now() - interval '1 minute') as last_minute,
       requests_per_minute as allowed, finished_at as statuses_as_of,
       (select count(*) from (select from leads limit :most::int + 1) first) <= :most as is_first_run,
       (select count(distinct lead_id) from refused_in_pause
          join leads on leads.id = lead_id and leads.beehiiv_status = 'failed') as refused
     from rate_limiter, tasks where name = 'comparison'`,
    { most: MAX_FIRST_LEADS },
  );
