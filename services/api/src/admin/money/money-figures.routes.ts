import type { Clock } from '@site/platform/process/clock';
import type { Database } from '@site/platform/database/connect';
import type { Pool } from 'pg';
import { parseCursor, toCursor } from '../../http/cursor.ts';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import type { ApiSettings } from '../../settings.ts';
import { toDashboardUrl } from '../../stripe/stripe-key.ts';
import { recordAction } from '../../audit/audit.repository.ts';
import { recordReading } from '../../audit/reading.repository.ts';
import { operatorOf } from '../operators/operator-session.ts';
import { readOutcomes } from './money-outcomes.repository.ts';
import { sendPaymentsCsv } from './payment-csv.ts';
import { readMonths } from './money-history.ts';
import {
  countPayers,
  listPeople,
  readChannels,
  readFigure,
  readRemarks,
  readRevenue,
} from './money-figures.repository.ts';

type MoneyFigureDeps = {
  db: Database;
  exportPool: Pool;
  clock: Clock;
  settings: Pick<ApiSettings, 'stripe' | 'publicUrl'>;
};

/** The figures of the money view, and the people behind each. */
export function moneyFigureRoutes(deps: MoneyFigureDeps): Route[] {
  const { db, clock, settings } = deps;
  return [
    route('GET /api/admin/money/figures', async ({ query: period }) => {
      const moment = { ...period, now: clock.now() };
      const [mrr, paused, trialsEnding, expected, churned, refunded, payers, revenue, remarks] = await Promise.all([
        readFigure(db, 'mrr', moment),
        readFigure(db, 'paused', moment),
        readFigure(db, 'trials-ending', moment),
        readFigure(db, 'expected', moment),
        readFigure(db, 'churned', moment),
        readFigure(db, 'refunded', moment),
        countPayers(db, moment),
        readRevenue(db, moment),
        readRemarks(db, moment),
      ]);
      return { mrr, paused, trialsEnding, expected, churned, refunded, payers, ...revenue, ...remarks };
    }),
    route('GET /api/admin/money/history', async ({ query: { months } }) => ({
      months: await readMonths(db, clock, months),
    })),
    route('GET /api/admin/money/outcomes', async ({ query: period }) => {
      const moment = { ...period, now: clock.now() };
      const [outcomes, channels] = await Promise.all([readOutcomes(db, moment), readChannels(db, moment)]);
      return { ...outcomes, channels };
    }),
    route('GET /api/admin/money/payments.csv', async ({ query: period, req, res }) => {
      await recordAction(db, { operator: operatorOf(req), action: 'export-payments', detail: period });
      await sendPaymentsCsv(deps, period, settings.publicUrl, res);
    }),
    route('GET /api/admin/money/people', async ({ query: { of, cursor, startDate, endDate, ...source }, req }) => {
      const moment = { startDate, endDate, now: clock.now() };
      // The figures sum the payments of all sources: to count their payers once more would cost as much.
      const isSummed = of !== 'paid' || Object.values(source).some((part) => part !== undefined);
      const [{ rows, next }, total] = await Promise.all([
        listPeople(db, of, source, moment, parseCursor(cursor)),
        isSummed && cursor === undefined ? readFigure(db, of, moment, source) : null,
      ]);
      await recordReading(db, operatorOf(req), 'payers', rows.length);
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
