import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { operatorOf } from '../operators/operator-session.ts';
import { listBulkRetries } from './bulk-retry.repository.ts';
import { estimateRun, retryNow, startRun, stopBulkRetry } from './retry.service.ts';
import type { RetryDeps } from './retry.service.ts';

/**
 * Retries failed leads: selected leads at once, a filter's leads as a bulk retry. Lists the bulk
 * retries, and stops one.
 */
export function retryRoutes(deps: RetryDeps): Route[] {
  const { db } = deps;
  return [
    route('POST /api/admin/leads/retry', async ({ body, req, res }) => {
      const { ids, filter = {}, dryRun = false, withQuarantined = false } = body;
      if (ids) return retryNow(deps, operatorOf(req), ids);
      if (dryRun) return estimateRun(db, filter, withQuarantined);
      res.status(202);
      return startRun(deps, operatorOf(req), filter, withQuarantined);
    }),
    route('GET /api/admin/bulk-retries', async () => ({ bulkRetries: await listBulkRetries(db) })),
    route('POST /api/admin/bulk-retries/:id/stop', ({ params, req }) =>
      stopBulkRetry(db, operatorOf(req), params.id),
    ),
  ];
}
