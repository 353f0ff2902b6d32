import type { Database } from '@site/platform/database/connect';
import type { Logger } from '@site/platform/logger';
import type { SyncQueue } from '@site/platform/outbox/sync-queue';
import { leadRetryAnswer, leadRetryBody } from '@site/schema/admin';
import { retryEstimate, retryRun, retryRunsAnswer } from '@site/schema/console';
import { z } from 'zod';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { operatorOf } from '../operators/operator-session.ts';
import { listRunFailures, listRuns } from './retry-run.repository.ts';
import { estimateRun, startRun, stopRun, toRun } from './retry-run.service.ts';
import { retryNow } from './retry.service.ts';

const SHOWN = 20;

type RetryDeps = { db: Database; syncQueue: Pick<SyncQueue, 'wake'>; newId: () => string; log: Logger };

/** Retries failed leads: named ones at once, those of a filter as a run. Lists the runs, and stops one. */
export function retryRoutes(deps: RetryDeps): Route[] {
  const { db } = deps;
  return [
    route({
      call: 'POST /api/admin/leads/retry',
      id: 'retryLeads',
      summary: 'Retry leads now',
      description:
        'Named leads are due at once; a single one whose address was corrected is refused. A filter starts a run, which is worked through a few leads at a time. With `dryRun` nothing changes: the answer says how many leads match and how long they would take.',
      body: leadRetryBody,
      answers: {
        200: { description: 'How many are retried, or would be', schema: z.union([leadRetryAnswer, retryEstimate]) },
        202: { description: 'The run', schema: retryRun },
      },
      problems: ['already-corrected'],
      async handle({ body, req, res }) {
        const { ids, filter = {}, dryRun = false, withQuarantined = false } = body;
        if (ids) res.json(await retryNow(deps, operatorOf(req), ids));
        else if (dryRun) res.json(await estimateRun(db, filter, withQuarantined));
        else res.status(202).json(await startRun(deps, operatorOf(req), filter, withQuarantined));
      },
    }),
    route({
      call: 'GET /api/admin/retry-runs',
      id: 'listRetryRuns',
      summary: 'Bulk retries, newest first',
      answers: { 200: { description: `At most ${SHOWN} runs`, schema: retryRunsAnswer } },
      async handle({ res }) {
        const runs = await listRuns(db, SHOWN);
        const failures = await listRunFailures(db, runs);
        res.json({ runs: runs.map((run) => toRun(run, failures)) });
      },
    }),
    route({
      call: 'POST /api/admin/retry-runs/:id/stop',
      id: 'stopRetryRun',
      summary: 'Stop a bulk retry',
      description: 'Returns the leads that this run moved, had no attempt since and no worker has claimed.',
      params: z.object({ id: z.uuid().describe('The run’s id') }),
      answers: { 200: { description: 'The run', schema: retryRun } },
      problems: ['not-found', 'run-over'],
      async handle({ params, req, res }) {
        res.json(await stopRun(db, operatorOf(req), params.id));
      },
    }),
  ];
}
