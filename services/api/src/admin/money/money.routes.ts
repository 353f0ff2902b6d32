import type { Clock } from '@site/platform/clock';
import type { Database } from '@site/platform/database/connect';
import { leadFilterQuery } from '@site/schema/admin';
import { abandonedCheckoutsAnswer, moneyAnswer, moneyAttentionAnswer, parkedEventAnswer } from '@site/schema/money';
import type { Reviewable } from '@site/schema/money';
import { withoutUnstorable } from '@site/schema/text';
import { z } from 'zod';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import type { ApiSettings } from '../../settings.ts';
import { dashboardOf } from '../../stripe/stripe-key.ts';
import { operatorOf } from '../operators/operator-session.ts';
import { countAbandoned } from './abandoned-checkouts.repository.ts';
import { countAttention } from './money-attention.repository.ts';
import {
  countStages,
  countTiersWaiting,
  listFailedRefunds,
  listMismatches,
  listOpenDisputes,
  listParked,
  listSecondLive,
  readAbandoned,
  readEventHealth,
} from './money.repository.ts';
import { readParked, review } from './money.service.ts';
import { moneyFigureRoutes } from './money-figures.routes.ts';

const subscriptionParams = z.object({
  id: z
    .string()
    .regex(/^sub_[\w-]{1,200}$/)
    .describe('The subscription’s id at Stripe'),
});
const refundParams = z.object({
  id: z
    .string()
    .regex(/^(?:re|pyr)_[\w-]{1,200}$/)
    .describe('The refund’s id at Stripe'),
});
const parkedParams = z.object({ id: z.string().max(200).transform(withoutUnstorable).describe('The event’s id') });

type MoneyDeps = { db: Database; clock: Clock; settings: Pick<ApiSettings, 'stripe'> };

/** The console's money view: subscriptions, figures, and what of Stripe's needs attention. */
export function moneyRoutes(deps: MoneyDeps): Route[] {
  const { db, settings } = deps;
  return [
    ...moneyFigureRoutes(deps),
    route({
      call: 'GET /api/admin/money',
      id: 'readMoney',
      summary: 'Subscriptions by stage, and what needs attention',
      description: 'Amounts in pence.',
      answers: { 200: { description: 'At most 100 of each kind', schema: moneyAnswer } },
      async handle({ res }) {
        const [stages, parkedEvents, payerMismatches, secondLive, openDisputes, failedRefunds, events] =
          await Promise.all([
            countStages(db),
            listParked(db),
            listMismatches(db),
            listSecondLive(db),
            listOpenDisputes(db),
            listFailedRefunds(db),
            readEventHealth(db),
          ]);
        const [abandoned, tiersWaiting] = await Promise.all([readAbandoned(db), countTiersWaiting(db)]);
        const attention = { parkedEvents, payerMismatches, secondLive, openDisputes, failedRefunds };
        const dashboardUrl = dashboardOf(settings.stripe.secretKey);
        res.json({ stages, ...attention, events, abandoned, tiersWaiting, dashboardUrl });
      },
    }),
    route({
      call: 'GET /api/admin/money/attention',
      id: 'countMoneyAttention',
      summary: 'How many things of Stripe’s need attention',
      answers: {
        200: {
          description: 'Parked events, mismatches, second subscriptions, failed refunds and disputes',
          schema: moneyAttentionAnswer,
        },
      },
      async handle({ res }) {
        res.json({ count: await countAttention(db) });
      },
    }),
    route({
      call: 'GET /api/admin/money/abandoned-checkouts',
      id: 'countAbandoned',
      summary: 'How many leads of a filter abandoned their checkout',
      description: 'The filter’s status is ignored.',
      query: leadFilterQuery,
      answers: { 200: { description: 'At most one more than 1,000', schema: abandonedCheckoutsAnswer } },
      async handle({ query, res }) {
        res.json({ count: await countAbandoned(db, query) });
      },
    }),
    route({
      call: 'GET /api/admin/money/parked/:id',
      id: 'readParkedEvent',
      summary: 'A parked event as Stripe sent it',
      description: 'Recorded in the audit, since the event may hold personal data.',
      params: parkedParams,
      answers: { 200: { description: 'The event', schema: parkedEventAnswer } },
      problems: ['not-found'],
      async handle({ params, req, res }) {
        res.json(await readParked(db, operatorOf(req), params.id));
      },
    }),
    reviewRoute(db, 'mismatches', subscriptionParams, {
      id: 'reviewMismatch',
      summary: 'Mark a payer whose address is not the lead’s as reviewed',
    }),
    reviewRoute(db, 'second-subscriptions', subscriptionParams, {
      id: 'reviewSecondSubscription',
      summary: 'Mark an address’s second live subscription as reviewed',
      description: 'It needs attention again if it ends and becomes a second one once more.',
    }),
    reviewRoute(db, 'refunds', refundParams, { id: 'reviewRefund', summary: 'Mark a failed refund as reviewed' }),
    reviewRoute(db, 'parked', parkedParams, {
      id: 'reviewParkedEvent',
      summary: 'Mark a parked event as reviewed',
      description: 'It stays parked and is still retried. It needs attention again if it fails in another way.',
    }),
  ];
}

function reviewRoute(
  db: Database,
  kind: Reviewable,
  params: z.ZodObject<{ id: z.ZodType<string> }>,
  words: { id: string; summary: string; description?: string },
): Route {
  return route({
    call: `POST /api/admin/money/${kind}/:id/review`,
    ...words,
    params,
    answers: { 204: { description: 'Reviewed, now or before' } },
    problems: ['not-found'],
    async handle({ params: { id }, req, res }) {
      await review(db, operatorOf(req), kind, id);
      res.status(204).end();
    },
  });
}
