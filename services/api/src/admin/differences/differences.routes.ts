import type { CallSent } from '@site/schema/calls/calls';
import { queryOne } from '@site/platform/database/query';
import type { Database } from '@site/platform/database/connect';
import type { Row } from '@site/platform/database/tables';
import { task } from '@site/platform/database/task';
import type { ComparisonDetail } from '@site/platform/database/task';
import type { AppDeps } from '../../app-deps.ts';
import { problem } from '../../http/problem.ts';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { recordAction, recordReading } from '../../audit/audit.repository.ts';
import { operatorOf } from '../operators/operator-session.ts';
import {
  countDifferences,
  countPeople,
  listDifferences,
  requestRemedy,
  requestSafeRemedies,
} from './differences.repository.ts';

/** Where Stripe, Beehiiv and our leads disagree. Before: the worker's comparison. Next: the worker carries out remedies. */
export function differenceRoutes({ db }: AppDeps): Route[] {
  return [
    route('GET /api/admin/differences', async () => {
      const [rows, { detail, ...last }, kinds, people] = await Promise.all([
        listDifferences(db),
        queryOne<Row<'tasks'> & { detail: ComparisonDetail; nextAt: Date | null }>(
          db,
          `select *, case when retry_at > sync_now() then retry_at end as next_at
           from tasks where name = 'comparison'`,
        ),
        countDifferences(db),
        countPeople(db),
      ]);
      const counts = Object.fromEntries(kinds.map(({ kind, count }) => [kind, count]));
      return {
        comparedAt: last.finishedAt,
        subscribersRead: last.leasedUntil ? detail.subscribersRead : last.requestedAt && 0,
        fault: last.fault,
        retryAt: last.nextAt,
        differences: rows.map(toDifference),
        counts: { ...counts, ...(detail.unknown > 0 ? { 'unknown-here': detail.unknown } : {}) },
        fixable: Object.fromEntries(kinds.map(({ kind, fixable }) => [kind, fixable])),
        people,
      };
    }),
    route('POST /api/admin/differences/compare', async ({ req }) => {
      await recordReading(db, operatorOf(req), 'comparison', 1);
      // Unless one is in progress.
      await task(db, 'comparison')
        .whereNull('leasedUntil')
        .update({ requestedAt: db.raw('sync_now()') });
    }),
    route('POST /api/admin/differences/:id/remedy', async ({ params: { id }, req }) => {
      await putRight(db, operatorOf(req), id);
    }),
    route('POST /api/admin/differences/remedies', async ({ body: { kind }, req }) => ({
      requested: await requestSafeRemedies(db, operatorOf(req), kind),
    })),
  ];
}

/** Asks the worker to put a difference right, and records who asked. Throws 404 if only a person can, or it is gone. */
async function putRight(db: Database, operator: string, id: number): Promise<void> {
  await db.transaction(async (trx) => {
    const asked = await requestRemedy(trx, id);
    if (asked === undefined)
      throw problem('not-found', { detail: 'It has been put right, or only a person can.' });
    if (asked === null) return;
    const { kind, remedy, leadId } = asked;
    const detail = { kind, remedy };
    await recordAction(trx, { operator, action: 'remedy', subject: leadId, detail });
  });
}

type SentDifference = CallSent<'GET /api/admin/differences'>['differences'][number];

function toDifference(row: Awaited<ReturnType<typeof listDifferences>>[number]): SentDifference {
  const { id, kind, remedy, leadId, stripeSubscriptionId, subscriberStatus } = row;
  return {
    id,
    kind,
    email: row.emailNormalised,
    remedy,
    isRequested: row.requestedAt !== null,
    ...(leadId === null ? {} : { leadId }),
    ...(row.sentAt && { sentAt: row.sentAt }),
    ...(stripeSubscriptionId === null ? {} : { stripeSubscriptionId }),
    ...(row.subscribedAt && { subscribedAt: row.subscribedAt }),
    ...(subscriberStatus === null ? {} : { subscriberStatus }),
  };
}
