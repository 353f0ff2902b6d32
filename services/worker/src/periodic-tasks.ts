import { checkAlerts } from '@site/platform/alerts/alerts';
import type { AlertDeps } from '@site/platform/alerts/alerts';
import type { Logger } from '@site/platform/logger';
import { showPresence } from '@site/platform/worker-presence';
import { setTimeout as sleep } from 'node:timers/promises';
import { fillReasons, fillSubscribers } from './sync/backfill.ts';
import type { FieldCatalog } from './newsletter/field-catalog.ts';
import { countDifferences } from './reconcile/differences.repository.ts';
import { reconcileWhenDue } from './reconcile/reconcile.ts';
import { carryOutRemedies } from './reconcile/remedies.ts';
import { sendLaterConsents } from './reconcile/repair.ts';
import type { RepairDeps } from './reconcile/repair.ts';
import type { ReconcileDeps } from './reconcile/reconcile.ts';
import { refreshDue } from './subscribers/status-refresh.ts';
import { stepRetryRuns } from './sync/retry-runs.ts';
import type { RetryRunDeps } from './sync/retry-runs.ts';
import { restartIfStill } from './sync/watchdog.ts';
import type { WatchdogDeps } from './sync/watchdog.ts';
import { eraseDue, unsubscribeDue } from './subscribers/address-requests.ts';
import { syncDueTiers } from './subscribers/tier.processor.ts';
import type { TierDeps } from './subscribers/tier.processor.ts';
import { deleteOldData } from './retention/retention.ts';
import type { Retention } from './retention/retention.ts';

const EVERY = {
  tiersMs: 1_000,
  retryRunsMs: 1_000,
  erasuresMs: 2_000,
  unsubscribesMs: 2_000,
  alertsMs: 15_000,
  watchdogMs: 10_000,
  presenceMs: 10_000,
  refreshMs: 30_000,
  fieldsMs: 3_600_000,
  reconcileMs: 5_000,
  remediesMs: 2_000,
  retentionMs: 3_600_000,
  backfillMs: 3_600_000,
};

export type PeriodicTaskDeps = ReconcileDeps &
  RepairDeps &
  AlertDeps &
  RetryRunDeps &
  WatchdogDeps &
  TierDeps & { fieldCatalog: FieldCatalog; retention: Retention };

/** Runs the worker's periodic tasks until `signal` is aborted, each on its own timer. */
export async function runPeriodicTasks(deps: PeriodicTaskDeps, signal: AbortSignal): Promise<void> {
  await Promise.all([
    repeat('tiers', EVERY.tiersMs, () => syncDueTiers(deps, signal), deps.log, signal),
    repeat('retry runs', EVERY.retryRunsMs, () => stepRetryRuns(deps), deps.log, signal),
    repeat('erasures', EVERY.erasuresMs, () => eraseDue(deps, signal), deps.log, signal),
    repeat('unsubscribes', EVERY.unsubscribesMs, () => unsubscribeDue(deps, signal), deps.log, signal),
    repeat('presence', EVERY.presenceMs, () => showPresence(deps.db), deps.log, signal),
    repeat('watchdog', EVERY.watchdogMs, () => restartIfStill(deps), deps.log, signal),
    repeat('alerts', EVERY.alertsMs, () => checkAlerts(deps), deps.log, signal),
    repeat('status refresh', EVERY.refreshMs, () => refreshDue(deps, signal), deps.log, signal),
    repeat('custom fields', EVERY.fieldsMs, () => deps.fieldCatalog.refresh(signal), deps.log, signal),
    repeat('retention', EVERY.retentionMs, () => deleteOldData(deps, signal), deps.log, signal),
    repeat('backfill', EVERY.backfillMs, () => fillReasons(deps, signal), deps.log, signal),
    repeat('backfill of subscribers', EVERY.backfillMs, () => fillSubscribers(deps, signal), deps.log, signal),
    repeat('remedies', EVERY.remediesMs, () => carryOutRemedies(deps, signal), deps.log, signal),
    repeat('later consents', EVERY.remediesMs, () => sendLaterConsents(deps, signal), deps.log, signal),
    repeat('comparison', EVERY.reconcileMs, () => compareWhenDue(deps, signal), deps.log, signal),
  ]);
}

/** Somebody does not get what they asked for, or pays for more. */
const GRAVE = ['missing-there', 'pays-not-active', 'pays-twice'] as const;

async function compareWhenDue(deps: PeriodicTaskDeps, signal: AbortSignal): Promise<void> {
  const ended = await reconcileWhenDue(deps, signal);
  if (ended === null) return;
  const { fault, checked, skipped, unknown } = ended;
  if (fault !== null) return deps.log.warn({ reason: fault }, 'comparison failed');
  const counts = await countDifferences(deps.db);
  const isGrave = GRAVE.some((kind) => (counts[kind] ?? 0) > 0);
  deps.log[isGrave ? 'error' : 'info'](
    { checked, skipped, unknown, ...counts },
    'leads and payments compared with the newsletter',
  );
}

async function repeat(
  task: string,
  everyMs: number,
  run: () => Promise<unknown>,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await run();
    } catch (err) {
      // Usually the database is unavailable. The next turn tries again.
      if (!signal.aborted) log.warn({ err, task }, 'periodic task failed');
    }
    await sleep(everyMs, undefined, { signal }).catch(() => undefined);
  }
}
