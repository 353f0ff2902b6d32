import type { Clock } from '@site/platform/clock';
import type { Database } from '@site/platform/database/connect';
import type { Logger } from '@site/platform/logger';
import type { SyncQueue } from '@site/platform/outbox/sync-queue';
import { leadCorrectionBody, leadCountsQuery, leadFilterQuery, leadListQuery } from '@site/schema/admin';
import type { LeadCountsAnswer, LeadListAnswer } from '@site/schema/admin';
import { Router } from 'express';
import { z } from 'zod';
import { parseBody, parseParams, parseQuery } from '../../http/validate.ts';
import { recordAction } from '../audit/audit.repository.ts';
import { operatorOf } from '../operators/operator-session.ts';
import { toLead } from './lead-answer.ts';
import { correctLead } from './lead-correction.service.ts';
import { sendLeadsCsv } from './lead-csv.ts';
import { parseCursor, toCursor } from './lead-cursor.ts';
import { readLeadDetail } from './lead-detail.service.ts';
import { countLeads, countNewer, listLeads } from './lead-list.repository.ts';

const idParams = z.object({ id: z.uuid() });

type LeadListDeps = {
  db: Database;
  exportDb: Database;
  clock: Clock;
  syncQueue: Pick<SyncQueue, 'wake'>;
  newId: () => string;
  log: Logger;
};

/** The console's leads: the list and its counters, one lead with its attempts, correction, and the export. */
export function leadListRoutes(deps: LeadListDeps): Router {
  const { db } = deps;
  const router = Router();

  router.get('/', async (req, res) => {
    const query = parseQuery(leadListQuery, req);
    const [page, counted] = await Promise.all([listLeads(db, query, parseCursor(query.cursor)), countLeads(db, query)]);
    const cursors = { nextCursor: toCursor(page.next), topCursor: toCursor(page.top) };
    const answer: LeadListAnswer = { leads: page.rows.map(toLead), ...counted, ...cursors };
    res.json(answer);
  });

  router.get('/counts', async (req, res) => {
    const { newerThan, ...filter } = parseQuery(leadCountsQuery, req);
    const [counted, newer] = await Promise.all([
      countLeads(db, filter),
      countNewer(db, filter, parseCursor(newerThan)),
    ]);
    const answer: LeadCountsAnswer = { ...counted, newer };
    res.json(answer);
  });

  router.get('/export/csv', async (req, res) => {
    const filter = parseQuery(leadFilterQuery, req);
    // Words may be somebody's name: that there were some is enough.
    const { search, ...kept } = filter;
    const detail = { ...kept, isSearch: search !== undefined };
    await recordAction(db, { operator: operatorOf(req), action: 'export-leads', detail });
    await sendLeadsCsv(deps, filter, res);
  });

  router.get('/:id', async (req, res) => {
    res.json(await readLeadDetail(db, parseParams(idParams, req).id));
  });

  router.post('/:id/correct', async (req, res) => {
    const { id } = parseParams(idParams, req);
    const { email } = parseBody(leadCorrectionBody, req);
    res.status(201).json(await correctLead(deps, operatorOf(req), id, email));
  });
  return router;
}
