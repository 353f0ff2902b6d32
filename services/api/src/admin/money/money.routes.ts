import type { Database } from '@site/platform/database/connect';
import { REVIEWABLES } from '@site/schema/money';
import type { AbandonedCheckoutsAnswer, MoneyAnswer, MoneyAttentionAnswer } from '@site/schema/money';
import { leadFilterQuery } from '@site/schema/admin';
import { Router } from 'express';
import { withoutUnstorable } from '@site/schema/text';
import { z } from 'zod';
import { parseParams, parseQuery } from '../../http/validate.ts';
import { operatorOf } from '../operators/operator-session.ts';
import { countAbandoned } from './abandoned-checkouts.repository.ts';
import { countAttention } from './money-attention.repository.ts';
import { readParked, review } from './money.service.ts';
import { readRevenueBySource } from './revenue.repository.ts';
import {
  countStages,
  countTiersWaiting,
  listMismatches,
  listOpenDisputes,
  listParked,
  listSecondLive,
  readAbandoned,
} from './money.repository.ts';

const subscriptionParams = z.object({ id: z.string().regex(/^sub_[\w-]{1,200}$/) });
const parkedParams = z.object({ id: z.string().max(200).transform(withoutUnstorable) });

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

  router.get('/attention', async (_req, res) => {
    const answer: MoneyAttentionAnswer = { count: await countAttention(db) };
    res.json(answer);
  });

  router.get('/abandoned-checkouts', async (req, res) => {
    const answer: AbandonedCheckoutsAnswer = { count: await countAbandoned(db, parseQuery(leadFilterQuery, req)) };
    res.json(answer);
  });

  router.get('/parked/:id', async (req, res) => {
    res.json(await readParked(db, operatorOf(req), parseParams(parkedParams, req).id));
  });

  for (const kind of REVIEWABLES) {
    const params = kind === 'parked' ? parkedParams : subscriptionParams;
    router.post(`/${kind}/:id/review`, async (req, res) => {
      await review(db, operatorOf(req), kind, parseParams(params, req).id);
      res.status(204).end();
    });
  }
  return router;
}
