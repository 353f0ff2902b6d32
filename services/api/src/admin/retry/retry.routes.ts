import type { RetryRunRow } from '@site/platform/database/tables';
import { RUNS_SHOWN } from '@site/schema/calls/retry';
import type { AppDeps } from '../../app-deps.ts';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { operatorOf } from '../operators/operator-session.ts';
import { estimateRun, retryNow, startRun, stopRun } from './retry.service.ts';

/** Retries failed leads: named ones at once, those of a filter as a run. Lists the runs, and stops one. */
export function retryRoutes(deps: AppDeps): Route[] {
  const { db } = deps;
  return [
    route('POST /api/admin/leads/retry', async ({ body, req, res }) => {
      const { ids, filter = {}, dryRun = false, withQuarantined = false } = body;
      if (ids) return retryNow(deps, operatorOf(req), ids);
      if (dryRun) return estimateRun(db, filter, withQuarantined);
      res.status(202);
      return startRun(deps, operatorOf(req), filter, withQuarantined);
    }),
    route('GET /api/admin/retry-runs', async () => {
      const runs = await db<RetryRunRow>('retry_runs')
        .orderBy('createdAt', 'desc')
        .limit(RUNS_SHOWN);
      return { runs };
    }),
    route('POST /api/admin/retry-runs/:id/stop', ({ params, req }) =>
      stopRun(db, operatorOf(req), params.id),
    ),
  ];
}
