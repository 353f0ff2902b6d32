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
import { listAbandoned, markContacted } from './abandoned.repository.ts';
import { listTroubles } from './troubles.repository.ts';
import { sendPaymentsCsv } from './payment-csv.ts';
import { readMonths } from './money-history.ts';
import { listPeople, readFigure, readFigures, readRemarks, readSources } from './money-figures.repository.ts';

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
      const [figures, remarks] = await Promise.all([readFigures(db, moment), readRemarks(db, moment)]);
      return { figures, ...remarks };
    }),
    route('GET /api/admin/money/history', ({ query: { months } }) => readMonths(db, clock, months)),
    route('GET /api/admin/money/outcomes', async ({ query: period }) => {
      const moment = { ...period, now: clock.now() };
      const [outcomes, sources] = await Promise.all([readOutcomes(db, moment), readSources(db, moment)]);
      return { ...outcomes, ...sources };
    }),
    route('GET /api/admin/money/troubles', async ({ query: period, req }) => {
      const troubles = await listTroubles(db, { ...period, now: clock.now() });
      await recordReading(db, operatorOf(req), 'payers', troubles.people.length);
      return troubles;
    }),
    route('GET /api/admin/checkouts/abandoned', async ({ query: period, req }) => {
      const abandoned = await listAbandoned(db, { ...period, now: clock.now() });
      await recordReading(db, operatorOf(req), 'people', abandoned.people.length);
      return abandoned;
    }),
    route('POST /api/admin/checkouts/:id/contacted', ({ params: { id }, req }) =>
      markContacted(db, operatorOf(req), id),
    ),
    route('GET /api/admin/money/payments.csv', async ({ query: period, req, res }) => {
      await recordAction(db, { operator: operatorOf(req), action: 'export-payments', detail: period });
      await sendPaymentsCsv(deps, period, settings.publicUrl, res);
    }),
    route('GET /api/admin/money/people', async ({ query: { of, cursor, startDate, endDate, ...ofPrice }, req }) => {
      const moment = { startDate, endDate, now: clock.now() };
      const [{ rows, next }, total] = await Promise.all([
        listPeople(db, of, ofPrice, moment, parseCursor(cursor)),
        cursor === undefined ? readFigure(db, of, moment, ofPrice) : null,
      ]);
      await recordReading(db, operatorOf(req), 'payers', rows.length);
      return {
        people: rows.map(({ place: _, id: __, ...row }) => ({
          ...row,
          dashboardUrl: toDashboardUrl(settings.stripe.secretKey, row.stripeSubscriptionId),
        })),
        nextCursor: toCursor(next),
        total,
      };
    }),
  ];
}
