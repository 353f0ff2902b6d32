import { task } from '@site/platform/database/task';
import type { AppDeps } from '../../app-deps.ts';
import { recordAction } from '../../audit/audit.repository.ts';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { operatorOf } from '../operators/operator-session.ts';
import { putRight, readDifferences, requestSafeRemedies } from './differences.repository.ts';

/** Where Stripe, Beehiiv and our leads disagree. Before: the worker's comparison. Next: the worker carries out remedies. */
export function differenceRoutes({ db }: AppDeps): Route[] {
  return [
    route('GET /api/admin/differences', () => readDifferences(db)),
    route('POST /api/admin/differences/compare', async ({ req }) => {
      await recordAction(db, { operator: operatorOf(req), action: 'compare' });
      // Unless one is in progress.
      await task(db, 'comparison')
        .whereNull('leasedUntil')
        .update({ requestedAt: db.raw('sync_now()') });
    }),
    route('POST /api/admin/differences/:id/remedy', ({ params: { id }, req }) =>
      putRight(db, operatorOf(req), id),
    ),
    route('POST /api/admin/differences/remedies', async ({ body: { kind }, req }) => ({
      requested: await requestSafeRemedies(db, operatorOf(req), kind),
    })),
  ];
}
