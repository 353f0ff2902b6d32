import type { AlertKind } from '@site/schema/sync-state';
import type { Database } from '../database/connect.ts';
import { countAttention, readStripeFaults } from '../health/money-health.ts';
import type { StripeFault } from '../health/money-health.ts';
import { findConditions, toState } from '../health/sync-conditions.ts';
import type { SyncFacts } from '../health/sync-conditions.ts';
import { readSyncFacts } from '../health/sync-facts.ts';
import { reportConditions } from './report-conditions.ts';
import type { AlertCondition, AlertDeps as ReportDeps } from './report-conditions.ts';

export type AlertDeps = ReportDeps & { maxPendingMs: number; isProduction: boolean };

/** A restart of the worker takes less than this. */
const MISSED_AFTER_MS = 60_000;

const SETTINGS: Record<StripeFault, (count: number, names: string) => string> = {
  'stripe-events-undelivered': (count) =>
    `events that Stripe could not deliver: ${count} (STRIPE_WEBHOOK_SECRET, endpoint)`,
  'stripe-signatures-refused': (count) =>
    `events with a wrong signature: ${count} (STRIPE_WEBHOOK_SECRET)`,
  'stripe-permission-missing': (_, names) => `permissions that the key lacks: ${names}`,
  'terms-refused': () => `the terms' URL is missing in the dashboard`,
};

/** Reports faults of the sync and of money. Every process checks, and one sends each message. */
export async function checkAlerts(deps: AlertDeps): Promise<void> {
  await reportConditions(deps, (trx) => findAlerts(trx, deps.maxPendingMs, deps.isProduction));
}

/** Finds faults of the sync and of money, including those too new for a message. */
export async function findAlerts(
  trx: Database,
  maxPendingMs: number,
  isProduction = false,
): Promise<AlertCondition[]> {
  return [
    ...findSyncAlerts(await readSyncFacts(trx), maxPendingMs, isProduction),
    ...(await findMoneyAlerts(trx)),
  ];
}

/** A fault of the whole sync explains a lead that is pending for too long. */
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
    return condition.kind === 'pending-too-long' ? { ...condition, isNews: isRunning } : condition;
  });
}

/** Finds what needs attention, and wrong settings at Stripe: one condition for each. */
export async function findMoneyAlerts(trx: Database): Promise<AlertCondition[]> {
  const settings = (await readStripeFaults(trx)).flatMap(({ fault, count, since, names }) =>
    since === null ? [] : { since, text: SETTINGS[fault](count, names ?? '') },
  );
  const attention = (await countAttention(trx)).map(({ kind, count, since }) => ({
    since,
    text: `${kind}: ${count}`,
  }));
  return [
    ...combine('stripe-settings', 'A setting at Stripe is wrong. Run: npm run doctor', settings),
    ...combine('needs-attention', 'The console’s overview lists what needs attention', attention),
  ];
}

function combine(
  kind: AlertKind,
  title: string,
  parts: readonly { since: Date; text: string }[],
): AlertCondition[] {
  if (parts.length === 0) return [];
  const since = new Date(Math.min(...parts.map((part) => part.since.getTime())));
  return [{ kind, since, text: `${title}: ${parts.map(({ text }) => text).join('; ')}.` }];
}
