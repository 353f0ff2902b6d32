import type { Database } from '@site/platform/database/connect';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { countChartedLeads } from './charted-leads.repository.ts';

/** The figures behind the console's charts, which are loaded only when the charts are opened. */
export function chartRoutes({ db }: { db: Database }): Route[] {
  return [route('GET /api/admin/charts', async ({ query: filter }) => countChartedLeads(db, filter))];
}
