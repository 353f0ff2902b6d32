import { reportConditions } from '@site/platform/alerts/report-conditions';
import type { AlertDeps as ReportDeps } from '@site/platform/alerts/report-conditions';
import { readMoneyFaults } from '@site/platform/money-health';
import { readBacklog } from '@site/platform/outbox/pending';
import { readSyncHealth } from '@site/platform/sync-health';
import { findConditions } from './alert.policy.ts';
import { readFailed, readSyncTime } from './situation.repository.ts';

export type AlertDeps = ReportDeps & { maxPendingMs: number };

/** Reports what is wrong with the sync and with money. That no worker runs, the API reports. */
export async function checkAlerts(deps: AlertDeps): Promise<void> {
  await reportConditions(deps, {
    name: 'alerts',
    isOurs: (kind) => kind !== 'no-worker',
    find: async (trx) =>
      findConditions(
        {
          health: await readSyncHealth(trx),
          backlog: await readBacklog(trx),
          failed: await readFailed(trx),
          money: await readMoneyFaults(trx),
          now: await readSyncTime(trx),
        },
        deps.maxPendingMs,
      ),
  });
}
