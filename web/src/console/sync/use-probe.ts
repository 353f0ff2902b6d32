import type { SyncHealthAnswer } from '@site/schema/calls/sync';
import { useState } from 'react';
import { useCall } from '../session/use-call.ts';
import { describeMoment, formatTime } from '../time/london-time.ts';

/** A failed probe of the settings leaves no trace, so after this time a state that has not changed is its answer. */
const ANSWERED_AFTER_MS = 6_000;
/** A worker takes a probe within seconds. */
const LOST_AFTER_MS = 30_000;

type Health = Pick<SyncHealthAnswer, 'pause' | 'outage' | 'nextDueAt' | 'lastError'>;
/** What was known when the probe was asked for, and when it was seen that a worker had taken it. */
type Asked = { at: Date; dueAt: string; lastErrorAt: string | undefined; takenAt?: Date };
type Outcome = { isFailing: boolean; text: string };

const dueTime = ({ pause, outage, nextDueAt }: Health) =>
  pause?.nextProbeAt ?? outage?.nextAttemptAt ?? nextDueAt ?? '';
const isFailing = ({ pause, outage }: Health) => pause !== null || outage !== null;

/** Asks for a probe, and tells how it went, as far as the state of the sync shows it. */
export function useProbe(health: Health, now: Date, reload: () => Promise<unknown>) {
  const { send } = useCall('POST /api/admin/sync/probe', { failure: 'Probe failed', onDone: reload });
  const [asked, setAsked] = useState<Asked>();
  const [outcome, setOutcome] = useState<Outcome>();
  const found = asked && findOutcome(asked, health, now);
  if (found) {
    setAsked(undefined);
    setOutcome(found);
  } else if (asked?.takenAt === undefined && asked && isTaken(asked, health, now)) {
    setAsked({ ...asked, takenAt: now });
  }
  // It was about another fault.
  if (outcome && outcome.isFailing !== isFailing(health)) setOutcome(undefined);

  const ask = async () => {
    if (asked) return;
    setOutcome(undefined);
    setAsked({ at: new Date(), dueAt: dueTime(health), lastErrorAt: health.lastError?.at });
    if (!(await send())) setAsked(undefined);
  };
  return { isProbing: asked !== undefined, outcome: outcome?.text, ask };
}

/** Asking makes the probe due at once. The worker that takes it sets the time of the next one. */
const isTaken = ({ dueAt }: Asked, health: Health, now: Date) =>
  dueTime(health) > dueAt && Date.parse(dueTime(health)) > now.getTime();

function findOutcome({ at, takenAt, lastErrorAt }: Asked, health: Health, now: Date): Outcome | undefined {
  if (!isFailing(health)) return { isFailing: false, text: `Beehiiv works again since ${formatTime(now)}` };
  const { pause, lastError } = health;
  const failed = (why: string) => ({ isFailing: true, text: `Still failing${why}` });
  // The reason of a pause is shown beside it.
  if (!pause && lastError && lastError.at !== lastErrorAt)
    return failed(`: ${lastError.message} at ${describeMoment(lastError.at, now)}`);
  if (takenAt && now.getTime() - takenAt.getTime() >= ANSWERED_AFTER_MS) return failed(` at ${formatTime(now)}`);
  if (now.getTime() - at.getTime() >= LOST_AFTER_MS) return { isFailing: true, text: 'No worker has sent the probe' };
  return undefined;
}
