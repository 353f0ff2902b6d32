import type { Database } from '@site/platform/database/connect';
import { leadFilterQuery } from '@site/schema/admin';
import { chartsAnswer } from '@site/schema/console';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { countByHour, countFaults, countFunnel, listOldestPending } from './charts.repository.ts';
import { countChartedLeads } from './charted-leads.repository.ts';

const OLDEST_SHOWN = 5;

/** The figures behind the console's charts, which are loaded only when the charts are opened. */
export function chartRoutes({ db }: { db: Database }): Route[] {
  return [
    route({
      call: 'GET /api/admin/charts',
      id: 'readCharts',
      summary: 'The figures behind the charts',
      query: leadFilterQuery,
      answers: {
        200: {
          description: 'Leads by day and source, their conversion and delivery, and the sync’s attempts and failures',
          schema: chartsAnswer,
        },
      },
      async handle({ query: filter, res }) {
        const [{ leads, ...counted }, { hours, areHoursCapped }, classes, oldest, funnel] = await Promise.all([
          countChartedLeads(db, filter),
          countByHour(db, filter),
          countFaults(db, filter),
          listOldestPending(db, OLDEST_SHOWN),
          countFunnel(db, filter),
        ]);
        res.json({
          ...counted,
          areHoursCapped,
          hours: hours.map((hour) => ({ ...hour, at: hour.at.toISOString() })),
          classes: classes.map((row) => ({ ...row, lastAt: row.lastAt.toISOString() })),
          funnel: { leads, ...funnel },
          oldestPending: oldest.map((row) => ({ ...row, submittedAt: row.submittedAt.toISOString() })),
        });
      },
    }),
  ];
}
