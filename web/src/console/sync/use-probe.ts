import type { SyncHealthAnswer } from '@site/schema/calls/sync';
import { useState } from 'react';
import { useCall } from '../session/use-call.ts';
import { describeMoment, formatTime } from '../shared/london-time.ts';

/** A failed probe of the settings leaves no trace, so after this time a state that has not changed is its answer. */
const ANSWERED_AFTER_MS = 6_000;
/** A worker takes a probe within seconds. */
const LOST_AFTER_MS = 30_000;

type Health = Pick<SyncHealthAnswer, 'pause' | 'outage' | 'nextDueAt' | 'lastError'>;
/** When the probe was asked for, as the server knows it and as this browser does, and when it was seen that a worker had taken it. */
type Asked = { askedAt: string; at: Date; takenAt?: Date };

const dueTime = ({ pause, outage, nextDueAt }: Health) =>
  pause?.nextProbeAt ?? outage?.nextAttemptAt ?? nextDueAt ?? '';

/** Asks for a probe, and tells why the sync still fails after it, as far as its state shows that. */
export function useProbe(health: Health, now: Date, reload: () => Promise<unknown>) {
  const [asked, setAsked] = useState<Asked>();
  const [outcome, setOutcome] = useState<string>();
  const { send, isPending } = useCall('POST /api/admin/sync/probe', {
    failure: 'Probe failed',
    async onDone({ askedAt }) {
      // First, so that the time of the next probe is not that of before.
      await reload();
      setAsked({ askedAt, at: new Date() });
    },
  });
  const isOver = health.pause === null && health.outage === null;
  const found = asked && describeFailure(asked, health, now);
  if (asked && (isOver || found !== undefined)) {
    setAsked(undefined);
    setOutcome(found);
  } else if (asked && asked.takenAt === undefined && isTaken(asked, health, now)) {
    setAsked({ ...asked, takenAt: now });
  }
  if (isOver && outcome !== undefined) setOutcome(undefined);

  const isProbing = isPending || asked !== undefined;
  const ask = () => {
    if (isProbing) return;
    setOutcome(undefined);
    void send();
  };
  return { isProbing, outcome, ask };
}

/** Asking makes the probe due at once. The worker that takes it sets the time of the next one. */
const isTaken = ({ askedAt }: Asked, health: Health, now: Date) =>
  dueTime(health) > askedAt && Date.parse(dueTime(health)) > now.getTime();

function describeFailure(
  { askedAt, at, takenAt }: Asked,
  health: Health,
  now: Date,
): string | undefined {
  const { pause, lastError } = health;
  // The reason of a pause is shown beside it.
  if (!pause && lastError && lastError.at > askedAt)
    return `Still failing: ${lastError.message} at ${describeMoment(lastError.at, now)}`;
  if (takenAt && now.getTime() - takenAt.getTime() >= ANSWERED_AFTER_MS)
    return `Still failing at ${formatTime(now)}`;
  return now.getTime() - at.getTime() >= LOST_AFTER_MS ? 'No worker has sent the probe' : undefined;
}
