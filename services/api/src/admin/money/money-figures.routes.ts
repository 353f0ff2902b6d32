import type { Clock } from '@site/platform/process/clock';
import type { Database } from '@site/platform/database/connect';
import { parseCursor, toCursor } from '../../http/cursor.ts';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import type { ApiSettings } from '../../settings.ts';
import { toDashboardUrl } from '../../stripe/stripe-key.ts';
import { readMonths } from './money-history.ts';
import { countPayers, listPeople, readFigure, readRemarks, readRevenue } from './money-figures.repository.ts';

type MoneyFigureDeps = { db: Database; clock: Clock; settings: Pick<ApiSettings, 'stripe'> };

/** The figures of the money view, and the people behind each. */
export function moneyFigureRoutes({ db, clock, settings }: MoneyFigureDeps): Route[] {
  return [
    route('GET /api/admin/money/figures', async ({ query: period }) => {
      const moment = { ...period, now: clock.now() };
      const [mrr, trialsEnding, expected, churned, refunded, payers, revenue, remarks] = await Promise.all([
        readFigure(db, 'mrr', moment),
        readFigure(db, 'trials-ending', moment),
        readFigure(db, 'expected', moment),
        readFigure(db, 'churned', moment),
        readFigure(db, 'refunded', moment),
        countPayers(db, moment),
        readRevenue(db, moment),
        readRemarks(db, moment),
      ]);
      return { mrr, trialsEnding, expected, churned, refunded, payers, ...revenue, ...remarks };
    }),
    route('GET /api/admin/money/history', async ({ query: { months } }) => ({
      months: await readMonths(db, clock, months),
    })),
    route('GET /api/admin/money/people', async ({ query: { of, cursor, startDate, endDate, ...source } }) => {
      const moment = { startDate, endDate, now: clock.now() };
      const isOfOneSource = Object.values(source).some((part) => part !== undefined);
      const [{ rows, next }, total] = await Promise.all([
        listPeople(db, of, source, moment, parseCursor(cursor)),
        isOfOneSource && cursor === undefined ? readFigure(db, of, moment, source) : null,
      ]);
      return {
        people: rows.map(({ place: _, ...row }) => ({
          ...row,
          dashboardUrl: toDashboardUrl(settings.stripe.secretKey, row.stripeSubscriptionId),
        })),
        nextCursor: toCursor(next),
        total,
      };
    }),
  ];
}
