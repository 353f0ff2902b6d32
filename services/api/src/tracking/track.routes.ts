import type { Database } from '@site/platform/database/connect';
import { trackBody } from '@site/schema/tracking';
import { Router } from 'express';
import { parseBody } from '../http/validate.ts';

/** Counts presses of the two upsell buttons. Nothing about the person is taken. */
export function trackRoutes({ db }: { db: Database }): Router {
  const router = Router();
  router.post('/', async (req, res) => {
    const { event, page } = parseBody(trackBody, req);
    await db('tracked_events').insert({ event, page });
    res.status(204).end();
  });
  return router;
}
