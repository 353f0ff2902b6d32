import type { Database } from '../database/connect.ts';
import { findMoneyConditions } from '../health/money-health.ts';
import { findConditions, isStreak, toState } from '../health/sync-conditions.ts';
import type { Condition } from '../health/sync-conditions.ts';
import { readSyncFacts } from '../health/read-sync-facts.ts';
import type { SyncFacts } from '../health/read-sync-facts.ts';

/** `isNews: false`: too new for a message, or explained by another condition. */
export type Alert = Condition & { isNews?: boolean };
export type AlertOptions = { maxPendingMs: number; isProduction: boolean };

/** A restart of the worker takes less than this. */
const MISSED_AFTER_MS = 60_000;
/** One failing lead may itself be the cause. */
const FAILING_AFTER_MS = 10 * 60_000;

/** Finds the conditions of the sync and of money. */
export async function findAlerts(trx: Database, options: AlertOptions): Promise<Alert[]> {
  return [
    ...findSyncAlerts(await readSyncFacts(trx), options),
    ...(await findMoneyConditions(trx)),
  ];
}

/** A failure of the whole sync explains a lead that is pending for too long. */
function findSyncAlerts(facts: SyncFacts, { maxPendingMs, isProduction }: AlertOptions): Alert[] {
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
