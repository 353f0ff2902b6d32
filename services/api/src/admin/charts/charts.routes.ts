import type { Database } from '@site/platform/database/connect';
import { leadFilterQuery } from '@site/schema/admin';
import type { ChartsAnswer } from '@site/schema/console';
import { Router } from 'express';
import { parseQuery } from '../../http/validate.ts';
import { countByHour, countFaults, listOldestPending, sumRevenue } from './charts.repository.ts';
import { countChartedLeads } from './charted-leads.repository.ts';

const OLDEST_SHOWN = 5;

/** `GET /api/admin/charts`: the figures behind the console's charts. Not asked for until they are looked at. */
export function chartRoutes({ db }: { db: Database }): Router {
  const router = Router();
  router.get('/', async (req, res) => {
    const filter = parseQuery(leadFilterQuery, req);
    const [counted, revenue, hours, classes, oldest] = await Promise.all([
      countChartedLeads(db, filter),
      sumRevenue(db, filter),
      countByHour(db),
      countFaults(db),
      listOldestPending(db, OLDEST_SHOWN),
    ]);
    const answer: ChartsAnswer = {
      ...counted,
      revenue,
      hours: hours.map((hour) => ({ ...hour, at: hour.at.toISOString() })),
      classes,
      oldestPending: oldest.map((row) => ({ ...row, submittedAt: row.submittedAt.toISOString() })),
    };
    res.json(answer);
  });
  return router;
}
