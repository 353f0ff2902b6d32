import type { AlertKind } from '@site/schema/sync-state';
import type { Database } from '../database/connect.ts';
import { countAttention, readStripeFailures } from '../health/money-health.ts';
import type { AttentionKind, StripeFailure } from '../health/money-health.ts';
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

const SETTINGS: Record<StripeFailure, (count: number, names: string) => string> = {
  'stripe-events-undelivered': (count) =>
    `events that Stripe could not deliver: ${count} (STRIPE_WEBHOOK_SECRET, endpoint)`,
  'stripe-signatures-refused': (count) =>
    `events with a wrong signature: ${count} (STRIPE_WEBHOOK_SECRET)`,
  'stripe-permission-missing': (_, names) => `permissions that the key lacks: ${names}`,
  'terms-refused': () => `the terms' URL is missing in the dashboard`,
};

/** The words after a count: for one item of a kind, and for several. */
const MATTERS: Record<AttentionKind, [one: string, several: string]> = {
  'not-receiving': ['pays, but does not receive', 'pay, but do not receive'],
  'disputes-open': ['dispute waits for an answer', 'disputes wait for an answer'],
  'refunds-failed': ['refund failed', 'refunds failed'],
  unsettled: ['subscription runs without payment', 'subscriptions run without payment'],
  'email-changed': ['email was changed at Stripe', 'emails were changed at Stripe'],
  'second-live': ['email pays for two subscriptions', 'emails pay for two subscriptions'],
  'events-parked': ['Stripe event was not applied', 'Stripe events were not applied'],
};

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
    ...(await findMoneyAlerts(trx)),
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

/** Finds wrong settings at Stripe and items that need attention: a condition for each cause. */
export async function findMoneyAlerts(trx: Database): Promise<AlertCondition[]> {
  const settings = (await readStripeFailures(trx)).flatMap(({ failure, count, since, names }) =>
    since === null
      ? []
      : {
          kind: 'stripe-settings' as const,
          cause: failure.replace('stripe-', ''),
          since,
          text: `A setting at Stripe is wrong. Cause: ${SETTINGS[failure](count, names ?? '')}.`,
        },
  );
  const attention = (await countAttention(trx)).map(({ kind: cause, count, since }) => ({
    kind: 'needs-attention' as const,
    cause,
    since,
    text:
      `Needs attention: ${count} ${MATTERS[cause][count === 1 ? 0 : 1]}. See the console’s ` +
      'overview.',
  }));
  return [...settings, ...attention];
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
 * Conditions that each process reports for itself. Other conditions are in Postgres, so one process
 * reports them.
 */
export const OWN_KINDS = [
  'not-set-up',
  'cannot-write',
  'redis-unavailable',
  'stripe-unavailable',
] as const;
export const isOwn = (kind: AlertKind) => OWN_KINDS.some((each) => each === kind);

/**
 * Reports each thing that this process cannot reach, once and without the database, and later its
 * return. Calls `onEnd` until the return is delivered.
 */
export function createOwnAlerts(
  deps: Pick<AlertDeps, 'log' | 'webhookUrl'>,
  onEnd: (kind: AlertKind, since: string) => Promise<void>,
  now: () => Date = () => new Date(),
): (reading: Pick<SyncReading, 'conditions'>) => Promise<void> {
  const open = new Map<AlertKind, string>();
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
