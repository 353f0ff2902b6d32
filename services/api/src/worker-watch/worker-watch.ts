import { reportConditions } from '@site/platform/alerts/report-conditions';
import type { AlertDeps } from '@site/platform/alerts/report-conditions';
import { queryOne } from '@site/platform/database/query';
import type { Database } from '@site/platform/database/connect';
import { readBacklog } from '@site/platform/outbox/pending';
import { setTimeout as sleep } from 'node:timers/promises';

/*
 * Alerts when no worker runs. The workers send all other alerts, but a dead one cannot send this one.
 */

const EVERY_MS = 10_000;
/** Workers say every ten seconds that they run. A restart takes less than this. */
const MOST_SILENT_SECONDS = 60;

/** Alerts if no worker has been seen for a minute, and again when one is back. Once over all API processes. */
export async function checkWorkers(deps: AlertDeps): Promise<void> {
  await reportConditions(deps, {
    name: 'worker alerts',
    isOurs: (kind) => kind === 'no-worker',
    async find(trx) {
      const { seenAt, isSilent } = await readPresence(trx);
      if (!isSilent) return [];
      const { pending } = await readBacklog(trx);
      const text = `No worker has been seen for a minute, so no lead is sent. ${pending} waiting, nothing lost.`;
      return [{ kind: 'no-worker', since: seenAt, text }];
    },
  });
}

async function readPresence(db: Database): Promise<{ seenAt: Date; isSilent: boolean }> {
  return queryOne(
    db,
    'select seen_at, seen_at < sync_now() - make_interval(secs => :silent) as is_silent from worker_presence',
    { silent: MOST_SILENT_SECONDS },
  );
}

/** Checks again and again until `signal` is aborted. */
export async function watchWorkers(deps: AlertDeps, signal: AbortSignal): Promise<void> {
  for (;;) {
    await sleep(EVERY_MS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    await checkWorkers(deps).catch((err: unknown) => deps.log.debug({ err }, 'workers could not be checked'));
  }
}
