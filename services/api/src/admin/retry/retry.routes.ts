import type { Database } from '@site/platform/database/connect';
import type { Logger } from '@site/platform/logger';
import type { SyncQueue } from '@site/platform/outbox/sync-queue';
import { leadRetryBody } from '@site/schema/admin';
import type { RetryRunsAnswer } from '@site/schema/console';
import { Router } from 'express';
import { z } from 'zod';
import { parseBody, parseParams } from '../../http/validate.ts';
import { operatorOf } from '../operators/operator-session.ts';
import { listRuns } from './retry-run.repository.ts';
import { estimateRun, startRun, stopRun, toRun } from './retry-run.service.ts';
import { retryNow } from './retry.service.ts';

const idParams = z.object({ id: z.uuid() });
const SHOWN = 20;

type RetryDeps = { db: Database; syncQueue: Pick<SyncQueue, 'wake'>; newId: () => string; log: Logger };

/** Retries failed leads: named ones at once, those of a filter as a run. Lists the runs, and stops one. */
export function retryRoutes(deps: RetryDeps): Router {
  const { db } = deps;
  const router = Router();
  router.post('/leads/retry', async (req, res) => {
    const { ids, filter = {}, dryRun = false, withQuarantined = false } = parseBody(leadRetryBody, req);
    if (ids) res.json(await retryNow(deps, operatorOf(req), ids));
    else if (dryRun) res.json(await estimateRun(db, filter, withQuarantined));
    else res.status(202).json(await startRun(deps, operatorOf(req), filter, withQuarantined));
  });
  router.get('/retry-runs', async (_req, res) => {
    const answer: RetryRunsAnswer = { runs: (await listRuns(db, SHOWN)).map(toRun) };
    res.json(answer);
  });
  router.post('/retry-runs/:id/stop', async (req, res) => {
    res.json(await stopRun(db, operatorOf(req), parseParams(idParams, req).id));
  });
  return router;
}
