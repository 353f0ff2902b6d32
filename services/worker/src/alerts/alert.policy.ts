import type { AlertKind, SyncHealthRow } from '@site/platform/database/tables';
import { OUTAGE_STREAK } from '@site/platform/sync-health';

export type Condition = { kind: AlertKind; since: Date; text: string };

/** Finds what is wrong now. Pure. A lead pending for too long counts only if neither a pause nor an outage explains it. */
export function findConditions(
  health: Pick<SyncHealthRow, 'pausedSince' | 'pauseReason' | 'pauseSetting' | 'transientSince' | 'transientStreak'>,
  backlog: { pending: number; oldestPendingAt: Date | null },
  now: Date,
  maxPendingMs: number,
): Condition[] {
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
  if (conditions.length === 0 && oldest && now.getTime() - oldest.getTime() > maxPendingMs) {
    const minutes = Math.floor((now.getTime() - oldest.getTime()) / 60_000);
    conditions.push({
      kind: 'pending-too-long',
      since: oldest,
      text: `The oldest lead has been pending for ${minutes} minutes. ${waiting}`,
    });
  }
  return conditions;
}
