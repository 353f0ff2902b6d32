import type { AlertKind, SyncHealthRow } from '@site/platform/database/tables';
import { OUTAGE_STREAK } from '@site/platform/sync-health';

/** What is wrong. One that is explained by another is not reported, but it is not over either. */
export type Condition = { kind: AlertKind; since: Date; text: string; isExplained?: boolean };

export type Situation = {
  health: Pick<SyncHealthRow, 'pausedSince' | 'pauseReason' | 'pauseSetting' | 'transientSince' | 'transientStreak'>;
  backlog: { pending: number; oldestPendingAt: Date | null };
  /** Leads that failed in the last hour, without those in quarantine. */
  failed: { count: number; since: Date | null };
  now: Date;
};

/** Finds what is wrong now. Pure. A pause or an outage explains that a lead is pending for too long. */
export function findConditions({ health, backlog, failed, now }: Situation, maxPendingMs: number): Condition[] {
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
  return conditions;
}
