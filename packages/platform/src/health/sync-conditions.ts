import { CONDITION_KINDS, SYNC_STATES } from '@site/schema/sync-state';
import type { ConditionKind, SyncState } from '@site/schema/sync-state';
import type { SyncHealthRow } from '../database/tables.ts';
import { OUTAGE_STREAK } from '../outbox/sync-health.ts';

/*
 * What is wrong with the sync now, as one list. The strip, `/readyz`, doctor, metrics and alerts all read it, so they
 * cannot contradict each other. Pure: the facts come from `sync-facts.ts`.
 */

/** What is wrong, and since when. Two processes agree on it, except where only one of them has lost a connection. */
export type Condition = { kind: ConditionKind; since: Date; text: string };

export type SyncFacts = {
  now: Date;
  health: SyncHealthRow;
  pending: number;
  oldestPendingAt: Date | null;
  /** When a worker last said that it runs, and since when one has without a gap. */
  workerSeenAt: Date;
  workerSince: Date;
  /** When the lead at a free address that is due longest fell due, and when the latest run of a lead started. */
  dueSince: Date | null;
  lastRunAt: Date | null;
  /** When the rate limiter opens, or opened, after the latest 429. */
  limiterOpensAt: Date | null;
  /** Leads that failed in the last hour, without those in quarantine. */
  failedCount: number;
  failedSince: Date | null;
  /** Leads of the last five minutes; of the day before these, counted only if the first are many. */
  recentCount: number;
  dayBeforeCount: number | null;
  /** Failed and refused logins of the last 15 minutes, and since when. */
  failedLogins: number;
  failedLoginsSince: Date | null;
  /** Since when every one of the newest leads has a private address. */
  visitorsHiddenSince: Date | null;
  /** When the last finished comparison with Beehiiv's list started. Before the first: since when one should have. */
  comparedAt: Date;
  /** Since when an email to the owner has not been sent, nor any later one. */
  mailFailingSince: Date | null;
  /** Since when an outage is on record whose end was not reported. */
  outageReportedSince: Date | null;
};

/** Workers say every ten seconds that they run. */
const MAX_UNSEEN_MS = 30_000;
/** A due lead waits for its slot among others, but some lead always moves. */
const MAX_STILL_MS = 60_000;
/** A lead that failed once is tried again within this time, and is usually accepted then. One alone may be the cause itself. */
const MAX_FAILING_MS = 60_000;
const MIN_FAILING = 2;
/** Fewer in five minutes are no flood, nor is less than ten times the usual number. */
const MIN_FLOOD = 200;
const MIN_FLOOD_FACTOR = 10;
/** An operator who has forgotten a password fails less often. */
const MAX_FAILED_LOGINS = 20;
/** How often the five minutes of a flood fit into the rest of its day. */
const SPANS_A_DAY = 287;
/** One is due each night, and a failed one is tried again every hour. */
const MAX_UNCOMPARED_HOURS = 36;
/** A time this far ahead was written before the clock stepped back. */
const MAX_AHEAD_MS = 5 * 60_000;

