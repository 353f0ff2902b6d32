import type { Database } from '@site/platform/database/connect';
import type { RetryRunsAnswer } from '@site/schema/console';
import { Router } from 'express';
import { z } from 'zod';
import { parseParams } from '../../http/validate.ts';
import { operatorOf } from '../operators/operator-session.ts';
import { listRuns } from './retry-run.repository.ts';
import { stopRun, toRun } from './retry-run.service.ts';

const idParams = z.object({ id: z.uuid() });
const SHOWN = 20;

/** The retries of many: how far they are, and a way to stop one. */
export function retryRunRoutes({ db }: { db: Database }): Router {
  const router = Router();
  router.get('/', async (_req, res) => {
    const answer: RetryRunsAnswer = { runs: (await listRuns(db, SHOWN)).map(toRun) };
    res.json(answer);
  });
  router.post('/:id/stop', async (req, res) => {
    res.json(await stopRun(db, operatorOf(req), parseParams(idParams, req).id));
  });
  return router;
}
