import type { AppDeps } from '../../app-deps.ts';
import { recordAction } from '../../audit/audit.repository.ts';
import { problem } from '../../http/problem.ts';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { operatorOf } from '../operators/operator-session.ts';
import {
  readDifferences,
  requestComparison,
  requestRemedy,
  requestSafeRemedies,
} from './differences.repository.ts';

/**
 * Serves the differences between Stripe, Beehiiv and our leads. Before: the worker's comparison.
 * Next: the worker applies remedies.
 */
export function differenceRoutes({ db }: AppDeps): Route[] {
  return [
    route('GET /api/admin/differences', () => readDifferences(db)),
    route('POST /api/admin/differences/compare', async ({ req }) => {
      await recordAction(db, { operator: operatorOf(req), action: 'compare' });
      await requestComparison(db);
    }),
    route('POST /api/admin/differences/:id/remedy', async ({ params: { id }, req }) => {
      if (await requestRemedy(db, operatorOf(req), id)) return;
      throw problem('not-found', {
        detail: 'It is put right already, or only a person can decide it.',
      });
    }),
    route('POST /api/admin/differences/remedies', async ({ body: { kind }, req }) => ({
      requested: await requestSafeRemedies(db, operatorOf(req), kind),
    })),
  ];
}
