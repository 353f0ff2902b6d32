import type { AppDeps } from '../app-deps.ts';
import { route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { accountRoutes } from './account/account.routes.ts';
import { colleagueRoutes } from './account/colleague.routes.ts';
import { auditRoutes } from './audit/audit.routes.ts';
import { leadListRoutes } from './leads/lead-list.routes.ts';
import { differenceRoutes } from './comparison/differences.routes.ts';
import { liveRoutes } from './live/live.routes.ts';
import { moneyRoutes } from './money/money.routes.ts';
import { loginRoutes } from './operators/login.routes.ts';
import { createTurns } from './operators/login-limit.ts';
import { signedIn, toOperatorAnswer } from './operators/operator-session.ts';
import { setUpRoutes } from './set-up/set-up.routes.ts';
import { privacyRoutes } from './privacy/privacy.routes.ts';
import { retryRoutes } from './retry/retry.routes.ts';
import { peopleRoutes } from './people/people.routes.ts';
import { subscriptionRoutes } from './subscriptions/subscription.routes.ts';
import { syncStatusRoutes } from './sync/sync-status.routes.ts';

export function adminRoutes(deps: AppDeps): Route[] {
  const inTurn = createTurns();
  return [
    ...loginRoutes({ ...deps, inTurn }),
    route('GET /api/admin/me', ({ req }) => toOperatorAnswer(signedIn(req), deps.settings)),
    ...accountRoutes({ ...deps, inTurn }),
    ...colleagueRoutes(deps),
    ...leadListRoutes(deps),
    ...retryRoutes(deps),
    ...liveRoutes(deps),
    ...syncStatusRoutes(deps),
    ...setUpRoutes(deps),
    ...auditRoutes(deps),
    ...privacyRoutes(deps),
    ...moneyRoutes(deps),
    ...differenceRoutes(deps),
    ...subscriptionRoutes(deps),
    ...peopleRoutes(deps),
  ];
}
