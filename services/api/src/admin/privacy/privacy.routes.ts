import { personBody } from '@site/schema/console';
import type { ErasuresAnswer } from '@site/schema/console';
import type { Clock } from '@site/platform/clock';
import type { Database } from '@site/platform/database/connect';
import { Router } from 'express';
import { parseBody } from '../../http/validate.ts';
import { operatorOf } from '../operators/operator-session.ts';
import { listErasures } from './privacy.repository.ts';
import { erase, exportPerson, toReceipt } from './privacy.service.ts';

const SHOWN = 50;

/** Export and erasure of one person. The address is in the body: addresses of ours hold nobody's. */
export function privacyRoutes(deps: { db: Database; clock: Clock; newId: () => string }): Router {
  const router = Router();
  router.post('/export', async (req, res) => {
    res.json(await exportPerson(deps, operatorOf(req), parseBody(personBody, req).email));
  });
  router.post('/erase', async (req, res) => {
    res.status(202).json(await erase(deps, operatorOf(req), parseBody(personBody, req).email));
  });
  router.get('/erasures', async (_req, res) => {
    const answer: ErasuresAnswer = { erasures: (await listErasures(deps.db, SHOWN)).map(toReceipt) };
    res.json(answer);
  });
  return router;
}