/** Finds what is wrong, the gravest first. On a developer's machine every visitor has a private address. */
export function findConditions(
  facts: SyncFacts,
  maxPendingMs: number,
  isProduction = false,
): Condition[] {
  const { now, health, oldestPendingAt: oldest } = facts;
  const waits = `${countLeads(facts.pending)} ${facts.pending === 1 ? 'waits' : 'wait'}, nothing is lost.`;
  const waiting = facts.pending === 0 ? 'Nothing is waiting.' : waits;
  const conditions: Condition[] = [];
  const add = (kind: ConditionKind, since: Date | null, text: string) => {
    if (!since) return;
    const same = conditions.find((condition) => condition.kind === kind);
    if (!same) conditions.push({ kind, since, text });
    else {
      same.text = `${same.text} ${text}`;
      if (since < same.since) same.since = since;
    }
  };
  // A time ahead was written before the clock stepped back. A worker that runs corrects it.
  const isSeen = Math.abs(now.getTime() - facts.workerSeenAt.getTime()) <= MAX_UNSEEN_MS;
  add(
    'no-worker',
    isSeen ? null : new Date(Math.min(facts.workerSeenAt.getTime(), now.getTime())),
    `No worker is running, so nothing is being sent. ${waiting}`,
  );
  add(
    'paused',
    health.pausedSince,
    `Sending is paused. ${health.pauseReason} (${health.pauseSetting}). ${waiting}`,
  );
  // A pause says why nothing is sent, and that an outage before it has ended: Beehiiv answers.
  add('outage', health.pausedSince ? null : findOutage(facts), `Beehiiv is failing. ${waiting}`);
  const stillSince = findStillSince(facts);
  // An outage that is only on record, because updates succeed, does not explain why nothing is tried.
  const isExplained =
    conditions.some(({ kind }) => kind !== 'outage') || health.transientStreak >= OUTAGE_STREAK;
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
  const failed = `${countLeads(facts.failedCount)} failed in the last hour and will not be retried. See why in the console.`;
  add('leads-failed', facts.failedSince, failed);
  add('visitors', ...findFlood(facts));
  if (facts.failedLogins > MAX_FAILED_LOGINS)
    add(
      'visitors',
      facts.failedLoginsSince,
      `${facts.failedLogins} logins failed within 15 minutes.`,
    );
  if (isProduction)
    add(
      'visitors',
      facts.visitorsHiddenSince,
      'Leads arrive from private addresses, so all visitors share one limit, and five wrong logins lock everybody out.',
    );
  add(
    'nightly-missed',
    isOver(facts.comparedAt, MAX_UNCOMPARED_HOURS * 3_600_000, now),
    `Leads and payments have not been compared with Beehiiv for ${MAX_UNCOMPARED_HOURS} hours.`,
  );
  add('mail-failing', facts.mailFailingSince, 'Emails about what needs attention cannot be sent.');
  return conditions;
}

/** Says how many leads came within five minutes, and since when, if that is far more than on the day before. */
function findFlood({ now, recentCount, dayBeforeCount }: SyncFacts): [Date | null, string] {
  const usual = (dayBeforeCount ?? 0) / SPANS_A_DAY;
  const isFlood =
    recentCount >= MIN_FLOOD && dayBeforeCount !== null && recentCount >= usual * MIN_FLOOD_FACTOR;
  const times = `${Math.round(recentCount / usual).toLocaleString('en-GB')} times the usual number`;
  const text = `${countLeads(recentCount)} in five minutes, ${usual > 0 ? times : 'and none on the day before'}.`;
  return [isFlood ? new Date(now.getTime() - 5 * 60_000) : null, text];
}

/**
 * Returns since when there is an outage: five leads have failed in a row, or two have and for a minute nothing was
 * accepted, because where few leads arrive, five failures take long. While additions fail and updates work, it would end and begin again every minute,
 * so one that was reported lasts until an addition is accepted, or nothing waits.
 */
function findOutage({
  now,
  health,
  pending,
  outageReportedSince: reported,
}: SyncFacts): Date | null {
  const { lastAddedAt, transientSince } = health;
  if (health.transientStreak >= OUTAGE_STREAK) return transientSince ?? now;
  const areSeveral = health.transientStreak >= MIN_FAILING && pending > 0;
  if (areSeveral && transientSince && isOver(transientSince, MAX_FAILING_MS, now))
    return transientSince;
  return reported && pending > 0 && !(lastAddedAt && lastAddedAt > reported) ? reported : null;
}

export function toState(conditions: readonly Condition[]): SyncState {
  const kinds = new Set<string>(conditions.map(({ kind }) => kind));
  return SYNC_STATES.find((state) => kinds.has(state)) ?? 'running';
}

export const byGravity = (one: Condition, other: Condition) =>
  CONDITION_KINDS.indexOf(one.kind) - CONDITION_KINDS.indexOf(other.kind);

/**
 * Returns since when leads are due and nothing has moved: from the latest event that explains a wait. A pause and an
 * outage end about when the next probe would have been. Null if nothing is due, or a run may not start yet.
 */
export function findStillSince(facts: SyncFacts): Date | null {
  const { now, dueSince, lastRunAt, workerSince, limiterOpensAt, health } = facts;
  if (!dueSince) return null;
  const times = [dueSince, lastRunAt, workerSince, limiterOpensAt, health.nextProbeAt]
    .filter((time) => time !== null)
    .map((time) => time.getTime())
    .filter((time) => time <= now.getTime() + MAX_AHEAD_MS);
  return new Date(Math.max(...times));
}

const isOver = (since: Date, limitMs: number, now: Date): Date | null =>
  now.getTime() - since.getTime() > limitMs ? since : null;

const countLeads = (count: number) =>
  count === 1 ? '1 lead' : `${count.toLocaleString('en-GB')} leads`;
