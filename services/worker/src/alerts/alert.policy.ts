import type { Condition } from '@site/platform/alerts/report-conditions';
import type { SyncHealthRow } from '@site/platform/database/tables';
import type { MoneyFault } from '@site/platform/database/money-tables';
import type { MoneyFaultCount } from '@site/platform/money-health';
import { OUTAGE_STREAK } from '@site/platform/sync-health';

export type Situation = {
  health: Pick<SyncHealthRow, 'pausedSince' | 'pauseReason' | 'pauseSetting' | 'transientSince' | 'transientStreak'>;
  backlog: { pending: number; oldestPendingAt: Date | null };
  /** Leads that failed in the last hour, without those in quarantine. */
  failed: { count: number; since: Date | null };
  money: MoneyFaultCount[];
  now: Date;
};

const MONEY_TEXTS: Record<MoneyFault, (count: number) => string> = {
  'stripe-events-undelivered': (count) =>
    `Stripe events had to be fetched because they were not delivered: ${count}. Check STRIPE_WEBHOOK_SECRET and the endpoint.`,
  'stripe-events-parked': (count) => `Stripe events that could not be applied: ${count}. The console shows why.`,
  'disputes-open': (count) => `Disputes waiting for our response: ${count}. Answer in Stripe's dashboard.`,
  'refunds-failed': (count) => `Refunds that failed: ${count}. The customers do not have their money.`,
  'terms-refused': () =>
    `Stripe refuses to ask for acceptance of the terms, so checkouts go on without it. Set the terms' address in Stripe's dashboard, then run stripe:setup.`,
  'tiers-failing': (count) => `Subscribers whose tier the newsletter keeps refusing: ${count}.`,
};

/** Finds what is wrong now. Pure. A pause or an outage explains that a lead is pending for too long. */
export function findConditions({ health, backlog, failed, money, now }: Situation, maxPendingMs: number): Condition[] {
  const waiting = `${backlog.pending} waiting, nothing lost.`;
  const conditions: Condition[] = [];
  if (health.pausedSince) {
    const text = `Newsletter sync is paused: ${health.pauseSetting}. ${health.pauseReason}. ${waiting}`;
    conditions.push({ kind: 'paused', since: health.pausedSince, text });
  }
  if (health.transientSince && health.transientStreak >= OUTAGE_STREAK) {
    conditions.push({
      kind: 'outage',
      since: health.transientSince,
      text: `The newsletter is failing for everybody. ${waiting}`,
    });
  }
  const oldest = backlog.oldestPendingAt;
  if (oldest && now.getTime() - oldest.getTime() > maxPendingMs) {
    const minutes = Math.floor((now.getTime() - oldest.getTime()) / 60_000);
    conditions.push({
      kind: 'pending-too-long',
      since: oldest,
      text: `The oldest lead has been pending for ${minutes} minutes. ${waiting}`,
      isExplained: conditions.length > 0,
    });
  }
  if (failed.since) {
    const leads = failed.count === 1 ? '1 lead' : `${failed.count} leads`;
    conditions.push({
      kind: 'leads-failed',
      since: failed.since,
      text: `${leads} failed in the last hour and will not be retried. The console says why.`,
    });
  }
  for (const { fault, count, since } of money) {
    if (since) conditions.push({ kind: fault, since, text: MONEY_TEXTS[fault](count) });
  }
  return conditions;
}
