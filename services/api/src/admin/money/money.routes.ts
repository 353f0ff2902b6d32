import { findMoneyConditions } from '@site/platform/health/money-health';
import type { AppDeps } from '../../app-deps.ts';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { dashboardOf } from '../../stripe/stripe.client.ts';
import { operatorOf } from '../operators/operator-session.ts';
import { countStages, readPrices, listPeople, readOverview } from './money.repository.ts';
import { readMonths } from './months.repository.ts';
import { listAttention } from './attention-list.ts';
import { review } from './review.ts';
import { recordAction, recordRowsViewed } from '../../audit/audit.repository.ts';
import { listAbandoned } from './abandoned.repository.ts';
import { listCalls, noteContact } from './call.repository.ts';
import { sendPaymentsCsv } from './payment-csv.ts';
import { problem } from '../../http/problem.ts';

/** Serves the console's money view: subscriptions, figures, and the people behind each. */
export function moneyRoutes(deps: AppDeps): Route[] {
  const { db, clock, health, settings } = deps;
  return [
    route('GET /api/admin/money', async () => ({
      stages: await countStages(db),
      ...(await readPrices(db)),
      dashboardUrl: dashboardOf(settings.stripe.secretKey),
    })),
    route('GET /api/admin/attention', async ({ req }) => {
      await recordRowsViewed(db, operatorOf(req), 'money', 1);
      const { conditions } = await health.readShared();
      return listAttention(db, settings, [...conditions, ...(await findMoneyConditions(db))]);
    }),
    route('GET /api/admin/overview', ({ query: period }) => readOverview(db, clock.now(), period)),
    route('GET /api/admin/money/history', ({ query: { months } }) => readMonths(db, clock, months)),
    route('GET /api/admin/checkouts/abandoned', async ({ query: period, req }) => {
      const abandoned = await listAbandoned(db, period);
      await recordRowsViewed(db, operatorOf(req), 'people', abandoned.people.length);
      return abandoned;
    }),
    route('GET /api/admin/money/calls', async ({ req }) => {
      const calls = await listCalls(db, clock.now());
      await recordRowsViewed(db, operatorOf(req), 'people', calls.people.length);
      return calls;
    }),
    route('POST /api/admin/money/calls/:id/contacted', async ({ params: { id }, req }) => {
      if (!(await noteContact(db, operatorOf(req), id, true))) throw noCall();
    }),
    route('DELETE /api/admin/money/calls/:id/contacted', async ({ params: { id }, req }) => {
      if (!(await noteContact(db, operatorOf(req), id, false))) throw noCall();
    }),
    route('GET /api/admin/money/payments.csv', async ({ query: period, req, res }) => {
      await recordAction(db, {
        operator: operatorOf(req),
        action: 'export-payments',
        detail: period,
      });
      await sendPaymentsCsv(deps, period, res);
    }),
    route('GET /api/admin/money/people', async ({ query, req }) => {
      const listed = await listPeople(db, query, settings.stripe.secretKey);
      await recordRowsViewed(db, operatorOf(req), 'payers', listed.people.length);
      return listed;
    }),
    route('POST /api/admin/money/:kind/:id/review', ({ params, req }) =>
      review(db, operatorOf(req), params, true),
    ),
    route('DELETE /api/admin/money/:kind/:id/review', ({ params, req }) =>
      review(db, operatorOf(req), params, false),
    ),
  ];
}

const noCall = () =>
  problem('not-found', { detail: 'There is no such unpaid checkout or subscription.' });
