import type { Database } from '@site/platform/database/connect';
import type { Row } from '@site/platform/database/tables';
import { differencesAnswer } from '@site/schema/differences';
import type { Difference } from '@site/schema/differences';
import { z } from 'zod';
import { problem } from '../../http/problem.ts';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { recordAction } from '../audit/audit.repository.ts';
import { operatorOf } from '../operators/operator-session.ts';
import {
  countDifferences,
  listDifferences,
  readComparison,
  requestComparison,
  requestRemedy,
} from './differences.repository.ts';

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
        const [rows, { comparedAt, unknown, fault, ...last }, counts] = await Promise.all([
          listDifferences(db),
          readComparison(db),
          countDifferences(db),
        ]);
        res.json({
          comparedAt: comparedAt?.toISOString() ?? null,
          subscribersRead: last.leasedUntil ? last.subscribersRead : last.requestedAt && 0,
          fault,
          differences: rows.map(toDifference),
          counts: { ...counts, ...(unknown > 0 ? { 'unknown-here': unknown } : {}) },
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
        await db.transaction(async (trx) => {
          const asked = await requestRemedy(trx, id);
          if (asked === undefined)
            throw problem('not-found', { detail: 'It has been put right, or only a person can.' });
          if (asked === null) return;
          const { kind, remedy, leadId } = asked;
          const detail = { kind, remedy };
          await recordAction(trx, { operator: operatorOf(req), action: 'remedy', subject: leadId, detail });
        });
        res.status(202).end();
      },
    }),
  ];
}

function toDifference(row: Row<'differences'>): Difference {
  const { id, kind, remedy, leadId, stripeSubscriptionId, subscriberStatus } = row;
  return {
    id,
    kind,
    email: row.emailNormalised,
    remedy,
    isRequested: row.requestedAt !== null,
    ...(leadId === null ? {} : { leadId }),
    ...(stripeSubscriptionId === null ? {} : { stripeSubscriptionId }),
    ...(subscriberStatus === null ? {} : { subscriberStatus }),
  };
}
