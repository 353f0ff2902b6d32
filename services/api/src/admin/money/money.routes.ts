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
import { operatorOf } from '../operators/operator-session.ts';
import {
  countAbandoned,
  countAttention,
  countStages,
  countTiersWaiting,
  listFailedRefunds,
  listMismatches,
  listOpenDisputes,
  listParked,
  listSecondLive,
  readAbandoned,
  readEventHealth,
  SHOWN,
} from './money.repository.ts';
import { review } from './money.service.ts';
import { countUnsettled, listUnsettled } from './unsettled.repository.ts';
import { moneyFigureRoutes } from './money-figures.routes.ts';

type MoneyDeps = { db: Database; exportPool: Pool; clock: Clock; settings: Pick<ApiSettings, 'stripe' | 'publicUrl'> };

/** Lists what needs attention. */
async function readAttention(db: Database) {
  const [notReceiving, unsettled, changedAddresses, parkedEvents] = await Promise.all([
    listNotReceiving(db, SHOWN),
    listUnsettled(db),
    listChanged(db, SHOWN),
    listParked(db),
  ]);
  const [payerMismatches, secondLive, openDisputes, failedRefunds] = await Promise.all([
    listMismatches(db),
    listSecondLive(db),
    listOpenDisputes(db),
    listFailedRefunds(db),
  ]);
  return {
    notReceiving,
    unsettled,
    changedAddresses,
    parkedEvents,
    payerMismatches,
    secondLive,
    openDisputes,
    failedRefunds,
  };
}

/** The console's money view: subscriptions, figures, and what of Stripe's needs attention. */
export function moneyRoutes(deps: MoneyDeps): Route[] {
  const { db, settings } = deps;
  return [
    ...moneyFigureRoutes(deps),
    route('GET /api/admin/money', async () => {
      const [stages, events, abandoned, tiersWaiting, attention] = await Promise.all([
        countStages(db),
        readEventHealth(db),
        readAbandoned(db),
        countTiersWaiting(db),
        readAttention(db),
      ]);
      const dashboardUrl = dashboardOf(settings.stripe.secretKey);
      return { stages, ...attention, events, abandoned, tiersWaiting, dashboardUrl };
    }),
    route('GET /api/admin/money/attention', async () => {
      const [unsettled, others] = await Promise.all([countUnsettled(db), countAttention(db)]);
      return { count: unsettled + others };
    }),
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
