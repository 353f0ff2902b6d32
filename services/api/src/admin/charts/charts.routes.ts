import type { Database } from '@site/platform/database/connect';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { countByHour, countFaults, countFunnel, listOldestPending } from './charts.repository.ts';
import { countChartedLeads } from './charted-leads.repository.ts';

const OLDEST_SHOWN = 5;

/** The figures behind the console's charts, which are loaded only when the charts are opened. */
export function chartRoutes({ db }: { db: Database }): Route[] {
  return [
    route('GET /api/admin/charts', async ({ query: filter }) => {
      const [counted, byHour, classes, oldestPending, funnel] = await Promise.all([
        countChartedLeads(db, filter),
        countByHour(db, filter),
        countFaults(db, filter),
        listOldestPending(db, OLDEST_SHOWN),
        countFunnel(db, filter),
      ]);
      return { ...counted, ...byHour, classes, funnel, oldestPending };
    }),
  ];
}
