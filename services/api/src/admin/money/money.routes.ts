import type { Clock } from '@site/platform/process/clock';
import type { Database } from '@site/platform/database/connect';
import { listNotReceiving } from '@site/platform/health/not-receiving';
import type { Pool } from 'pg';
import { REVIEWABLES } from '@site/schema/calls/money';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import type { ApiSettings } from '../../settings.ts';
import { dashboardOf } from '../../stripe/stripe-key.ts';
import { listChanged } from '../../addresses/customer-address.repository.ts';
import { recordReading } from '../../audit/reading.repository.ts';
import { operatorOf } from '../operators/operator-session.ts';
import {
  countAbandoned,
  countStages,
  countTiersWaiting,
  hasFailedLeads,
  listFailedRefunds,
  listMismatches,
  listOpenDisputes,
  listParked,
  listSecondLive,
  readEventHealth,
  readPayers,
  readPrices,
  SHOWN,
} from './money.repository.ts';
import { review } from './money.service.ts';
import { listUnsettled } from './unsettled.repository.ts';
import { countAttention } from './attention-list.ts';
import { moneyFigureRoutes } from './money-figures.routes.ts';

type MoneyDeps = { db: Database; exportPool: Pool; clock: Clock; settings: Pick<ApiSettings, 'stripe' | 'publicUrl'> };

/** The console's money view: subscriptions, figures, and what of Stripe's needs attention. */
export function moneyRoutes(deps: MoneyDeps): Route[] {
  const { db, settings } = deps;
  return [
    ...moneyFigureRoutes(deps),
    route('GET /api/admin/money', async ({ req }) => {
      await recordReading(db, operatorOf(req), 'money', 1);
      const ofPayers = {
        notReceiving: await listNotReceiving(db, SHOWN),
        unsettled: await listUnsettled(db, SHOWN),
        changedAddresses: await listChanged(db, SHOWN),
        payerMismatches: await listMismatches(db),
        secondLive: await listSecondLive(db),
        openDisputes: await listOpenDisputes(db),
        failedRefunds: await listFailedRefunds(db),
      };
      const ids = Object.values(ofPayers).flatMap((items) => items.map((item) => item.stripeSubscriptionId));
      return {
        stages: await countStages(db),
        ...(await readPrices(db)),
        ...ofPayers,
        payers: await readPayers(db, ids),
        parkedEvents: await listParked(db),
        events: await readEventHealth(db),
        tiersWaiting: await countTiersWaiting(db),
        dashboardUrl: dashboardOf(settings.stripe.secretKey),
      };
    }),
    route('GET /api/admin/money/attention', async () => ({
      count: (await countAttention(db)) + ((await hasFailedLeads(db)) ? 1 : 0),
    })),
    route('GET /api/admin/money/abandoned-checkouts', async ({ query }) => ({
      count: await countAbandoned(db, query),
    })),
    ...REVIEWABLES.map((kind) =>
      route(`POST /api/admin/money/${kind}/:id/review`, async ({ params: { id }, req }) => {
        await review(db, operatorOf(req), kind, id);
      }),
    ),
  ];
}
