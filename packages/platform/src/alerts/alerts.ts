import { OWN_KINDS } from '@site/schema/conditions';
import type { ConditionKind } from '@site/schema/conditions';
import type { Database } from '../database/connect.ts';
import { findMoneyConditions } from '../health/money-health.ts';
import { findConditions, isStreak, toState } from '../health/sync-conditions.ts';
import type { SyncFacts } from '../health/sync-conditions.ts';
import { readSyncFacts } from '../health/sync-facts.ts';
import { reportConditions, recordStripeOutage, deliver, toRecovery } from './report-conditions.ts';
import type { AlertCondition, AlertDeps as ReportDeps } from './report-conditions.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HealthReader, SyncReading } from '../health/sync-facts.ts';

export type AlertDeps = ReportDeps & { maxPendingMs: number; isProduction: boolean };

/** A restart of the worker takes less than this. */
const MISSED_AFTER_MS = 60_000;
/** One failing lead may itself be the cause. */
const FAILING_AFTER_MS = 10 * 60_000;

/** Reports failures of the sync and of money. Every process checks, and one sends each message. */
export async function checkAlerts(deps: AlertDeps): Promise<void> {
  await reportConditions(deps, (trx) => findAlerts(trx, deps.maxPendingMs, deps.isProduction));
}

/** Finds failures of the sync and of money, including those too new for a message. */
export async function findAlerts(
  trx: Database,
  maxPendingMs: number,
  isProduction = false,
): Promise<AlertCondition[]> {
  return [
    ...findSyncAlerts(await readSyncFacts(trx), maxPendingMs, isProduction),
    ...(await findMoneyConditions(trx)),
  ];
}

/** A failure of the whole sync explains a lead that is pending for too long. */
function findSyncAlerts(
  facts: SyncFacts,
  maxPendingMs: number,
  isProduction: boolean,
): AlertCondition[] {
  const conditions = findConditions(facts, maxPendingMs, isProduction);
  const isRunning = toState(conditions) === 'running';
  return conditions.map((condition) => {
    const lastsMs = facts.now.getTime() - condition.since.getTime();
    if (condition.kind === 'no-worker') return { ...condition, isNews: lastsMs > MISSED_AFTER_MS };
    if (condition.kind === 'outage')
      return { ...condition, isNews: isStreak(facts.health) || lastsMs > FAILING_AFTER_MS };
    return condition.kind === 'pending-too-long' ? { ...condition, isNews: isRunning } : condition;
  });
}

const EVERY_MS = 10_000;
/** A restart of Postgres takes less than this. */
export const UNREACHABLE_AFTER_MS = 20_000;

/**
 * Checks repeatedly until `signal` is aborted. The workers check too, but a dead worker cannot
 * report itself, and without Postgres only this process knows that it refuses leads.
 */
export async function watchConditions(
  deps: AlertDeps & { health: HealthReader },
  signal: AbortSignal,
): Promise<void> {
  const reportOwn = createOwnAlerts(deps, async (kind, since) => {
    if (kind === 'stripe-unavailable') await recordStripeOutage(deps.db, since);
  });
  for (;;) {
    await sleep(EVERY_MS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    await reportOwn(await deps.health.read());
    await checkAlerts(deps).catch((err: unknown) =>
      deps.log.debug({ err }, 'alerts could not be checked'),
    );
  }
}

/**
 * Reports each thing that this process cannot reach, once and without the database, and later its
 * return. Calls `onEnd` until the return is delivered.
 */
export function createOwnAlerts(
  deps: Pick<AlertDeps, 'log' | 'webhookUrl'>,
  onEnd: (kind: ConditionKind, since: string) => Promise<void>,
  now: () => Date = () => new Date(),
): (reading: Pick<SyncReading, 'conditions'>) => Promise<void> {
  const open = new Map<ConditionKind, string>();
  return async ({ conditions }) => {
    for (const kind of OWN_KINDS) {
      const found = conditions.find((each) => each.kind === kind);
      const openSince = open.get(kind);
      if (found && openSince === undefined) {
        if (now().getTime() - found.since.getTime() < UNREACHABLE_AFTER_MS) continue;
        const since = found.since.toISOString();
        deps.log.error({ alert: kind, since }, 'alert opened');
        if (await deliver(deps, { event: kind, since, text: found.text })) open.set(kind, since);
      } else if (!found && openSince !== undefined) {
        const recovery = {
          event: 'recovered',
          of: kind,
          since: openSince,
          text: toRecovery(kind),
        } as const;
        await onEnd(kind, openSince).catch((err: unknown) =>
          deps.log.warn({ err }, 'an outage was not recorded'),
        );
        if (!(await deliver(deps, recovery))) continue;
        open.delete(kind);
        deps.log.info({ alert: kind }, 'alert closed');
      }
    }
  };
}
