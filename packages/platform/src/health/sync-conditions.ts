import { formatLondonTime, formatLongDate, londonDate } from '@site/schema/calendar';
import { CONDITION_KINDS, SYNC_STATES } from '@site/schema/conditions';
import type { ConditionKind, SyncState } from '@site/schema/conditions';
import type { SyncHealthRow } from '../database/tables.ts';
import type { SyncFacts } from './read-sync-facts.ts';
import { OUTAGE_STREAK } from './sync-health.ts';

/*
 * The failures of the sync as one list. The strip, `/readyz`, doctor, metrics and alerts all read
 * it, so they cannot contradict each other. Pure: the facts come from `sync-facts.ts`.
 */

/**
 * A failure and its start. Processes agree on it, unless only one of them has lost a connection.
 * A kind with several causes may appear once for each cause.
 */
export type Condition = { kind: ConditionKind; cause?: string; since: Date; text: string };

/** Workers record every ten seconds that they run. */
const MAX_UNSEEN_MS = 30_000;
/** A due lead waits for its slot among others, but some lead always moves. */
const MAX_STILL_MS = 60_000;
/** A lead that failed once is tried again within this time, and usually accepted. */
const MAX_FAILING_MS = 60_000;
/** A flood has at least this many leads in five minutes, and ten times the usual number. */
const MIN_FLOOD = 200;
const MIN_FLOOD_FACTOR = 10;
/** More than an operator who has forgotten a password causes. */
const MAX_FAILED_LOGINS = 20;
/** The number of five-minute spans in the rest of a flood's day. */
const SPANS_A_DAY = 287;
/** A comparison is due each night, and a failed one is tried again every hour. */
const MAX_UNCOMPARED_HOURS = 36;
/** A backup is due each day. */
const MAX_UNSAVED_HOURS = 26;
const MAX_UNARCHIVED_MS = 5 * 60_000;
/** A time this far ahead was written before the clock stepped back. */
const MAX_AHEAD_MS = 5 * 60_000;

/**
 * Lists the failures, the gravest first. On a developer's machine every visitor has a private IP
 * address.
 */
export function findConditions(
  facts: SyncFacts,
  maxPendingMs: number,
  isProduction = false,
): Condition[] {
  const { now, health, oldestPendingAt: oldest } = facts;
  const verb = facts.pending === 1 ? 'waits' : 'wait';
  const waits = `${countLeads(facts.pending)} ${verb}, nothing is lost.`;
  const waiting = facts.pending === 0 ? 'Nothing is waiting.' : waits;
  const conditions: Condition[] = [];
  const add = (kind: ConditionKind, since: Date | null, text: string, cause?: string) => {
    if (since) conditions.push({ kind, since, text, ...(cause && { cause }) });
  };
  // A running worker corrects a time that was written before the clock stepped back.
  const seenAt = Math.max(facts.workerSeenAt.getTime(), facts.reachableSince?.getTime() ?? 0);
  const isSeen = Math.abs(now.getTime() - seenAt) <= MAX_UNSEEN_MS;
  add(
    'no-worker',
    isSeen ? null : new Date(Math.min(seenAt, now.getTime())),
    `No worker is running, so nothing is being sent. ${waiting}`,
  );
  add(
    'paused',
    health.pausedSince,
    `Sending is paused. ${health.pauseReason} (${health.pauseSetting}). ${waiting}`,
  );
  // A pause explains why nothing is sent, and shows that an outage before it has ended: Beehiiv
  // answers.
  if (!health.pausedSince) add('outage', ...findOutage(facts, waiting));
  const stillSince = findStalledSince(facts);
  // A recorded outage during which updates succeed does not explain why nothing is tried.
  const isExplained = conditions.some(({ kind }) => kind !== 'outage') || isStreak(health);
  if (!isExplained && stillSince)
    add(
      'stalled',
      isOver(stillSince, MAX_STILL_MS, now),
      `Leads are due and none is being sent. ${waiting}`,
    );
  const minutes = oldest && Math.floor((now.getTime() - oldest.getTime()) / 60_000);
  if (oldest && isOver(oldest, maxPendingMs, now))
    add(
      'pending-too-long',
      oldest,
      `The oldest lead has been pending for ${minutes} minutes. ${waiting}`,
    );
  const failed =
    `${countLeads(facts.failedCount)} failed in the last hour and will not be retried. See why ` +
    'in the console.';
  add('leads-failed', facts.failedSince, failed);
  add('unusual-traffic', ...findFlood(facts), 'flood');
  if (facts.failedLogins > MAX_FAILED_LOGINS)
    add(
      'unusual-traffic',
      facts.failedLoginsSince,
      `${facts.failedLogins} logins failed within 15 minutes.`,
      'logins',
    );
  if (isProduction)
    add(
      'unusual-traffic',
      facts.visitorsHiddenSince,
      'Leads arrive from private IP addresses, so all visitors share one limit, and five ' +
        'wrong logins lock everybody out.',
      'hidden',
    );
  add(
    'nightly-missed',
    isOver(facts.comparedAt, MAX_UNCOMPARED_HOURS * 3_600_000, now),
    `Leads and payments have not been compared with Beehiiv for ${MAX_UNCOMPARED_HOURS} hours.`,
  );
  const { backedUpAt, archivedAt } = facts;
  add(
    'backup-failing',
    backedUpAt && isOver(backedUpAt, MAX_UNSAVED_HOURS * 3_600_000, now),
    `No good backup for ${MAX_UNSAVED_HOURS} hours.`,
    'late',
  );
  add(
    'backup-failing',
    facts.backupFailingSince,
    'The newest backup failed. It is tried again within 15 minutes.',
    'failed',
  );
  add(
    'backup-failing',
    archivedAt && isOver(archivedAt, MAX_UNARCHIVED_MS, now),
    'The newest changes are in no backup. If the disk is lost now, so are they.',
    'log',
  );
  add(
    'backup-failing',
    facts.logDroppedSince,
    'Some changes never reached the backups. A full backup is made once there is room.',
    'dropped',
  );
  add('backup-failing', facts.trialFailingSince, 'A trial restore of the backup failed.', 'trial');
  add('mail-failing', facts.mailFailingSince, 'Emails about what needs attention cannot be sent.');
  return conditions;
}

