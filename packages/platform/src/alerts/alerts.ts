import type { Database } from '../database/connect.ts';
import type { MoneyFault } from '../database/money-tables.ts';
import { readMoneyFaults } from '../health/money-health.ts';
import { findConditions, toState } from '../health/sync-conditions.ts';
import type { SyncFacts } from '../health/sync-conditions.ts';
import { readSyncFacts } from '../health/sync-facts.ts';
import { reportConditions } from './report-conditions.ts';
import type { AlertCondition, AlertDeps as ReportDeps } from './report-conditions.ts';

export type AlertDeps = ReportDeps & { maxPendingMs: number; isProduction: boolean };

/** A restart of the worker takes less than this. */
const MISSED_AFTER_MS = 60_000;

const MONEY_TEXTS: Record<MoneyFault, (count: number, names?: string | null) => string> = {
  'payers-not-receiving': (count) =>
    `People who pay and do not receive the newsletter: ${count}. The console's money view says why, and what to do.`,
  'stripe-events-undelivered': (count) =>
    `Stripe events had to be fetched because they were not delivered: ${count}. Check STRIPE_WEBHOOK_SECRET and the endpoint.`,
  'stripe-signatures-refused': (count) =>
    `Stripe events with a wrong signature: ${count}, and none with a right one for ten minutes. Check STRIPE_WEBHOOK_SECRET.`,
  'stripe-events-parked': (count) =>
    `Stripe events that could not be applied: ${count}. The console shows why.`,
  'stripe-permission-missing': (count, names) =>
    `The Stripe key lacks a permission: ${names}. Stripe events that wait for it, or lists that cannot be read: ${count}. Add it to the key in Stripe's dashboard.`,
  'disputes-open': (count) =>
    `Disputes waiting for our response: ${count}. Answer in Stripe's dashboard.`,
  'refunds-failed': (count) =>
    `Refunds that failed: ${count}. The customers do not have their money.`,
  'terms-refused': () =>
    `Stripe refuses to ask for acceptance of the terms, so checkouts go on without it. Set the terms' address in Stripe's dashboard, then run stripe:setup.`,
  'tiers-failing': (count) => `Subscribers whose tier the newsletter keeps refusing: ${count}.`,
};

/** Reports what is wrong with the sync and with money. Every process does, and one sends each message. */
export async function checkAlerts(deps: AlertDeps): Promise<void> {
  await reportConditions(deps, (trx) => findAlerts(trx, deps.maxPendingMs, deps.isProduction));
}

/** Finds what is wrong with the sync and with money, also before it is old enough for a message. */
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

/** A fault of the whole sync explains that a lead is pending for too long. */
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

export async function findMoneyAlerts(trx: Database): Promise<AlertCondition[]> {
  const faults = await readMoneyFaults(trx);
  return faults.flatMap(({ fault, count, since, names }) =>
    since ? [{ kind: fault, since, count, text: MONEY_TEXTS[fault](count, names) }] : [],
  );
}
