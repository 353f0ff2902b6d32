import type { Clock } from '@site/platform/clock';
import type { Database } from '@site/platform/database/connect';
import type { Logger } from '@site/platform/logger';
import { listAttempts } from '@site/platform/outbox/attempts';
import type { SyncQueue } from '@site/platform/outbox/sync-queue';
import { leadFilterQuery, leadListQuery, leadRetryBody } from '@site/schema/admin';
import type { LeadDetailAnswer, LeadListAnswer, LeadRetryAnswer } from '@site/schema/admin';
import { Router } from 'express';
import { z } from 'zod';
import { problem } from '../../http/problem.ts';
import { parseBody, parseParams, parseQuery } from '../../http/validate.ts';
import { toAttempt, toLead } from './lead-answer.ts';
import { sendLeadsCsv } from './lead-csv.ts';
import { parseCursor, toCursor } from './lead-cursor.ts';
import { countLeads, findLead, listLeads } from './lead-list.repository.ts';
import { retryNow } from './retry.service.ts';

const idParams = z.object({ id: z.uuid() });

/** The console's leads: list and counters, one with its attempts, retry, and the export. */
export function leadListRoutes(deps: {
  db: Database;
  exportDb: Database;
  clock: Clock;
  syncQueue: SyncQueue;
  log: Logger;
}): Router {
  const router = Router();

  router.get('/', async (req, res) => {
    const query = parseQuery(leadListQuery, req);
    const [page, counted] = await Promise.all([
      listLeads(deps.db, query, parseCursor(query.cursor)),
      countLeads(deps.db, query),
    ]);
    const answer: LeadListAnswer = { leads: page.rows.map(toLead), ...counted, nextCursor: toCursor(page.next) };
    res.json(answer);
  });

  router.get('/export/csv', async (req, res) => {
    await sendLeadsCsv(deps, parseQuery(leadFilterQuery, req), res);
  });

  router.post('/retry', async (req, res) => {
    const { ids } = parseBody(leadRetryBody, req);
    const answer: LeadRetryAnswer = await retryNow(deps, ids);
    res.json(answer);
  });

  router.get('/:id', async (req, res) => {
    const { id } = parseParams(idParams, req);
    const row = await findLead(deps.db, id);
    if (!row) throw problem('not-found', { detail: 'There is no lead of this id.' });
    const answer: LeadDetailAnswer = { lead: toLead(row), attempts: (await listAttempts(deps.db, id)).map(toAttempt) };
    res.json(answer);
  });
  return router;
}
