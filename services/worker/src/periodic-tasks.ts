import type { AlertOptions } from '@site/platform/notices/find-alerts';
import { tellWebhook } from '@site/platform/notices/webhook';
import type { WebhookDeps } from '@site/platform/notices/webhook';
import type { Logger } from '@site/platform/process/logger';
import { recordHeartbeat } from '@site/platform/database/task';
import { createJudge } from '@site/platform/people/person';
import { stepBulkRetry } from '@site/platform/outbox/retry';
import type { SyncQueue } from '@site/platform/outbox/sync-queue';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FieldCatalog } from './newsletter/field-catalog.ts';
import { countDifferences } from './comparison/differences.repository.ts';
import { reconcileWhenDue } from './comparison/comparison.ts';
import type { ReconcileDeps } from './comparison/comparison.ts';
import { createRegistration } from './subscribers/webhook-registration.ts';
import type { RegistrationDeps } from './subscribers/webhook-registration.ts';
import type { SyncDeps } from './sync/sync.processor.ts';
import { restartIfStalled } from './sync/watchdog.ts';
import type { WatchdogDeps } from './sync/watchdog.ts';
import { servePeople } from './person/person.processor.ts';
import { deleteOldData } from './retention/retention.ts';
import type { Retention } from './retention/retention.ts';

const HOUR_MS = 3_600_000;

export type PeriodicTaskDeps = SyncDeps &
  ReconcileDeps &
  WebhookDeps &
  AlertOptions &
  WatchdogDeps &
  RegistrationDeps & {
    syncQueue: Pick<SyncQueue, 'wake'>;
    fieldCatalog: FieldCatalog;
    retention: Retention;
  };

/** Runs the worker's periodic tasks until `signal` is aborted, each on its own timer. */
export async function runPeriodicTasks(deps: PeriodicTaskDeps, signal: AbortSignal): Promise<void> {
  const register = createRegistration(deps);
  const judge = createJudge(deps.db);
  const tasks: [name: string, everyMs: number, run: () => Promise<unknown>][] = [
    ['judgements', 250, () => judge(signal)],
    ['bulk retries', 1_000, () => moveBulkRetry(deps, signal)],
    ['people, urgent', 1_000, () => servePeople(deps, 'lead', signal)],
    ['people, background', 2_000, () => servePeople(deps, 'background', signal)],
    ['presence', 10_000, () => recordHeartbeat(deps.db)],
    ['watchdog', 10_000, () => restartIfStalled(deps)],
    ['alerts', 15_000, () => tellWebhook(deps)],
    ['webhook', 60_000, () => register(signal)],
    ['custom fields', HOUR_MS, () => deps.fieldCatalog.refresh(signal)],
    ['checks asked for', 2_000, () => checkWhenAsked(deps, signal)],
    ['retention', HOUR_MS, () => deleteOldData(deps, signal)],
    ['comparison', 5_000, () => compareWhenDue(deps, signal)],
  ];
  await Promise.all(tasks.map((task) => repeat(...task, deps.log, signal)));
}

/** Moves the open bulk retry, batch after batch, and queues the leads that are now due. */
async function moveBulkRetry({ db, syncQueue }: PeriodicTaskDeps, signal: AbortSignal) {
  while (!signal.aborted) {
    const moved = await stepBulkRetry(db);
    if (moved === 0) return;
    await syncQueue.wake(moved);
  }
}

/** Reads the publication's fields, for an operator who has changed something at Beehiiv. */
async function checkWhenAsked(
  { db, fieldCatalog }: PeriodicTaskDeps,
  signal: AbortSignal,
): Promise<void> {
  const isAsked = await db('sync_health').whereNotNull('beehiivCheckAskedAt').first('id');
  if (isAsked) await fieldCatalog.refresh(signal);
}

/** Kinds in which somebody misses what they asked for, or pays too much. */
const GRAVE = ['missing-there', 'pays-not-active', 'pays-twice'] as const;

async function compareWhenDue(deps: PeriodicTaskDeps, signal: AbortSignal): Promise<void> {
  const ended = await reconcileWhenDue(deps, signal);
  if (ended === null) return;
  const { failure, checked, skipped, unknown } = ended;
  if (failure !== null) return deps.log.warn({ reason: failure }, 'comparison failed');
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
      // Usually the database is unavailable, and the next turn tries again.
      if (!signal.aborted) log.warn({ err, task }, 'periodic task failed');
    }
    await sleep(everyMs, undefined, { signal }).catch(() => undefined);
  }
}
