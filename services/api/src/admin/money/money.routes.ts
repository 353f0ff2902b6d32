import type { Database } from '@site/platform/database/connect';
import type { MoneyAnswer } from '@site/schema/money';
import { Router } from 'express';
import { z } from 'zod';
import { problem } from '../../http/problem.ts';
import { parseParams } from '../../http/validate.ts';
import { readRevenueBySource } from './revenue.repository.ts';
import {
  countStages,
  countTiersWaiting,
  listMismatches,
  listOpenDisputes,
  listParked,
  listSecondLive,
  markMismatchReviewed,
  readAbandoned,
} from './money.repository.ts';

const mismatchParams = z.object({ id: z.string().regex(/^sub_[\w-]{1,200}$/) });

/** `/api/admin/money`: how subscriptions are doing, and what of Stripe's a person should look at. */
export function moneyRoutes({ db }: { db: Database }): Router {
  const router = Router();

  router.get('/', async (_req, res) => {
    const [stages, parkedEvents, payerMismatches, secondLive, openDisputes, abandoned, tiersWaiting, revenue] =
      await Promise.all([
        countStages(db),
        listParked(db),
        listMismatches(db),
        listSecondLive(db),
        listOpenDisputes(db),
        readAbandoned(db),
        countTiersWaiting(db),
        readRevenueBySource(db),
      ]);
    const answer: MoneyAnswer = {
      stages,
      parkedEvents,
      payerMismatches,
      secondLive,
      openDisputes,
      abandoned,
      tiersWaiting,
      revenue,
    };
    res.json(answer);
  });

  router.post('/mismatches/:id/review', async (req, res) => {
    const { id } = parseParams(mismatchParams, req);
    if (!(await markMismatchReviewed(db, id))) throw problem('not-found');
    res.status(204).end();
  });
  return router;
}
