import { MONEY_ALERTS } from '@site/schema/sync-state';
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

type MoneyAlert = (typeof MONEY_ALERTS)[number];

/** The alert of each fault of money, and its part of the text. */
const MONEY: Record<MoneyFault, [MoneyAlert, (count: number, names: string) => string]> = {
  'payers-not-receiving': ['needs-attention', (count) => `payers who do not receive: ${count}`],
  'disputes-open': ['needs-attention', (count) => `disputes to answer: ${count}`],
  'refunds-failed': ['needs-attention', (count) => `failed refunds: ${count}`],
  'stripe-events-parked': ['needs-attention', (count) => `Stripe events not applied: ${count}`],
  'stripe-events-undelivered': [
    'stripe-settings',
    (count) => `events that Stripe could not deliver: ${count} (STRIPE_WEBHOOK_SECRET, endpoint)`,
  ],
  'stripe-signatures-refused': [
    'stripe-settings',
    (count) => `events with a wrong signature: ${count} (STRIPE_WEBHOOK_SECRET)`,
  ],
  'stripe-permission-missing': [
    'stripe-settings',
    (_, names) => `permissions that the key lacks: ${names}`,
  ],
  'terms-refused': ['stripe-settings', () => `the terms' URL is missing in the dashboard`],
};
const MONEY_TITLES: Record<MoneyAlert, string> = {
  'needs-attention': 'The console’s overview lists what needs attention',
  'stripe-settings': 'A setting at Stripe is wrong. Run: npm run doctor',
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

/** Finds faults of money: one condition for each alert, which lists its faults. */
export async function findMoneyAlerts(trx: Database): Promise<AlertCondition[]> {
  const faults = await readMoneyFaults(trx);
  return MONEY_ALERTS.flatMap((kind) => {
    const own = faults.filter(({ fault, since }) => since && MONEY[fault][0] === kind);
    const since = Math.min(...own.map((fault) => Number(fault.since)));
    if (own.length === 0) return [];
    const list = own.map(({ fault, count, names }) => MONEY[fault][1](count, names ?? ''));
    return [{ kind, since: new Date(since), text: `${MONEY_TITLES[kind]}: ${list.join('; ')}.` }];
  });
}
