import type { Clock } from '@site/platform/process/clock';
import type { Database } from '@site/platform/database/connect';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { readOverview } from './overview.repository.ts';

/** The overview's figures. What needs attention comes with the money. */
export function overviewRoutes({ db, clock }: { db: Database; clock: Clock }): Route[] {
  return [route('GET /api/admin/overview', () => readOverview(db, clock.now()))];
}
