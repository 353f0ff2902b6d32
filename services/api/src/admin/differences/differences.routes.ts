import type { Database } from '@site/platform/database/connect';
import { differencesAnswer, remediesAnswer, remediesBody } from '@site/schema/differences';
import type { Difference } from '@site/schema/differences';
import { z } from 'zod';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { operatorOf } from '../operators/operator-session.ts';
import {
  countDifferences,
  countPeople,
  listDifferences,
  readComparison,
  requestComparison,
} from './differences.repository.ts';
import { putAllRight, putRight } from './differences.service.ts';

/** Where Stripe, Beehiiv and our leads disagree. Before: the worker's comparison. Next: the worker carries out remedies. */
export function differenceRoutes({ db }: { db: Database }): Route[] {
  return [
    route({
      call: 'GET /api/admin/differences',
      id: 'listDifferences',
      summary: 'Where Stripe, Beehiiv and our leads disagree',
      description: 'Found by the last comparison. `remedy` is null where only a person can decide.',
      answers: { 200: { description: 'At most 200 of each kind, and how many there are', schema: differencesAnswer } },
      async handle({ res }) {
        const [rows, { comparedAt, unknown, fault, ...last }, counts, people] = await Promise.all([
          listDifferences(db),
          readComparison(db),
          countDifferences(db),
          countPeople(db),
        ]);
        res.json({
          comparedAt: comparedAt?.toISOString() ?? null,
          subscribersRead: last.leasedUntil ? last.subscribersRead : last.requestedAt && 0,
          fault,
          differences: rows.map(toDifference),
          counts: { ...counts, ...(unknown > 0 ? { 'unknown-here': unknown } : {}) },
          people,
        });
      },
    }),
    route({
      call: 'POST /api/admin/differences/compare',
      id: 'compare',
      summary: 'Compare again',
      description: 'A worker starts within seconds. One comparison runs at a time.',
      answers: { 202: { description: 'Asked for, or in progress' } },
      async handle({ res }) {
        await requestComparison(db);
        res.status(202).end();
      },
    }),
    route({
      call: 'POST /api/admin/differences/:id/remedy',
      id: 'putRight',
      summary: 'Put a difference right',
      description: 'The worker does it within seconds, unless the sync is paused. Repeating it does no harm.',
      params: z.object({ id: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER) }),
      answers: { 202: { description: 'Asked for, now or before' } },
      problems: ['not-found'],
      async handle({ params: { id }, req, res }) {
        await putRight(db, operatorOf(req), id);
        res.status(202).end();
      },
    }),
    route({
      call: 'POST /api/admin/differences/remedies',
      id: 'putAllRight',
      summary: 'Put many differences right',
      description:
        'Each as `putRight` does. Those without a remedy that is safe for many at once, and those put right since, are left as they are.',
      body: remediesBody,
      answers: { 202: { description: 'Asked for, now or before', schema: remediesAnswer } },
      async handle({ body: { ids }, req, res }) {
        res.status(202).json({ requested: await putAllRight(db, operatorOf(req), ids) });
      },
    }),
  ];
}

function toDifference(row: Awaited<ReturnType<typeof listDifferences>>[number]): Difference {
  const { id, kind, remedy, leadId, stripeSubscriptionId, subscriberStatus } = row;
  return {
    id,
    kind,
    email: row.emailNormalised,
    remedy,
    isRequested: row.requestedAt !== null,
    ...(leadId === null ? {} : { leadId }),
    ...(row.sentAt && { sentAt: row.sentAt.toISOString() }),
    ...(stripeSubscriptionId === null ? {} : { stripeSubscriptionId }),
    ...(row.subscribedAt && { subscribedAt: row.subscribedAt.toISOString() }),
    ...(subscriberStatus === null ? {} : { subscriberStatus }),
  };
}
