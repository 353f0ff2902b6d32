import type { Database } from '@site/platform/database/connect';
import { auditQuery } from '@site/schema/console';
import type { AuditAnswer } from '@site/schema/console';
import { Router } from 'express';
import { parseQuery } from '../../http/validate.ts';
import { listActions } from './audit.repository.ts';

const PER_PAGE = 100;

/** `GET /api/admin/audit`: what operators did, newest first. */
export function auditRoutes({ db }: { db: Database }): Router {
  const router = Router();
  router.get('/', async (req, res) => {
    const rows = await listActions(db, parseQuery(auditQuery, req).before, PER_PAGE + 1);
    const shown = rows.slice(0, PER_PAGE);
    const answer: AuditAnswer = {
      actions: shown.map((row) => ({ ...row, at: row.at.toISOString() })),
      nextBefore: rows.length > PER_PAGE ? (shown.at(-1)?.id ?? null) : null,
    };
    res.json(answer);
  });
  return router;
}