/**
 * Returns the start and text of a flood, if leads come at far more than the rate of the day before.
 */
function findFlood({ now, recentCount, dayBeforeCount }: SyncFacts): [Date | null, string] {
  const usual = (dayBeforeCount ?? 0) / SPANS_A_DAY;
  const isFlood =
    recentCount >= MIN_FLOOD && dayBeforeCount !== null && recentCount >= usual * MIN_FLOOD_FACTOR;
  const times = `${Math.round(recentCount / usual).toLocaleString('en-GB')} times the usual number`;
  const text =
    `${countLeads(recentCount)} in five minutes, ` +
    `${usual > 0 ? times : 'and none on the day before'}.`;
  return [isFlood ? new Date(now.getTime() - 5 * 60_000) : null, text];
}

/**
 * Returns the start and text of an outage: five leads failed in a row, or somebody has waited for a
 * minute and only errors came back. With one lead a day, more failures take too long. A reported
 * outage lasts until an addition is accepted or
 * nothing waits. Otherwise it would end and begin again every minute while additions fail and
 * updates work.
 */
function findOutage(facts: SyncFacts, waiting: string): [Date | null, string] {
  const { now, health, pending, oldestPendingAt: oldest, failing } = facts;
  const { lastAddedAt, transientSince } = health;
  const hasEnded =
    lastAddedAt && facts.outageReportedSince && lastAddedAt > facts.outageReportedSince;
  const reported = hasEnded ? null : facts.outageReportedSince;
  // Reported or not, an outage has one start.
  const since = reported ?? failing?.since ?? transientSince ?? now;
  if (isStreak(health)) return [since, `Beehiiv is failing. ${waiting}`];
  const isFailing = failing && isOver(failing.since, MAX_FAILING_MS, now);
  if (isFailing && oldest && isOver(oldest, MAX_FAILING_MS, now)) {
    const day = londonDate(oldest) === londonDate(now) ? '' : ` on ${formatLongDate(oldest, true)}`;
    const start = `since ${formatLondonTime(oldest)}${day}`;
    const waits = pending === 1 ? `waits ${start}` : `wait, the first ${start}`;
    return [
      since,
      `Beehiiv ${failing.isLimited ? 'limits our requests' : 'does not answer'}. ` +
        `${countLeads(pending)} ${waits}, nothing is lost.`,
    ];
  }
  return [pending > 0 ? reported : null, `Beehiiv is failing. ${waiting}`];
}

/** So many leads failed in a row that the others wait (rule 2.8b). */
export const isStreak = ({ failureStreak }: SyncHealthRow) => failureStreak >= OUTAGE_STREAK;

export function toState(conditions: readonly Condition[]): SyncState {
  const kinds = new Set<string>(conditions.map(({ kind }) => kind));
  return SYNC_STATES.find((state) => kinds.has(state)) ?? 'running';
}

/** Orders conditions, the gravest first. */
export const byGravity = (one: { kind: ConditionKind }, other: { kind: ConditionKind }) =>
  CONDITION_KINDS.indexOf(one.kind) - CONDITION_KINDS.indexOf(other.kind);

/**
 * Returns since when due leads have not moved: the time of the latest event that explains a wait. A
 * pause and an outage end at about the time of the next probe. Returns null if nothing is due, or
 * no run may start yet.
 */
export function findStalledSince(facts: SyncFacts): Date | null {
  const { now, dueSince, lastRunAt, limiterOpensAt, health } = facts;
  const { workerSince, reachableSince } = facts;
  if (!dueSince) return null;
  const times = [
    dueSince,
    lastRunAt,
    workerSince,
    reachableSince,
    limiterOpensAt,
    health.nextProbeAt,
  ]
    .filter((time) => time !== null)
    .map((time) => time.getTime())
    .filter((time) => time <= now.getTime() + MAX_AHEAD_MS);
  return new Date(Math.max(...times));
}

const isOver = (since: Date, limitMs: number, now: Date): Date | null =>
  now.getTime() - since.getTime() > limitMs ? since : null;

const countLeads = (count: number) =>
  count === 1 ? '1 lead' : `${count.toLocaleString('en-GB')} leads`;
